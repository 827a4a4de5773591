#include "tables/engine/items/transactions.h"

#include "base/strings.h"

namespace tintype::tables::engine {

bool Cancellation::IsActionError(const Error& error) {
  return error.code() == ErrorCode::kConditionFailed || error.code() == ErrorCode::kValidation;
}

void Cancellation::Add(size_t action, const Error& error) {
  CancellationDetail::Reason& reason = detail_->reasons[action];
  reason.code =
      error.code() == ErrorCode::kConditionFailed ? "ConditionalCheckFailed" : "ValidationError";
  reason.message = error.message();
  if (const auto* failed = error.DetailAs<ConditionFailedDetail>()) {
    reason.item = failed->item;
  }
  any_ = true;
}

Error Cancellation::ToError() && {
  std::vector<std::string> codes;
  for (const CancellationDetail::Reason& reason : detail_->reasons) {
    codes.push_back(reason.code);
  }
  return Error(ErrorCode::kTransactionCanceled,
               StrCat("Transaction cancelled, please refer cancellation reasons for specific "
                      "reasons [",
                      StrJoin(codes, ", "), "]"))
      .WithDetail(std::move(detail_));
}

}  // namespace tintype::tables::engine
