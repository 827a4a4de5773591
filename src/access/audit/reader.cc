#include "access/audit/reader.h"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

#include "access/audit/chain_store.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "tables/language/blocking_database.h"

namespace tintype::access::audit {
namespace {

using tables::BlockingDatabase;
using tables::KeyCondition;
using tables::Value;

constexpr int64_t kPageItems = 200;
constexpr char kSeparator = '#';

/// A place among the entries of all chains.
struct Place {
  int64_t time_ms = 0;
  std::string chain;
  int64_t sequence = 0;

  auto operator<=>(const Place&) const = default;
};

Place PlaceOf(const Link& link) { return {link.time_ms, link.chain, link.sequence}; }

std::string PlaceText(const Place& place) {
  return StrCat(TimeText(place.time_ms), kSeparator, place.chain, kSeparator, place.sequence);
}

Result<Place> ParsePlace(std::string_view text) {
  const Error error = Error::Validation("The cursor is not of a list of the audit.");
  const size_t first = text.find(kSeparator);
  const size_t last = text.rfind(kSeparator);
  if (first == last) {
    return error;
  }
  const Result<int64_t> time_ms = ParseTimeText(text.substr(0, first));
  const std::optional<int64_t> sequence = ParseDigits<int64_t>(text.substr(last + 1));
  if (!time_ms.ok() || !sequence) {
    return error;
  }
  return Place{*time_ms, std::string(text.substr(first + 1, last - first - 1)), *sequence};
}

/// The entries of one chain from a time backwards, a page at a time.
class Backwards {
 public:
  Backwards(std::string table, std::string chain, int64_t from_ms, int64_t to_ms,
            BlockingDatabase& database)
      : table_(std::move(table)),
        chain_(std::move(chain)),
        from_ms_(from_ms),
        to_ms_(to_ms),
        database_(database) {}

  /// The next entry, or null at the end.
  Result<const Link*> Next() {
    while (links_.empty() && !ended_) {
      RETURN_IF_ERROR(ReadPage());
    }
    return links_.empty() ? nullptr : &links_.front();
  }
  Link Take() {
    Link link = std::move(links_.front());
    links_.pop_front();
    return link;
  }

 private:
  Status ReadPage() {
    tables::QueryRequest request;
    request.table = table_;
    request.key_condition = {
        {{std::string(kChainAttribute), KeyCondition::Operator::kEqual, {Value::String(chain_)}},
         {std::string(kTimeAttribute),
          KeyCondition::Operator::kBetween,
          {Value::String(TimeText(from_ms_)), Value::String(TimeText(to_ms_))}}}};
    request.forward = false;
    request.options.index = kTimeIndex;
    request.options.limit = kPageItems;
    request.options.exclusive_start_key = std::move(after_);
    ASSIGN_OR_RETURN(auto page, database_.Query(std::move(request)));
    for (const tables::Item& item : page.items) {
      Result<Link> link = ReadLink(item);
      if (link.ok()) {  // Verifying tells of anything else there.
        links_.push_back(*std::move(link));
      }
    }
    after_ = std::move(page.last_evaluated_key);
    ended_ = !after_;
    return OkStatus();
  }

  const std::string table_;
  const std::string chain_;
  const int64_t from_ms_;
  const int64_t to_ms_;
  BlockingDatabase& database_;
  std::deque<Link> links_;
  std::optional<tables::Item> after_;
  bool ended_ = false;
};

bool IsKind(std::string_view kind, std::string_view wanted) {
  return kind == wanted || (kind.size() > wanted.size() && kind.starts_with(wanted) &&
                            (wanted.ends_with('.') || kind[wanted.size()] == '.'));
}

/// Only names of chains are read, which need no seal.
Result<std::vector<std::string>> FindChains(const std::string& table, tables::Database& database) {
  static const Sealer no_seals(std::string(32, '\0'));
  return ChainStore(table, no_seals, database).Chains();
}

}  // namespace

bool Filter::Passes(const Link& link) const {
  const Link::Fields& entry = link.entry;
  const auto is = [](const std::string& wanted, const std::string& found) {
    return wanted.empty() || wanted == found;
  };
  return (!since_ms || link.time_ms >= *since_ms) && (!until_ms || link.time_ms < *until_ms) &&
         (kind.empty() || IsKind(entry.kind, kind)) &&
         (principal.empty() || principal == entry.principal_id ||
          principal == entry.principal_kind) &&
         (account.empty() || account == entry.account_id || account == entry.subject) &&
         is(address, entry.address) && is(outcome, entry.outcome) && is(subject, entry.subject) &&
         is(request_id, entry.request_id);
}

Result<Page> AuditReader::List(const Filter& filter, int64_t limit, const std::string& after) {
  std::optional<Place> start;
  if (!after.empty()) {
    ASSIGN_OR_RETURN(start, ParsePlace(after));
  }
  int64_t to_ms = filter.until_ms ? *filter.until_ms - 1 : kTimeTextMaxMs;
  to_ms = start ? std::min(to_ms, start->time_ms) : to_ms;
  const int64_t from_ms = filter.since_ms.value_or(0);
  Page page;
  if (from_ms > to_ms) {
    return page;
  }
  BlockingDatabase database(database_);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, FindChains(table_, database_));
  std::deque<Backwards> chains;
  for (const std::string& name : names) {
    chains.emplace_back(table_, name, from_ms, to_ms, database);
  }
  for (int64_t examined = 0;; ++examined) {
    Backwards* newest = nullptr;
    std::optional<Place> place;
    for (Backwards& chain : chains) {
      ASSIGN_OR_RETURN(const Link* next, chain.Next());
      if (next != nullptr && (!place || PlaceOf(*next) > *place)) {
        place = PlaceOf(*next);
        newest = &chain;
      }
    }
    if (newest == nullptr) {
      return page;
    }
    Link link = newest->Take();
    if (start && *place >= *start) {
      continue;
    }
    if (filter.Passes(link)) {
      page.links.push_back(std::move(link));
    }
    if (static_cast<int64_t>(page.links.size()) >= limit || examined >= kExaminedMax) {
      page.next = PlaceText(*place);
      return page;
    }
  }
}

Result<Positions> AuditReader::Ends() {
  static const Sealer no_seals(std::string(32, '\0'));
  ChainStore store(table_, no_seals, database_);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, store.Chains());
  Positions ends;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const std::optional<Link> last, store.FindLast(name));
    ends[name] = last ? last->sequence : 0;
  }
  return ends;
}

Result<News> AuditReader::ListAfter(const Filter& filter, const Positions& positions,
                                    int64_t limit) {
  static const Sealer no_seals(std::string(32, '\0'));
  ChainStore store(table_, no_seals, database_);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, store.Chains());
  News news;
  for (const std::string& name : names) {
    const auto found = positions.find(name);
    int64_t& position = news.positions[name];
    position = found == positions.end() ? 0 : found->second;
    ASSIGN_OR_RETURN(std::vector<Link> links, store.ReadAfter(name, position, limit));
    for (Link& link : links) {
      position = link.sequence;
      if (filter.Passes(link)) {
        news.links.push_back(std::move(link));
      }
    }
  }
  std::ranges::sort(news.links, {}, PlaceOf);
  return news;
}

std::string PositionsText(const Positions& positions) {
  std::string text;
  for (const auto& [chain, sequence] : positions) {
    StrAppend(text, text.empty() ? "" : ",", chain, kSeparator, sequence);
  }
  return text;
}

Result<Positions> ParsePositions(std::string_view text) {
  Positions positions;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t separator = one.rfind(kSeparator);
    const std::optional<int64_t> sequence = separator == std::string_view::npos
                                                ? std::nullopt
                                                : ParseDigits<int64_t>(one.substr(separator + 1));
    if (!sequence) {
      return Error::Validation("These are not positions of the audit.");
    }
    positions[std::string(one.substr(0, separator))] = *sequence;
  }
  return positions;
}

}  // namespace tintype::access::audit
