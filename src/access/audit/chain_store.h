#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/audit/chain.h"
#include "access/audit/chain_items.h"
#include "base/result.h"
#include "tables/language/blocking_database.h"
#include "tables/language/schema.h"

namespace tintype::access::audit {

/// What the audit's table has to be like. The wiring creates it, before anything here is used.
tables::TableDefinition AuditTable(std::string_view name);

/// Another process has written to the chain since the head was read, or somebody changed the head.
inline constexpr Reason kHeadMoved{ErrorKind::kConditionFailed, "AuditHeadMoved"};
/// Another node has trimmed the chain first.
inline constexpr Reason kBaseMoved{ErrorKind::kConditionFailed, "AuditBaseMoved"};

/// Links that one commit takes: with the head they stay within a transaction's 100 actions.
inline constexpr size_t kLinksPerCommit = 64;

/// The chains of one table: every request that touches it is made here, or in reader.cc.
/// Thread-safe.
class ChainStore {
 public:
  ChainStore(std::string table, const Sealer& sealer, tables::Database& database)
      : table_(std::move(table)), sealer_(sealer), asynchronous_(database), database_(database) {}

  const Sealer& sealer() const { return sealer_; }

  /// Read consistently; nothing when there is none.
  Result<std::optional<Mark>> FindHead(const std::string& chain);
  Result<std::optional<Mark>> FindBase(const std::string& chain);
  Result<std::optional<Link>> FindLink(const std::string& chain, int64_t sequence);
  /// The link of the highest number, whatever the head says.
  Result<std::optional<Link>> FindLast(const std::string& chain);
  /// The first links after a number, at most `limit` and at most a page. Errors: kCorruption for an
  /// item that is no link.
  Result<std::vector<Link>> ReadAfter(const std::string& chain, int64_t sequence, int64_t limit);

  /// The names of all chains, in ascending order.
  Result<std::vector<std::string>> Chains();
  Status Register(const std::string& chain);

  enum class Expect {
    kHead,     ///< The head in the table is the one before the links, and none of these exists.
    kNothing,  ///< Anything there is replaced: it is not what this node wrote.
  };
  /// Adds links and moves the head behind them, all or nothing. Safe to repeat when the answer was
  /// lost. REQUIRES: at most kLinksPerCommit, which follow each other. Errors: kHeadMoved; what the
  /// database says.
  Status Append(const std::vector<Link>& links, Expect expect);

  /// Removes links from the start of a chain and moves its base behind them, all or nothing.
  /// REQUIRES: as Append. `before` is the base as it was read. Errors: kBaseMoved.
  Status Trim(const std::string& chain, const std::vector<Link>& links,
              const std::optional<Mark>& before);

 private:
  Result<std::optional<tables::Item>> Find(tables::Item key);
  Status Commit(tables::TransactWriteItemsRequest request, const Reason& refusal);

  const std::string table_;
  const Sealer& sealer_;
  tables::Database& asynchronous_;
  tables::BlockingDatabase database_;
};

}  // namespace tintype::access::audit
