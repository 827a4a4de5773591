#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "access/audit/audit_kinds.h"
#include "access/audit/entry.h"
#include "base/callback.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"

namespace tintype::tables {
class Database;
}  // namespace tintype::tables

/// The record of who did what: append-only, and such that tampering shows.
namespace tintype::access::audit {

/// The table of a server's own audit. Clients of the DynamoDB endpoint neither see it nor write it,
/// root included: the endpoint's decision compares with this name.
inline constexpr std::string_view kAuditTable = "tintype-audit";
/// The table of a server whose tables are another service's (--tables). For that service it is a
/// client's table like all others, beside the audit of its own.
inline constexpr std::string_view kRemoteAuditTable = "tintype-audit-clients";

/// The entry could not be made durable in time. It stays queued and is written as soon as the
/// tables take it, unless the process ends before.
inline constexpr Reason kAuditUnavailable{ErrorKind::kUnavailable, "AuditUnavailable"};

struct AuditConfig {
  std::string table{kAuditTable};
  /// Which chain this process writes: the node's name.
  std::string node;
  /// What seals are made with; 32 bytes derived from the server's secret.
  std::string key;
  /// Where the node remembers how far its chain goes, so that a chain that was cut off or rolled
  /// back in the tables is noticed. Empty: nowhere.
  std::string witness_path;
  /// How long entries are kept.
  std::chrono::hours kept{24 * 400};
  /// How long Record waits until the entry is durable.
  std::chrono::milliseconds patience{10'000};
  /// Entries that wait to be written, at most.
  size_t queued_max = 4096;
  /// Denials that are counted apart, by who was denied; beyond that they are counted together.
  size_t summaries_max = 1024;
  /// How often the writer looks whether a summary or a trim is due.
  std::chrono::milliseconds pause{1000};
};

struct AuditStats {
  std::map<std::string, uint64_t> written;  // By kind.
  std::map<std::string, uint64_t>
      summarised;  // Occurrences without an entry of their own, by kind.
  uint64_t queued = 0;
  uint64_t lost = 0;            // Denials that found the queue full; `audit.lost` tells of them.
  uint64_t refused = 0;         // Entries that found the queue full, and whose callers were told.
  uint64_t late = 0;            // Entries that were not durable within the caller's patience.
  uint64_t failed_commits = 0;  // Writes that the tables refused; each is tried again.
  uint64_t trimmed = 0;         // Entries that were removed because of their age.
  uint64_t damage = 0;          // Times the chain was found to be another than this node wrote.
  int64_t head_sequence = 0;
};

/// The audit of one process, and the only writer of its node's chain. Owned by the program's
/// wiring; outlives everything that records. Thread-safe.
///
/// After a crash: every entry whose Record succeeded is in the chain, and the chain verifies.
/// Others may be.
class Audit {
 public:
  /// Finds the end of the node's chain and starts the writer. REQUIRES: the table exists
  /// (chain_store.h has its definition). Errors: what the tables say. `database` and `clock`
  /// outlive it.
  static Result<std::unique_ptr<Audit>> Open(AuditConfig config, tables::Database& database,
                                             const Clock& clock);
  ~Audit();

  /// Records something that was done, or is about to be answered, and returns when it is durable:
  /// entries of all callers go into one commit. For acts of people and programs that were let in.
  /// May wait for AuditConfig::patience. Errors: kAuditUnavailable, with which the caller answers
  /// its client. Never call it from a callback of the tables.
  Status Record(Entry entry);

  /// The same for who must not wait: `done` is called once, on the writer's thread or this one, and
  /// must not block.
  void RecordThen(Entry entry, OnceCallback<Status> done);

  /// The same as Record for acts that have to go on while the disk is full, such as logging in and
  /// deleting: while the tables do not take entries, it is queued and this returns at once. Should
  /// the queue be full too, it is counted as lost.
  void RecordOrQueue(Entry entry);

  /// For denials, of which a stranger can cause any number. Never waits and never fails: the first
  /// few of a kind from one principal or address are written one by one, the rest of the minute as
  /// one entry with their count. How many a day become entries has a bound.
  void Note(Entry entry);

  /// Whether Record is likely to succeed: asked before something is done that must not go
  /// unrecorded. Errors: kAuditUnavailable.
  Status CheckReady() const;

  /// Returns when everything that was recorded or noted so far is durable, and what is due by the
  /// clock (summaries, trims) is done; for tests and for the end of a command. Errors:
  /// kAuditUnavailable after AuditConfig::patience.
  Status Settle();

  /// Writes what is queued, the open summaries included, as far as the tables take it, and joins
  /// the writer. Recording anything afterwards fails.
  void Stop();

  AuditStats stats() const;

 private:
  class Writer;
  explicit Audit(std::unique_ptr<Writer> writer);
  const std::unique_ptr<Writer> writer_;
};

/// Derives AuditConfig::key from the server's secret.
std::string AuditKey(std::string_view secret);

}  // namespace tintype::access::audit
