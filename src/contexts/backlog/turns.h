#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::backlog {

/// Shares the workers out among accounts, by start-time fair queueing: each piece of work gets a
/// place in the queue that lies behind what its account has asked for before, by the estimated cost
/// of that, but not behind what others have asked for. So an account that queues a thousand pieces
/// waits for them, and everybody else waits for the piece that is being done.
///
/// Places are on the clock's scale, since work without an account, and work that is tried again,
/// goes by the clock. A cost that is estimated too high lets those go first; one that is too low
/// lets them wait until the queue has come as far.
///
/// Remembers one moment for each account, `TURN#accountId` in the table tintype, which goes by its
/// ttl. Thread-safe; nodes share it. A write that is repeated after a lost answer costs the account
/// a turn, nothing more.
class Turns {
 public:
  Turns(tables::Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  /// The place of one more piece of work: `reached_ms`, the place that the queue has reached, or
  /// where the account's last piece will be through, if that is later.
  Result<int64_t> Take(std::string_view account_id, int64_t reached_ms, int64_t cost_ms);

  /// For accounts that are deleted. That there is none is fine.
  static Piece Forget(std::string_view account_id);

 private:
  tables::BlockingDatabase database_;
  const Clock& clock_;
};

}  // namespace tintype::contexts::backlog
