#include "contexts/common/transaction.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "crypto/digest.h"
#include "tables/language/await.h"
#include "tables/language/expressions/expression_text.h"

namespace tintype::contexts {
namespace {

using tables::TransactWriteItemsRequest;
using Action = TransactWriteItemsRequest::Action;

Piece MakePiece(std::string table, decltype(Action::what) what,
                std::optional<tables::Condition> condition, std::optional<Error> refusal) {
  const bool conditional = condition.has_value();
  return {{std::move(table), std::move(what), std::move(condition), conditional},
          std::move(refusal)};
}

/// Everything that makes two requests the same or not, each part with its length before it.
class RequestText {
 public:
  void Add(std::string_view part) {
    tables::AppendVarint(text_, part.size());
    text_.append(part);
  }
  void Add(const Action& action) {
    tables::ExpressionWriter writer;
    Add(action.table);
    Add(std::string_view(std::to_string(action.what.index())));
    std::visit([&](const auto& what) { AddWhat(what, writer); }, action.what);
    Add(action.condition ? std::string_view(writer.Write(*action.condition)) : "");
    // With their numbers: the same ones in other places are another request.
    for (const auto& [name, number] : writer.names()) {
      Add(name);
      Add(std::string_view(std::to_string(number)));
    }
    for (const auto& [value, number] : writer.values()) {
      Add(value);
      Add(std::string_view(std::to_string(number)));
    }
  }
  std::string Digest() const { return crypto::Sha256Hex(text_); }

 private:
  void AddWhat(const TransactWriteItemsRequest::Put& put, tables::ExpressionWriter& /*writer*/) {
    Add(put.item.payload());
  }
  void AddWhat(const TransactWriteItemsRequest::UpdateAction& update,
               tables::ExpressionWriter& writer) {
    Add(update.key.payload());
    Add(writer.Write(update.update));
  }
  template <typename KeyOnly>
  void AddWhat(const KeyOnly& what, tables::ExpressionWriter& /*writer*/) {
    Add(what.key.payload());
  }

  std::string text_;
};

/// The refusal of the piece whose condition failed, if one did.
std::optional<Error> FindRefusal(const Error& error, const Pieces& pieces) {
  const auto* detail = error.DetailAs<tables::CancellationDetail>();
  if (detail == nullptr) {
    return std::nullopt;
  }
  const size_t count = std::min(detail->reasons.size(), pieces.size());
  for (size_t i = 0; i < count; ++i) {
    if (detail->reasons[i].code == "ConditionalCheckFailed" && pieces[i].refusal) {
      auto refused = std::make_shared<RefusedPiece>();
      refused->item = detail->reasons[i].item;
      return Error(*pieces[i].refusal).WithDetail(std::move(refused));
    }
  }
  return std::nullopt;
}

}  // namespace

Piece PutPiece(std::string table, tables::Item item) {
  return MakePiece(std::move(table), TransactWriteItemsRequest::Put{std::move(item)}, {}, {});
}

Piece PutPiece(std::string table, tables::Item item, tables::Condition condition, Error refusal) {
  return MakePiece(std::move(table), TransactWriteItemsRequest::Put{std::move(item)},
                   std::move(condition), std::move(refusal));
}

Piece DeletePiece(std::string table, tables::Item key) {
  return MakePiece(std::move(table), TransactWriteItemsRequest::Delete{std::move(key)}, {}, {});
}

Piece DeletePiece(std::string table, tables::Item key, tables::Condition condition, Error refusal) {
  return MakePiece(std::move(table), TransactWriteItemsRequest::Delete{std::move(key)},
                   std::move(condition), std::move(refusal));
}

Piece UpdatePiece(std::string table, tables::Item key, tables::Update update) {
  return MakePiece(std::move(table),
                   TransactWriteItemsRequest::UpdateAction{std::move(key), std::move(update)}, {},
                   {});
}

Piece UpdatePiece(std::string table, tables::Item key, UpdateWithCondition update, Error refusal) {
  return MakePiece(
      std::move(table),
      TransactWriteItemsRequest::UpdateAction{std::move(key), std::move(update.update)},
      std::move(update.condition), std::move(refusal));
}

Piece CheckPiece(std::string table, tables::Item key, tables::Condition condition, Error refusal) {
  return MakePiece(std::move(table), TransactWriteItemsRequest::Check{std::move(key)},
                   std::move(condition), std::move(refusal));
}

Transaction& Transaction::Add(Piece piece) {
  pieces_.push_back(std::move(piece));
  return *this;
}

Transaction& Transaction::Add(Pieces pieces) {
  std::ranges::move(pieces, std::back_inserter(pieces_));
  return *this;
}

TransactWriteItemsRequest Transaction::Request() const {
  TransactWriteItemsRequest request;
  RequestText text;
  text.Add(purpose_);
  for (const Piece& piece : pieces_) {
    text.Add(piece.action);
    request.actions.push_back(piece.action);
  }
  request.parameters_digest = text.Digest();
  request.client_token = request.parameters_digest.substr(0, tables::limits::kClientTokenBytes);
  return request;
}

Status Transaction::Commit(tables::Database& database, const RetryPolicy& policy) const {
  const TransactWriteItemsRequest request = Request();
  const Result<tables::TransactWriteItemsResponse> outcome = WithRetries(policy, [&] {
    return tables::Await(database, &tables::Database::TransactWriteItems, request);
  });
  if (outcome.ok()) {
    return OkStatus();
  }
  if (std::optional<Error> refusal = FindRefusal(outcome.error(), pieces_)) {
    return *std::move(refusal);
  }
  return outcome.error();
}

}  // namespace tintype::contexts
