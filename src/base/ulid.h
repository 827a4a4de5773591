#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/result.h"

/// ULIDs, by their specification (github.com/ulid/spec): 48 bits of milliseconds and 80 random
/// bits, written as 26 characters of Crockford's base 32, which sort as they were made. Ids are
/// keys, so ours have one spelling only: upper case. A ULID is not a secret: the next one made in
/// the same millisecond can be guessed.
namespace tintype {

inline constexpr size_t kUlidLength = 26;

/// Whether `text` is a ULID in its one spelling.
bool IsUlid(std::string_view text);

/// The one spelling of a ULID that a person or another program wrote in either case.
/// Errors: kValidation.
Result<std::string> ParseUlid(std::string_view text);

/// When a ULID was made, in milliseconds since the Unix epoch. Errors: kValidation.
Result<int64_t> UlidTimeMs(std::string_view text);

/// Makes ULIDs, each greater than the one before: within a millisecond, and while the clock is
/// behind what it once was, the next is the last one plus one. Own one per process, or as many as
/// you like when order between them does not matter. Thread-safe. Nothing is kept: after a restart
/// the order is the clock's.
class UlidGenerator {
 public:
  /// Gives as many random bytes as it is asked for. Called by one thread at a time.
  using RandomSource = std::function<std::string(size_t)>;

  /// Keeps a reference to `clock`.
  explicit UlidGenerator(const Clock& clock, RandomSource random = RandomBytes);

  /// Errors: kUnavailable, when the clock shows a time that a ULID cannot hold (before 1970 or
  /// after 10889), or when the random part is exhausted, which in 2^80 a caller will not see.
  Result<std::string> Next();

 private:
  struct Value {
    int64_t time_ms = -1;
    std::array<uint8_t, 10> random{};
  };
  static std::string Text(const Value& value);

  const Clock& clock_;
  const RandomSource random_;
  Mutex mutex_;
  Value last_ GUARDED_BY(mutex_);
};

}  // namespace tintype
