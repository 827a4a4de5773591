#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "access/audit/chain_store.h"
#include "access/audit/witness.h"
#include "base/result.h"

namespace tintype::access::audit {

/// Writes the chain of one node: knows its head, and never goes on over links that are gone. When
/// the table's head is not the one that this node wrote, the node's knowledge wins: the chain goes
/// on behind the links that it wrote, so that those which are missing stay visible as a gap.
///
/// Not thread-safe: one thread of the audit has it.
class ChainWriter {
 public:
  /// An entry, and when it was recorded.
  struct Timed {
    Entry entry;
    int64_t time_ms = 0;
  };

  ChainWriter(std::string chain, ChainStore& store, Witness witness)
      : chain_(std::move(chain)), store_(store), witness_(std::move(witness)) {}

  /// Finds where the chain goes on. Returns the entry that tells of it, when the chain is new or
  /// not what this node left.
  Result<std::optional<Entry>> Start();

  /// Adds entries to the chain; durable when it succeeds. Safe to repeat with the same entries
  /// after an error. REQUIRES: at least one, and fewer than kLinksPerCommit. Errors: what the
  /// tables say.
  Status Append(const std::vector<Timed>& entries);

  const Head& head() const { return head_; }
  /// How often the table was found to hold another chain than this node wrote.
  uint64_t damage() const { return damage_; }

 private:
  /// Whether the head in the table is one that a server of this secret wrote.
  bool IsGenuine(const std::optional<Mark>& found) const;
  Entry DamageEntry(std::string reason, const std::optional<Mark>& found);
  std::vector<Link> LinksOf(const std::vector<Timed>& entries) const;
  /// Looks why the head is not where it should be, before the next attempt to write `links`.
  /// Returns whether they have been written already.
  Result<bool> Reconcile(const std::vector<Link>& links, int64_t now_ms);

  const std::string chain_;
  ChainStore& store_;
  Witness witness_;
  Head head_;
  bool replace_ = false;              // The table's content behind the head is not ours.
  std::optional<Timed> told_damage_;  // To be written before anything else.
  uint64_t damage_ = 0;
};

}  // namespace tintype::access::audit
