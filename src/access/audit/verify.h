#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tintype::tables {
class Database;
}  // namespace tintype::tables

namespace tintype::access::audit {

struct VerifyConfig {
  std::string table;
  std::string key;           // As AuditConfig::key.
  std::string node;          // The chain that the witness is about.
  std::string witness_path;  // As AuditConfig::witness_path.
};

/// What was found of one chain.
struct ChainReport {
  std::string chain;
  int64_t first = 0;    // Of what is kept; 0 when there is nothing.
  int64_t last = 0;     // As far as it is in order.
  int64_t entries = 0;  // That are in order.
  std::string head;     // The hash of the last one, to be kept elsewhere.
  /// The first thing that is wrong, in words; nothing else was looked at then.
  std::optional<std::string> fault;
  int64_t fault_sequence = 0;  // Where that is.
};

/// Told every so often. Returns false to give up.
using VerifyProgress =
    std::function<bool(const std::string& chain, int64_t checked, int64_t total)>;

/// Reads every chain of the table from its start and checks that it is what was written: numbers
/// without gaps, each entry's hash and seal, the hash of the one before, the sealed start and end
/// and, of this node's chain, what the node remembers outside the tables. May run while entries are
/// written and trimmed. docs/operations.md says what this does and does not detect. Errors: what
/// the tables say.
Result<std::vector<ChainReport>> VerifyChains(const VerifyConfig& config,
                                              tables::Database& database,
                                              const VerifyProgress& progress);

}  // namespace tintype::access::audit
