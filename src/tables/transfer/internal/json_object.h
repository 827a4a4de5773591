#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tintype::tables::transfer {

/// Writes one flat JSON object, member by member.
class JsonObjectWriter {
 public:
  JsonObjectWriter& Text(std::string_view name, std::string_view text);
  JsonObjectWriter& OptionalText(std::string_view name, const std::optional<std::string>& text);
  JsonObjectWriter& Number(std::string_view name, int64_t number);
  JsonObjectWriter& OptionalNumber(std::string_view name, std::optional<int64_t> number);
  JsonObjectWriter& Bool(std::string_view name, bool value);
  JsonObjectWriter& Null(std::string_view name);
  /// A value that is JSON already.
  JsonObjectWriter& Json(std::string_view name, std::string_view json);

  /// The object, after which this is of no more use.
  std::string Take() { return std::move(out_) + "}"; }

 private:
  std::string out_ = "{";
};

}  // namespace tintype::tables::transfer
