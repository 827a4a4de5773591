#pragma once

#include <memory>

#include "tables/language/requests.h"

namespace tintype::tables::engine {

/// Collects why a transaction is not applied: one reason per action, in order.
class Cancellation {
 public:
  explicit Cancellation(size_t actions) : detail_(std::make_shared<CancellationDetail>()) {
    detail_->reasons.resize(actions);
  }

  /// True if the error is one action's own, to be told as its reason; others fail the whole
  /// request.
  static bool IsActionError(const Error& error);
  /// REQUIRES: IsActionError(error).
  void Add(size_t action, const Error& error);

  bool any() const { return any_; }
  Error ToError() &&;

 private:
  std::shared_ptr<CancellationDetail> detail_;
  bool any_ = false;
};

}  // namespace tintype::tables::engine
