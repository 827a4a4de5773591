#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tintype::json {

/// Writes JSON front to back. The caller opens and closes in the right order; commas are put in
/// between. Any bytes in texts give valid JSON. Not thread-safe.
///
///   Writer json;  json.OpenObject();  json.Name("id");  json.Text("x");  json.CloseObject();
class Writer {
 public:
  Writer() = default;
  /// Makes room at once for an answer of about this size.
  explicit Writer(size_t bytes_expected) { out_.reserve(bytes_expected); }

  void OpenObject() { Open('{'); }
  void CloseObject() { Close('}'); }
  void OpenArray() { Open('['); }
  void CloseArray() { Close(']'); }

  /// The name of the member whose value is written next.
  Writer& Name(std::string_view name);

  void Text(std::string_view text);
  void Integer(int64_t number);
  /// In the shortest form that reads back as the same number; null for what JSON has no form for.
  void Number(double number);
  void Bool(bool value);
  void Null();
  void Any(const Value& value);
  /// JSON that is known to be valid, as it is.
  void Raw(std::string_view json);

  // Members with a name, the usual case.
  void Text(std::string_view name, std::string_view text) { Name(name).Text(text); }
  void Integer(std::string_view name, int64_t number) { Name(name).Integer(number); }
  void Bool(std::string_view name, bool value) { Name(name).Bool(value); }
  /// Nothing when there is none.
  void MaybeText(std::string_view name, const std::optional<std::string>& text);
  void TextList(std::string_view name, const std::vector<std::string>& texts);

  /// What was written. REQUIRES: everything is closed.
  std::string Take() && { return std::move(out_); }

 private:
  void Open(char bracket);
  void Close(char bracket);
  /// Puts the comma before a value or name that is not the first of its container.
  void Separate();

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace tintype::json
