#include "access/audit/chain_store.h"

#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "tables/language/await.h"
#include "tables/language/errors.h"

namespace tintype::access::audit {
namespace {

using tables::Condition;
using tables::Item;
using tables::KeyCondition;
using tables::Operand;
using tables::Path;
using tables::TransactWriteItemsRequest;
using tables::Value;
using Action = TransactWriteItemsRequest::Action;

constexpr int64_t kSequenceMax = 999'999'999'999'999'999;

Condition NotThere() {
  return {.kind = Condition::Kind::kAttributeNotExists,
          .operands = {Operand::OfPath(Path::Attribute(std::string(kChainAttribute)))},
          .children = {}};
}

/// That a head or base is the one of this hash; none at the start of a chain.
Condition IsAt(const Head& place) {
  if (place == Head()) {
    return NotThere();
  }
  return {.kind = Condition::Kind::kCompare,
          .operands = {Operand::OfPath(Path::Attribute(std::string(kHashAttribute))),
                       Operand::OfValue(Value::String(place.hash))},
          .children = {}};
}

Action Put(const std::string& table, Item item, std::optional<Condition> condition) {
  return {table, TransactWriteItemsRequest::Put{std::move(item)}, std::move(condition), false};
}

KeyCondition LinksOf(const std::string& chain, int64_t from) {
  return {{{std::string(kChainAttribute), KeyCondition::Operator::kEqual, {Value::String(chain)}},
           {std::string(kSequenceAttribute),
            KeyCondition::Operator::kBetween,
            {Value::String(SequenceText(from)), Value::String(SequenceText(kSequenceMax))}}}};
}

bool ConditionFailed(const Error& error) {
  const auto* detail = error.DetailAs<tables::CancellationDetail>();
  if (detail == nullptr) {
    return false;
  }
  for (const auto& reason : detail->reasons) {
    if (reason.code == "ConditionalCheckFailed") {
      return true;
    }
  }
  return false;
}

}  // namespace

tables::TableDefinition AuditTable(std::string_view name) {
  tables::TableDefinition table;
  table.name = name;
  table.attributes = {{std::string(kChainAttribute)},
                      {std::string(kSequenceAttribute)},
                      {std::string(kTimeAttribute)}};
  table.keys = {{std::string(kChainAttribute)}, {std::string(kSequenceAttribute)}};
  tables::IndexDefinition by_time;
  by_time.name = kTimeIndex;
  by_time.keys = {{std::string(kChainAttribute)}, {std::string(kTimeAttribute)}};
  table.global_indexes = {std::move(by_time)};
  table.billing_mode = tables::BillingMode::kPayPerRequest;
  table.encryption = tables::EncryptionSpecification{.enabled = true, .type = {}, .master_key = {}};
  table.deletion_protection = true;
  return table;
}

Result<std::optional<Item>> ChainStore::Find(Item key) {
  ASSIGN_OR_RETURN(
      auto found,
      database_.GetItem(
          {.table = table_, .key = std::move(key), .projection = {}, .consistent_read = true}));
  return std::move(found.item);
}

Result<std::optional<Mark>> ChainStore::FindHead(const std::string& chain) {
  ASSIGN_OR_RETURN(const auto item, Find(HeadKey(chain)));
  return item ? ReadMark(*item) : std::nullopt;
}

Result<std::optional<Mark>> ChainStore::FindBase(const std::string& chain) {
  ASSIGN_OR_RETURN(const auto item, Find(BaseKey(chain)));
  return item ? ReadMark(*item) : std::nullopt;
}

Result<std::optional<Link>> ChainStore::FindLink(const std::string& chain, int64_t sequence) {
  ASSIGN_OR_RETURN(const auto item, Find(LinkKey(chain, sequence)));
  if (!item) {
    return std::optional<Link>();
  }
  ASSIGN_OR_RETURN(Link link, ReadLink(*item));
  return std::optional(std::move(link));
}

Result<std::optional<Link>> ChainStore::FindLast(const std::string& chain) {
  tables::QueryRequest request;
  request.table = table_;
  request.key_condition = LinksOf(chain, 0);
  request.forward = false;
  request.options.limit = 1;
  request.options.consistent_read = true;
  ASSIGN_OR_RETURN(const auto page, database_.Query(std::move(request)));
  if (page.items.empty()) {
    return std::optional<Link>();
  }
  ASSIGN_OR_RETURN(Link link, ReadLink(page.items.front()));
  return std::optional(std::move(link));
}

Result<std::vector<Link>> ChainStore::ReadAfter(const std::string& chain, int64_t sequence,
                                                int64_t limit) {
  tables::QueryRequest request;
  request.table = table_;
  request.key_condition = LinksOf(chain, sequence + 1);
  request.options.limit = limit;
  request.options.consistent_read = true;
  ASSIGN_OR_RETURN(const auto page, database_.Query(std::move(request)));
  std::vector<Link> links;
  for (const Item& item : page.items) {
    ASSIGN_OR_RETURN(Link link, ReadLink(item));
    links.push_back(std::move(link));
  }
  return links;
}

Result<std::vector<std::string>> ChainStore::Chains() {
  std::vector<std::string> chains;
  std::optional<Item> after;
  do {
    tables::QueryRequest request;
    request.table = table_;
    request.key_condition = {{{std::string(kChainAttribute),
                               KeyCondition::Operator::kEqual,
                               {Value::String(kRegister)}}}};
    request.options.exclusive_start_key = std::move(after);
    request.options.consistent_read = true;
    ASSIGN_OR_RETURN(auto page, database_.Query(std::move(request)));
    for (const Item& item : page.items) {
      const auto name = item.Find(kSequenceAttribute);
      chains.emplace_back(name ? name->AsString() : std::string_view());
    }
    after = std::move(page.last_evaluated_key);
  } while (after);
  return chains;
}

Status ChainStore::Register(const std::string& chain) {
  RETURN_IF_ERROR(database_.PutItem({.table = table_, .item = RegisterItem(chain), .options = {}}));
  return OkStatus();
}

Status ChainStore::Append(const std::vector<Link>& links, Expect expect) {
  CHECK(!links.empty() && links.size() <= kLinksPerCommit);
  const Link& first = links.front();
  const bool checked = expect == Expect::kHead;
  TransactWriteItemsRequest request;
  for (const Link& link : links) {
    request.actions.push_back(
        Put(table_, LinkItem(link), checked ? std::optional(NotThere()) : std::nullopt));
  }
  request.actions.push_back(
      Put(table_, HeadItem(first.chain, HeadOf(links.back()), sealer_),
          checked ? std::optional(IsAt({first.sequence - 1, first.previous})) : std::nullopt));
  // The last link's hash stands for all before it.
  request.parameters_digest =
      crypto::Sha256Hex(StrCat("audit ", links.back().hash, checked ? "" : " anyway"));
  return Commit(std::move(request), kHeadMoved);
}

Status ChainStore::Trim(const std::string& chain, const std::vector<Link>& links,
                        const std::optional<Mark>& before) {
  CHECK(!links.empty() && links.size() <= kLinksPerCommit);
  TransactWriteItemsRequest request;
  for (const Link& link : links) {
    request.actions.push_back(
        {table_, TransactWriteItemsRequest::Delete{LinkKey(chain, link.sequence)}, {}, false});
  }
  request.actions.push_back(Put(table_, BaseItem(chain, HeadOf(links.back()), sealer_),
                                before ? IsAt(before->place) : NotThere()));
  request.parameters_digest = crypto::Sha256Hex(StrCat("audit trim ", links.back().hash));
  return Commit(std::move(request), kBaseMoved);
}

Status ChainStore::Commit(TransactWriteItemsRequest request, const Reason& refusal) {
  request.client_token = request.parameters_digest.substr(0, tables::limits::kClientTokenBytes);
  const auto outcome =
      tables::Await(asynchronous_, &tables::Database::TransactWriteItems, std::move(request));
  if (outcome.ok()) {
    return OkStatus();
  }
  if (ConditionFailed(outcome.error())) {
    return Error(refusal, "The audit is not as it was read.");
  }
  return outcome.error();
}

}  // namespace tintype::access::audit
