#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tables/language/value.h"

namespace tintype::tables::wire {

/// Writes JSON front to back into a string. The caller opens and closes in the right order; commas
/// are put in between. Not thread-safe.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

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

  std::string& out_;
  bool needs_comma_ = false;
};

}  // namespace tintype::tables::wire
