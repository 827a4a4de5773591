#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tables/language/values/value.h"

namespace tintype::tables::wire {

/// Writes one JSON value, an object or array, front to back into a string, to which all of it is
/// appended when its outermost bracket closes. The caller opens and closes in the right order;
/// commas are put in between. Not thread-safe.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void OpenObject() { Open('{'); }
  void CloseObject() { Close('}'); }
  void OpenArray() { Open('['); }
  void CloseArray() { Close(']'); }

  /// The name of the member whose value is written next.
  void Name(std::string_view name);

  void String(std::string_view text);
  void Integer(int64_t number);
  /// In the shortest form that reads back as the same number.
  void Double(double number);
  void Bool(bool value);
  /// Milliseconds as seconds with a fraction, which is how DynamoDB writes times.
  void Time(int64_t ms);

  /// `{"S":"x"}` and its like.
  void AttributeValue(ValueView value);
  /// An item: attribute values by name.
  void Attributes(MapView attributes);

 private:
  void Open(char bracket);
  void Close(char bracket);
  /// Puts the comma before a value or name that is not the first of its container.
  void Separate();

  // The primitives that all else is made of. Room is where the next bytes go, with at least so many
  // free; Advance says where they ended.
  char* Room(size_t bytes);
  void Advance(const char* end) { used_ = static_cast<size_t>(end - gathered_.data()); }
  void Flush();
  void Text(std::string_view text);  // REQUIRES: a literal, a number or the like; it fits.
  void Quoted(std::string_view text);
  void QuotedNumber(std::string_view stored);
  void QuotedBase64(std::string_view bytes);
  void SetMember(Type set_type, std::string_view member);

  std::string& out_;
  bool needs_comma_ = false;
  int depth_ = 0;
  // An answer is mostly short pieces; appending each to a string costs more than making it.
  std::array<char, 4096> gathered_;
  size_t used_ = 0;
};

}  // namespace tintype::tables::wire
