#include "access/audit/chain_writer.h"

#include <utility>

#include "access/audit/audit_kinds.h"
#include "base/check.h"
#include "base/logging.h"
#include "base/strings.h"

namespace tintype::access::audit {
namespace {

/// How often one Append looks again after the head has moved.
constexpr int kReconciliationsMax = 8;

Entry ServerEntry(std::string_view kind) {
  Entry entry;
  entry.kind = kind;
  entry.principal.kind = PrincipalKind::kServer;
  return entry;
}

}  // namespace

bool ChainWriter::IsGenuine(const std::optional<Mark>& found) const {
  const Sealer& sealer = store_.sealer();
  return found && found->key_id == sealer.key_id() &&
         found->seal == sealer.OfHead(chain_, found->place);
}

Entry ChainWriter::DamageEntry(std::string reason, const std::optional<Mark>& found) {
  ++damage_;
  LogError("the audit is not as this server wrote it",
           {{"chain", chain_},
            {"reason", reason},
            {"found", found ? found->place.sequence : 0},
            {"expected", head_.sequence},
            {"then", "tintype audit verify"}});
  Entry entry = ServerEntry(kAuditDamage);
  entry.outcome = Outcome::kFailed;
  entry.subject = chain_;
  entry.details = {{"reason", std::move(reason)},
                   {"found", found ? std::to_string(found->place.sequence) : "none"},
                   {"expected", std::to_string(head_.sequence)}};
  return entry;
}

Result<std::optional<Entry>> ChainWriter::Start() {
  RETURN_IF_ERROR(store_.Register(chain_));
  ASSIGN_OR_RETURN(const std::optional<Mark> found, store_.FindHead(chain_));
  const std::optional<Head>& remembered = witness_.found();
  if (IsGenuine(found)) {
    head_ = found->place;
    if (!remembered || *remembered == head_) {
      return std::optional<Entry>();
    }
    if (remembered->sequence > head_.sequence) {
      head_ = *remembered;
      replace_ = true;
      return std::optional(DamageEntry("the end of the chain was removed", found));
    }
    ASSIGN_OR_RETURN(const std::optional<Link> then, store_.FindLink(chain_, remembered->sequence));
    if (then && then->hash != remembered->hash) {
      return std::optional(DamageEntry("the chain was replaced by another", found));
    }
    return std::optional<Entry>();
  }
  ASSIGN_OR_RETURN(const std::optional<Link> last, store_.FindLast(chain_));
  if (!found && !remembered && !last) {
    Entry begin = ServerEntry(kAuditBegin);
    begin.subject = chain_;
    return std::optional(std::move(begin));
  }
  head_ = last ? HeadOf(*last) : Head();
  if (remembered && remembered->sequence >= head_.sequence) {
    head_ = *remembered;
  }
  replace_ = true;
  const bool other_secret = found && found->key_id != store_.sealer().key_id();
  return std::optional(DamageEntry(!found         ? "the head of the chain was removed"
                                   : other_secret ? "the chain was sealed with another secret"
                                                  : "the head of the chain was changed",
                                   found));
}

std::vector<Link> ChainWriter::LinksOf(const std::vector<Timed>& entries) const {
  std::vector<Link> links;
  Head at = head_;
  const auto add = [&](const Timed& timed) {
    links.push_back(MakeLink(chain_, at, timed.time_ms, timed.entry, store_.sealer()));
    at = HeadOf(links.back());
  };
  if (told_damage_) {
    add(*told_damage_);
  }
  for (const Timed& timed : entries) {
    add(timed);
  }
  return links;
}

Status ChainWriter::Append(const std::vector<Timed>& entries) {
  CHECK(!entries.empty() && entries.size() < kLinksPerCommit);
  for (int attempt = 0; attempt < kReconciliationsMax; ++attempt) {
    const std::vector<Link> links = LinksOf(entries);
    Status written =
        store_.Append(links, replace_ ? ChainStore::Expect::kNothing : ChainStore::Expect::kHead);
    if (!written.ok() && !written.error().Is(kHeadMoved)) {
      return written;
    }
    bool done = written.ok();
    if (!done) {
      ASSIGN_OR_RETURN(done, Reconcile(links, entries.back().time_ms));
    }
    if (done) {
      head_ = HeadOf(links.back());
      replace_ = false;
      told_damage_.reset();
      if (const Status kept = witness_.Write(head_); !kept.ok()) {
        LogWarning("the end of the audit was not noted", {{"error", kept.error().message()}});
      }
      return OkStatus();
    }
  }
  return Error(ErrorKind::kUnavailable, "Another process writes the same chain of the audit.");
}

Result<bool> ChainWriter::Reconcile(const std::vector<Link>& links, int64_t now_ms) {
  ASSIGN_OR_RETURN(const std::optional<Mark> found, store_.FindHead(chain_));
  if (IsGenuine(found) && found->place == HeadOf(links.back())) {
    return true;  // An earlier attempt succeeded, whose answer was lost.
  }
  if (IsGenuine(found) && found->place.sequence >= head_.sequence && found->place != head_) {
    LogWarning("another process writes this node's audit: two data directories have the same NODE",
               {{"chain", chain_}});
    head_ = found->place;
    return false;
  }
  std::string reason = !found                  ? "the head of the chain was removed"
                       : !IsGenuine(found)     ? "the head of the chain was changed"
                       : found->place == head_ ? "an entry was put behind the end of the chain"
                                               : "the end of the chain was removed";
  told_damage_ = Timed{DamageEntry(std::move(reason), found), now_ms};
  replace_ = true;
  return false;
}

}  // namespace tintype::access::audit
