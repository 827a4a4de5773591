#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "access/audit/chain_store.h"
#include "base/result.h"

namespace tintype::access::audit {

/// What one step removed.
struct TrimStep {
  std::string chain;
  int64_t first = 0;
  int64_t last = 0;
  /// What was wrong with a link that went, since nobody can find it any more.
  std::optional<std::string> fault = std::nullopt;

  int64_t count() const { return last == 0 ? 0 : last - first + 1; }
};

/// Removes links that are older than `before_ms` from the start of a chain, at most as many as fit
/// one commit, and never the last one. Together with them it moves the chain's base, whose seal
/// tells a trim from tampering. Any node may do it for any chain. Removes nothing (count() is 0)
/// when there is nothing to remove, or another node is at it.
Result<TrimStep> TrimChain(ChainStore& store, const std::string& chain, int64_t before_ms);

}  // namespace tintype::access::audit
