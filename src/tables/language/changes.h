#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/values/value.h"

/// Changes of tables as the rooms of this server follow them: live events, search, reconciliation.
/// Other programs read streams (streams.h).
namespace tintype::tables {

/// A place between two changes of one shard, as text; empty is before all that are kept. Only the
/// log that gave a position out knows what it says, but positions of one shard can be compared.
using ChangePosition = std::string;

/// Whether `position` comes before `other` in the same shard. Positions are numbers of any length,
/// as DynamoDB's sequence numbers are.
bool IsBefore(std::string_view position, std::string_view other);

/// One part of a table's changes. Changes of one item are all in one shard, or in its children.
struct ShardName {
  std::string table;
  std::string shard;

  auto operator<=>(const ShardName& other) const = default;
};

struct ChangeShard {
  ShardName name;
  /// The shard that this one continues, if that is known: it is read to its end first.
  std::optional<std::string> parent = {};
};

struct Change {
  enum class Event { kInsert, kModify, kRemove };
  /// Who made it: a client of the endpoint, this server, or time that passed. A log that several
  /// servers write does not know which of them it was.
  enum class Origin { kClient, kServer, kExpiry, kUnknown };
  ChangePosition position;  // The place after it.
  std::string table;
  Event event = Event::kInsert;
  Origin origin = Origin::kClient;
  int64_t time_ms = 0;
  Item key;
  std::optional<Item> old_image;
  std::optional<Item> new_image;
};

struct ReadChangesRequest {
  ShardName shard;
  ChangePosition after = {};
  size_t limit = 1000;
};
struct ReadChangesResponse {
  std::vector<Change> changes;
  /// Where to go on: everything before it has been given.
  ChangePosition next;
  /// When that was: later changes are not given yet.
  int64_t time_ms = 0;
  /// There is more to read now.
  bool more = false;
  /// All has been given, and nothing can follow: the shard is closed.
  bool ended = false;
};

/// The changes of tables, for followers (follower.h). Tables record changes while they have a
/// stream, with the images that it shows. Changes of one shard come in the order in which they were
/// committed; shards have no order among each other, but for parents and children. Thread-safe.
class ChangeLog {
 public:
  virtual ~ChangeLog() = default;

  /// The shards of a table that can be read, parents before their children. Empty for a table that
  /// has no stream.
  virtual Result<std::vector<ChangeShard>> ListShards(const std::string& table) = 0;

  /// Errors: kTrimmed when changes after the position may be gone, so that the follower has to
  /// start over; the empty position never is, it starts with what is kept. kNotFound for a shard
  /// that cannot be read any more.
  virtual Result<ReadChangesResponse> ReadChanges(const ReadChangesRequest& request) = 0;

  /// A number that grows when something has been committed, to any table.
  virtual uint64_t CommitCount() const = 0;
  /// Waits until the number is more than `seen`; false when it was not within the time. A log that
  /// cannot tell returns at once.
  virtual bool WaitForCommit(uint64_t seen, std::chrono::milliseconds at_most) = 0;
};

}  // namespace tintype::tables
