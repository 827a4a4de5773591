#include "tables/engine/items/transactions.h"

#include "base/strings.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {

bool Cancellation::IsActionError(const Error& error) {
  return error.kind() == ErrorKind::kConditionFailed || error.kind() == ErrorKind::kValidation;
}

void Cancellation::Add(size_t action, const Error& error) {
  CancellationDetail::Reason& reason = detail_->reasons[action];
  reason.code =
      error.kind() == ErrorKind::kConditionFailed ? "ConditionalCheckFailed" : "ValidationError";
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
  return Error(tables::reasons::kTransactionCanceled,
               StrCat("Transaction cancelled, please refer cancellation reasons for specific "
                      "reasons [",
                      StrJoin(codes, ", "), "]"))
      .WithDetail(std::move(detail_));
}

}  // namespace tintype::tables::engine
