#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace tintype {

/// A function to be called at most once, that may own things which cannot be copied (unlike
/// std::function; std::move_only_function needs C++23). Not thread-safe by itself.
template <typename... Args>
class OnceCallback {
 public:
  OnceCallback() = default;
  // Lambdas convert, as they do for std::function.
  template <typename Function>
  // NOLINTNEXTLINE(google-explicit-constructor)
  requires(!std::same_as<std::decay_t<Function>, OnceCallback>) OnceCallback(Function function)
      : target_(std::make_unique<Target<Function>>(std::move(function))) {}

  explicit operator bool() const { return target_ != nullptr; }

  void operator()(Args... args) {
    auto target = std::move(target_);
    target->Call(std::forward<Args>(args)...);
  }

 private:
  struct TargetBase {
    virtual ~TargetBase() = default;
    virtual void Call(Args... args) = 0;
  };
  template <typename Function>
  struct Target : TargetBase {
    explicit Target(Function function) : function_(std::move(function)) {}
    void Call(Args... args) override { function_(std::forward<Args>(args)...); }
    Function function_;
  };
  std::unique_ptr<TargetBase> target_;
};

}  // namespace tintype
