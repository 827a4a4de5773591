#pragma once

#include <utility>
#include <variant>

#include "base/check.h"
#include "base/error.h"

namespace tintype {

/// A value or an Error. A subset of std::expected in spirit, so that a later swap is mechanical.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  // Both convert: a function returns a value or an error as it is.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// REQUIRES: ok().
  const T& value() const& {
    CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  /// REQUIRES: !ok().
  const Error& error() const& {
    CHECK(!ok());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    CHECK(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

  /// Drops the outcome on purpose, in a way that can be searched for.
  void PermitUncheckedError() const {}

 private:
  std::variant<T, Error> state_;
};

using Status = Result<std::monostate>;
inline Status OkStatus() { return std::monostate{}; }

}  // namespace tintype

#define TINTYPE_CONCAT_INNER(a, b) a##b
#define TINTYPE_CONCAT(a, b) TINTYPE_CONCAT_INNER(a, b)

/// Returns the error of `expr` (a Status or Result) from the enclosing function, if it is one.
#define RETURN_IF_ERROR(expr)                         \
  do {                                                \
    if (auto status_or_ = (expr); !status_or_.ok()) { \
      return std::move(status_or_).error();           \
    }                                                 \
  } while (false)

/// Declares or assigns `lhs` from a Result, or returns its error from the enclosing function.
#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_RETURN_INNER(TINTYPE_CONCAT(result_, __LINE__), lhs, expr)
#define ASSIGN_OR_RETURN_INNER(result, lhs, expr) \
  auto result = (expr);                           \
  if (!result.ok()) {                             \
    return std::move(result).error();             \
  }                                               \
  lhs = std::move(result).value()
