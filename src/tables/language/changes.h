#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tables/language/values/value.h"

/// The change log as the rooms of this server follow it: live events, search, reconciliation. Other
/// programs read streams (streams.h).
namespace tintype::tables {

/// A place between two changes; 0 is before all of them.
using ChangePosition = uint64_t;

struct Change {
  enum class Event { kInsert, kModify, kRemove };
  /// Who made it: a client of the endpoint, this server, or time that passed.
  enum class Origin { kClient, kServer, kExpiry };
  ChangePosition position = 0;  // The place after it.
  std::string table;
  Event event = Event::kInsert;
  Origin origin = Origin::kClient;
  int64_t time_ms = 0;
  Item key;
  std::optional<Item> old_image;
  std::optional<Item> new_image;
};

struct ReadChangesRequest {
  /// Tables to follow. Their changes are recorded while they have a stream, with the images that it
  /// shows; a table without one has none.
  std::vector<std::string> tables;
  ChangePosition after = 0;
  size_t limit = 1000;
};
struct ReadChangesResponse {
  std::vector<Change> changes;
  /// Where to go on: everything before it has been given.
  ChangePosition next = 0;
};

/// How to follow tables without losing a change or seeing one twice, crashes included: read after a
/// position, do what the changes ask for, and store `next` in the same transaction as the last
/// effect. Changes of one table, and of all of them together, come in the order in which they were
/// committed. Thread-safe.
class ChangeLog {
 public:
  virtual ~ChangeLog() = default;

  /// Fails with kTrimmed when records after the position may be gone (they are kept for a day):
  /// whoever follows must start over from the tables themselves. Position 0 never fails; it starts
  /// with what is kept.
  virtual Result<ReadChangesResponse> ReadChanges(const ReadChangesRequest& request) = 0;

  /// The place after everything that has been committed.
  virtual ChangePosition LatestChange() const = 0;

  /// Waits until something has been committed after the position, to any table. False when nothing
  /// was within the time.
  virtual bool WaitForChange(ChangePosition after, std::chrono::milliseconds at_most) = 0;
};

}  // namespace tintype::tables
