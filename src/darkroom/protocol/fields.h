#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tintype::darkroom {

/// For overloads that describe a message in both directions: the struct, const for the writer.
template <typename T, typename Expected>
concept Is = std::same_as<std::remove_const_t<T>, Expected>;

/// Writes the fields of a message one after the other: numbers in eight bytes, little-endian; text
/// and lists with their length before them. FieldWriter and FieldReader have the same functions, so
/// that one template describes a message for both directions and they cannot drift apart.
class FieldWriter {
 public:
  template <typename Integer>
  void Number(const Integer& value, int64_t /*min*/, int64_t /*max*/) {
    Append(static_cast<uint64_t>(static_cast<int64_t>(value)));
  }
  void Real(const double& value, double min, double max);
  void Text(const std::string& value, size_t bytes_max);
  void Flag(const bool& value) { Append(value ? 1 : 0); }

  template <typename T, typename EachField>
  void Optional(const std::optional<T>& value, EachField each_field) {
    Flag(value.has_value());
    if (value.has_value()) {
      each_field(*this, *value);
    }
  }
  template <typename T, typename EachField>
  void List(const std::vector<T>& values, size_t /*count_max*/, EachField each_field) {
    Append(values.size());
    for (const T& value : values) {
      each_field(*this, value);
    }
  }

  std::string Take() && { return std::move(bytes_); }

 private:
  void Append(uint64_t value);
  std::string bytes_;
};

/// Reads what FieldWriter wrote, from a side that is not trusted: every value is checked against
/// its bounds. After the first value that breaks them, ok() is false and the rest reads as
/// defaults.
class FieldReader {
 public:
  /// `bytes` outlives the reader.
  explicit FieldReader(std::string_view bytes) : rest_(bytes) {}

  /// Whether everything so far was as it should be.
  bool ok() const { return ok_; }
  /// The same, and that nothing is left over.
  bool Finished() const { return ok_ && rest_.empty(); }
  void Fail() { ok_ = false; }

  template <typename Integer>
  void Number(Integer& value, int64_t min, int64_t max) {
    const auto number = static_cast<int64_t>(Next());
    if (number < min || number > max) {
      Fail();
    }
    value = ok_ ? static_cast<Integer>(number) : Integer{};
  }
  void Real(double& value, double min, double max);
  /// Text must be valid UTF-8 without control characters.
  void Text(std::string& value, size_t bytes_max);
  void Flag(bool& value) {
    int64_t number = 0;
    Number(number, 0, 1);
    value = number == 1;
  }

  template <typename T, typename EachField>
  void Optional(std::optional<T>& value, EachField each_field) {
    bool present = false;
    Flag(present);
    value.reset();
    if (present) {
      each_field(*this, value.emplace());
    }
  }
  template <typename T, typename EachField>
  void List(std::vector<T>& values, size_t count_max, EachField each_field) {
    int64_t count = 0;
    Number(count, 0, static_cast<int64_t>(count_max));
    values.assign(static_cast<size_t>(count), T{});
    for (T& value : values) {
      each_field(*this, value);
    }
  }

 private:
  uint64_t Next();

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace tintype::darkroom
