#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/retry.h"
#include "contexts/common/expression.h"
#include "tables/language/database.h"

namespace tintype::contexts {

/// A piece of a transaction: one action on a table that its context owns, and what it means when
/// the action's condition does not hold. Contexts make pieces; flows put them together.
struct Piece {
  tables::TransactWriteItemsRequest::Action action;
  /// Answered when the condition fails. Pieces without a condition have none. Its reason names the
  /// piece: a flow that has to know which condition failed asks for the reason.
  std::optional<Error> refusal;
};
using Pieces = std::vector<Piece>;

// Each without a condition cannot be refused.
Piece PutPiece(std::string table, tables::Item item);
Piece PutPiece(std::string table, tables::Item item, tables::Condition condition, Error refusal);
Piece DeletePiece(std::string table, tables::Item key);
Piece DeletePiece(std::string table, tables::Item key, tables::Condition condition, Error refusal);
Piece UpdatePiece(std::string table, tables::Item key, tables::Update update);
Piece UpdatePiece(std::string table, tables::Item key, UpdateWithCondition update, Error refusal);
Piece CheckPiece(std::string table, tables::Item key, tables::Condition condition, Error refusal);

/// Carried by the refusal of a piece: the item that stood in its way, if there was one.
struct RefusedPiece : ErrorDetail {
  std::optional<tables::Item> item;
};

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

}  // namespace tintype::contexts
