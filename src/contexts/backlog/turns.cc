#include "contexts/backlog/turns.h"

#include <string>
#include <utility>

#include "base/strings.h"
#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"

namespace tintype::contexts::backlog {
namespace {

using tables::Value;

/// How long an account's last turn is remembered: longer than its work takes.
constexpr int64_t kRememberedS = int64_t{7} * 24 * 60 * 60;

tables::Item TurnKey(std::string_view account_id) {
  return ItemBuilder().Text("PK", StrCat("TURN#", account_id)).Text("SK", "TURN").Build();
}

}  // namespace

Piece Turns::Forget(std::string_view account_id) {
  return DeletePiece(std::string(kSystemTable), TurnKey(account_id));
}

Result<int64_t> Turns::Take(std::string_view account_id, int64_t reached_ms, int64_t cost_ms) {
  // One expression cannot take the later of two moments, so there are two updates with conditions
  // that exclude each other. Only another piece of work of the same account comes between them.
  constexpr int kAttemptsMax = 8;
  const auto update = [&](std::string_view change, std::string_view condition) {
    const Value ttl = Value::Integer(clock_.NowMs() / 1000 + kRememberedS);
    UpdateWithCondition next = UpdateIf(change, condition,
                                        {{{"#finish", "finish"}, {"#ttl", "ttl"}},
                                         {{":reached", Value::Integer(reached_ms)},
                                          {":cost", Value::Integer(cost_ms)},
                                          {":ttl", ttl}}});
    tables::UpdateItemRequest request;
    request.table = std::string(kSystemTable);
    request.key = TurnKey(account_id);
    request.update = std::move(next.update);
    request.options.condition = std::move(next.condition);
    request.options.return_values = tables::ReturnValues::kAllNew;
    return database_.UpdateItem(std::move(request));
  };
  for (int attempt = 1;; ++attempt) {
    auto taken = update("SET #finish = #finish + :cost, #ttl = :ttl", "#finish > :reached");
    if (!taken.ok() && taken.error().kind() == ErrorKind::kConditionFailed) {
      taken = update("SET #finish = :reached + :cost, #ttl = :ttl",
                     "attribute_not_exists(#finish) OR #finish <= :reached");
    }
    if (taken.ok()) {
      return ItemReader(*taken->attributes).Integer("finish") - cost_ms;
    }
    if (taken.error().kind() != ErrorKind::kConditionFailed || attempt == kAttemptsMax) {
      return taken.error();
    }
  }
}

}  // namespace tintype::contexts::backlog
