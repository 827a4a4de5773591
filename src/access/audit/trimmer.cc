#include "access/audit/trimmer.h"

#include <utility>
#include <vector>

namespace tintype::access::audit {

Result<TrimStep> TrimChain(ChainStore& store, const std::string& chain, int64_t before_ms) {
  TrimStep step{.chain = chain};
  ASSIGN_OR_RETURN(const std::optional<Mark> base, store.FindBase(chain));
  Head at = base ? base->place : Head();
  ASSIGN_OR_RETURN(std::vector<Link> links,
                   store.ReadAfter(chain, at.sequence, int64_t{kLinksPerCommit}));
  if (links.size() < kLinksPerCommit && !links.empty()) {
    links.pop_back();  // The end of the chain.
  }
  size_t old = 0;
  while (old < links.size() && links[old].time_ms < before_ms) {
    ++old;
  }
  links.resize(old);
  if (links.empty()) {
    return step;
  }
  if (base && base->seal != store.sealer().OfBase(chain, base->place)) {
    step.fault = "the start of the chain was changed";
  }
  for (const Link& link : links) {
    std::optional<std::string> fault = FindFault(link, at, store.sealer());
    if (fault && !step.fault) {
      step.fault = std::move(fault);
    }
    at = HeadOf(link);
  }
  const Status trimmed = store.Trim(chain, links, base);
  if (!trimmed.ok() && trimmed.error().Is(kBaseMoved)) {
    return TrimStep{.chain = chain};
  }
  RETURN_IF_ERROR(trimmed);
  step.first = links.front().sequence;
  step.last = links.back().sequence;
  return step;
}

}  // namespace tintype::access::audit
