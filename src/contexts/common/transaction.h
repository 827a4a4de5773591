#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "contexts/common/expression.h"
#include "tables/language/database.h"

namespace tintype::contexts {

/// A piece of a transaction: one action on a table that its context owns, and what it means when
/// the action's condition does not hold. Contexts make pieces; flows put them together.
struct Piece {
  tables::TransactWriteItemsRequest::Action action;
  /// Answered when the condition fails. Pieces without a condition have none.
  std::optional<Error> refusal;
};
using Pieces = std::vector<Piece>;

// Each without a condition cannot be refused.
Piece PutPiece(std::string table, tables::Item item);
Piece PutPiece(std::string table, tables::Item item, tables::Condition condition, Error refusal);
Piece DeletePiece(std::string table, tables::Item key);
Piece DeletePiece(std::string table, tables::Item key, tables::Condition condition, Error refusal);
Piece UpdatePiece(std::string table, tables::Item key, UpdateWithCondition update, Error refusal);
Piece CheckPiece(std::string table, tables::Item key, tables::Condition condition, Error refusal);

/// Carried by the refusal of a transaction: which piece was refused, and the item that stood in its
/// way, if there was one.
struct RefusedPiece : ErrorDetail {
  size_t index = 0;
  std::optional<tables::Item> item;
};

/// How long to go on when a database is busy, or does not say what came of a request.
struct RetryPolicy {
  int attempts_max = 8;
  std::chrono::milliseconds wait_first{10};
  std::chrono::milliseconds wait_max{500};
  /// Replaced in tests, which do not wait.
  std::function<void(std::chrono::milliseconds)> sleep;
};

/// Whether the same request may succeed when it is sent again: the service was busy, or nobody
/// knows what came of it.
bool IsWorthRepeating(const Error& error);

/// Calls `attempt`, which returns a Result, until it succeeds, fails for good, or the policy ends.
/// The waits grow and are jittered.
template <typename Attempt>
auto WithRetries(const RetryPolicy& policy, const Attempt& attempt) -> decltype(attempt());

/// Writes pieces of several contexts at once: all of them or none. The request carries a token made
/// from `purpose` and its contents, so that one whose answer got lost is sent again without being
/// applied twice.
///
/// Not thread-safe. Errors of Commit: the refusal of the first piece whose condition failed (with
/// RefusedPiece); else what the database says when the policy's attempts are used up.
class Transaction {
 public:
  /// `purpose` names the flow and what it is about, for example `complete 01H...`.
  explicit Transaction(std::string_view purpose) : purpose_(purpose) {}

  Transaction& Add(Piece piece);
  Transaction& Add(Pieces pieces);

  bool empty() const { return pieces_.empty(); }

  /// REQUIRES: !empty().
  Status Commit(tables::Database& database, const RetryPolicy& policy = {}) const;

 private:
  tables::TransactWriteItemsRequest Request() const;

  std::string purpose_;
  Pieces pieces_;
};

// Implementation of the template.

namespace internal {
void WaitBeforeRetry(const RetryPolicy& policy, int failures);
}  // namespace internal

template <typename Attempt>
auto WithRetries(const RetryPolicy& policy, const Attempt& attempt) -> decltype(attempt()) {
  for (int failures = 1;; ++failures) {
    auto outcome = attempt();
    if (outcome.ok() || failures >= policy.attempts_max || !IsWorthRepeating(outcome.error())) {
      return outcome;
    }
    internal::WaitBeforeRetry(policy, failures);
  }
}

}  // namespace tintype::contexts
