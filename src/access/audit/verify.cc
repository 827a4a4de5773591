#include "access/audit/verify.h"

#include <algorithm>
#include <utility>

#include "access/audit/chain_store.h"
#include "access/audit/witness.h"
#include "base/strings.h"

namespace tintype::access::audit {
namespace {

constexpr int64_t kPageLinks = 500;

class ChainVerifier {
 public:
  ChainVerifier(std::string chain, std::optional<Head> remembered, ChainStore& store,
                const VerifyProgress& progress)
      : remembered_(std::move(remembered)), store_(store), progress_(progress) {
    report_.chain = std::move(chain);
  }

  Result<ChainReport> Run() {
    // The end first: what is written from now on is behind it.
    ASSIGN_OR_RETURN(const std::optional<Mark> end, store_.FindHead(report_.chain));
    ASSIGN_OR_RETURN(std::optional<Mark> base, store_.FindBase(report_.chain));
    if (!CheckMarks(end, base)) {
      return report_;
    }
    int64_t last = end ? end->place.sequence : 0;
    Head at = base ? base->place : Head();
    while (at.sequence < last) {
      const Result<std::vector<Link>> links =
          store_.ReadAfter(report_.chain, at.sequence, std::min(kPageLinks, last - at.sequence));
      if (!links.ok() && links.error().kind() == ErrorKind::kCorruption) {
        Fault(at.sequence + 1, links.error().message());
        return report_;
      }
      if (!links.ok()) {
        return links.error();
      }
      if (links->empty() || links->front().sequence != at.sequence + 1) {
        // Unless a trim was quicker than this.
        ASSIGN_OR_RETURN(std::optional<Mark> now, store_.FindBase(report_.chain));
        if (now && now->place.sequence > at.sequence && CheckMarks(end, now)) {
          at = now->place;
          report_.first = 0;
          report_.entries = 0;
          continue;
        }
      }
      if (!CheckLinks(*links, last, at)) {
        return report_;
      }
      if (!progress_(report_.chain, at.sequence, last)) {
        return Error(ErrorKind::kUnavailable, "Verifying the audit was cancelled.");
      }
    }
    CheckEnd(end, at);
    return report_;
  }

 private:
  void Fault(int64_t sequence, std::string fault) {
    if (!report_.fault) {
      report_.fault = std::move(fault);
      report_.fault_sequence = sequence;
    }
  }

  /// The sealed start and end by themselves.
  bool CheckMarks(const std::optional<Mark>& end, const std::optional<Mark>& base) {
    const Sealer& sealer = store_.sealer();
    if (base && (base->key_id != sealer.key_id() ||
                 base->seal != sealer.OfBase(report_.chain, base->place))) {
      Fault(base->place.sequence, "the start of the chain was not set by a server of this secret");
    } else if (end && end->key_id != sealer.key_id()) {
      Fault(end->place.sequence,
            StrCat("the end of the chain is sealed with another secret (key ", end->key_id,
                   ") than this server's (key ", sealer.key_id(), ")"));
    } else if (end && end->seal != sealer.OfHead(report_.chain, end->place)) {
      Fault(end->place.sequence, "the end of the chain was not set by a server of this secret");
    }
    return !report_.fault;
  }

  bool CheckLinks(const std::vector<Link>& links, int64_t last, Head& at) {
    if (links.empty()) {
      Fault(at.sequence + 1, StrCat("entry ", at.sequence + 1, " and those behind it, up to ", last,
                                    ", are missing"));
      return false;
    }
    for (const Link& link : links) {
      if (std::optional<std::string> fault = FindFault(link, at, store_.sealer())) {
        Fault(at.sequence + 1, *std::move(fault));
        return false;
      }
      if (remembered_ && remembered_->sequence == link.sequence && remembered_->hash != link.hash) {
        Fault(link.sequence,
              StrCat("entry ", link.sequence, " is not the one that this node wrote"));
        return false;
      }
      at = HeadOf(link);
      report_.first = report_.first == 0 ? link.sequence : report_.first;
      report_.last = link.sequence;
      report_.head = link.hash;
      ++report_.entries;
    }
    return true;
  }

  /// Whether the chain ends where its head, and the node itself, say that it does.
  void CheckEnd(const std::optional<Mark>& end, const Head& at) {
    if (end && at != end->place) {
      Fault(at.sequence, "the end of the chain is not the one that its head names");
    } else if (remembered_ && remembered_->sequence > at.sequence) {
      Fault(at.sequence + 1, StrCat("entries ", at.sequence + 1, " to ", remembered_->sequence,
                                    " were removed from the end of the chain"));
    }
  }

  const std::optional<Head> remembered_;
  ChainStore& store_;
  const VerifyProgress& progress_;
  ChainReport report_;
};

/// A chain without a head must have no entries.
Result<std::optional<std::string>> FindHeadless(ChainStore& store, const std::string& chain) {
  ASSIGN_OR_RETURN(const std::optional<Mark> head, store.FindHead(chain));
  if (head) {
    return std::optional<std::string>();
  }
  ASSIGN_OR_RETURN(const auto last, store.FindLast(chain));
  if (!last) {
    return std::optional<std::string>();
  }
  return std::optional(
      StrCat("the end of the chain, behind entry ", last->sequence, " or later, was removed"));
}

}  // namespace

Result<std::vector<ChainReport>> VerifyChains(const VerifyConfig& config,
                                              tables::Database& database,
                                              const VerifyProgress& progress) {
  const Sealer sealer(config.key);
  ChainStore store(config.table, sealer, database);
  std::optional<Head> remembered;
  if (!config.witness_path.empty()) {
    ASSIGN_OR_RETURN(remembered, ReadWitness(config.witness_path));
  }
  ASSIGN_OR_RETURN(std::vector<std::string> chains, store.Chains());
  if (remembered && !std::ranges::count(chains, config.node)) {
    chains.push_back(config.node);  // Somebody took it off the list.
  }
  std::vector<ChainReport> reports;
  for (const std::string& chain : chains) {
    ChainVerifier verifier(chain, chain == config.node ? remembered : std::nullopt, store,
                           progress);
    ASSIGN_OR_RETURN(ChainReport report, verifier.Run());
    if (!report.fault) {
      ASSIGN_OR_RETURN(report.fault, FindHeadless(store, chain));
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace tintype::access::audit
