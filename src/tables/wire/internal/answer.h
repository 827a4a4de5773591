#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "tables/language/values/value.h"
#include "tables/wire/internal/json.h"

namespace tintype::tables::wire {

/// A JSON object within an answer that somebody else wrote. Unlike a request's, its shape has not
/// been checked: a member of another type than the one asked for reads as absent, and the answer
/// remembers that it was wrong. A view, like JsonObject. Not thread-safe.
class AnswerObject {
 public:
  AnswerObject(JsonObject json, std::string& fault) : json_(json), fault_(&fault) {}

  bool Has(std::string_view name) const { return json_.Has(name); }
  std::optional<std::string> Text(std::string_view name) const;
  std::optional<int64_t> Integer(std::string_view name) const;
  std::optional<double> Double(std::string_view name) const;
  std::optional<bool> Bool(std::string_view name) const;
  /// Seconds with a fraction as milliseconds.
  std::optional<int64_t> TimeMs(std::string_view name) const;
  std::optional<Item> Attributes(std::string_view name) const;
  std::optional<AnswerObject> Object(std::string_view name) const;

  // Lists, empty when there is none.
  std::vector<std::string> Texts(std::string_view name) const;
  std::vector<double> Doubles(std::string_view name) const;
  std::vector<AnswerObject> Objects(std::string_view name) const;
  std::vector<Item> Items(std::string_view name) const;

  /// The names of all members.
  std::vector<std::string> Names() const;

  /// Notes a fault that the caller found. The first one is told.
  void Fail(std::string_view fault) const;

 private:
  std::optional<Item> AttributesOf(std::string_view name, JsonElement element) const;
  std::optional<JsonElement> Find(std::string_view name, bool (*is_right)(JsonElement)) const;
  /// Calls `visit` with each element of a list; those of another type are a fault.
  template <typename Visit>
  void VisitList(std::string_view name, bool (*is_right)(JsonElement), const Visit& visit) const;

  JsonObject json_;
  std::string* fault_;
};

/// The error for an answer that is not what the protocol says.
Error UnreadableAnswer(std::string_view fault);

/// Parses an answer's body and lets `read` make the response from it.
template <typename Response, typename Read>
Result<Response> ReadAnswer(std::string_view body, const Read& read) {
  // TagResource answers with nothing at all.
  const auto json = ParseJson(body.empty() ? "{}" : body);
  if (!json.ok()) {
    return UnreadableAnswer("it is not JSON");
  }
  std::string fault;
  Response response = read(AnswerObject(*json, fault));
  if (!fault.empty()) {
    return UnreadableAnswer(fault);
  }
  return response;
}

}  // namespace tintype::tables::wire
