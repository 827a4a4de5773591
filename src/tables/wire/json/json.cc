#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "tables/language/errors.h"
#include "tables/wire/internal/json.h"

namespace tintype::tables::wire {

namespace {

/// What the parser keeps between requests of one thread: its tape and a copy of the body, because
/// the parser reads a few bytes past the end of its input.
struct ParserState {
  simdjson::dom::parser parser;
  std::string padded;
};

/// A body far larger than usual must not pin its buffers to the thread for good.
constexpr size_t kKeptBytes = 1024 * 1024;

}  // namespace

Result<JsonObject> ParseJson(std::string_view body) {
  thread_local ParserState state;
  if (state.padded.capacity() > kKeptBytes && body.size() < kKeptBytes) {
    state = ParserState();
  }
  state.padded.resize(body.size() + simdjson::SIMDJSON_PADDING);
  std::memcpy(state.padded.data(), body.data(), body.size());
  std::memset(state.padded.data() + body.size(), 0, simdjson::SIMDJSON_PADDING);

  JsonElement root;
  if (state.parser.parse(state.padded.data(), body.size(), /*realloc_if_needed=*/false).get(root) !=
          simdjson::SUCCESS ||
      !root.is_object()) {
    return tables::SerializationError("");
  }
  return JsonObject(root);
}

std::optional<JsonElement> JsonObject::Find(std::string_view name) const {
  JsonElement element;
  if (object_.at_key(name).get(element) != simdjson::SUCCESS || element.is_null()) {
    return std::nullopt;
  }
  return element;
}

std::optional<std::string_view> JsonObject::String(std::string_view name) const {
  const auto element = Find(name);
  if (!element) {
    return std::nullopt;
  }
  return TextOf(*element);
}

std::optional<int64_t> JsonObject::Integer(std::string_view name) const {
  const auto element = Find(name);
  if (!element) {
    return std::nullopt;
  }
  return ToInteger(*element);
}

std::optional<bool> JsonObject::Bool(std::string_view name) const {
  const auto element = Find(name);
  return element ? ToBool(*element) : std::nullopt;
}

std::optional<int64_t> JsonObject::TimeMs(std::string_view name) const {
  const auto element = Find(name);
  return element ? ToTimeMs(*element) : std::nullopt;
}

std::optional<JsonObject> JsonObject::Object(std::string_view name) const {
  const auto element = Find(name);
  if (!element) {
    return std::nullopt;
  }
  return JsonObject(*element);
}

std::optional<JsonArray> JsonObject::Array(std::string_view name) const {
  const auto element = Find(name);
  if (!element) {
    return std::nullopt;
  }
  return ArrayOf(*element);
}

int64_t ToInteger(JsonElement element) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  switch (element.type()) {
    case JsonType::INT64:
      return element.get_int64().value_unsafe();
    case JsonType::UINT64:
      return kMax;  // Values that fit are INT64.
    default: {
      const double number = std::floor(element.get_double().value_unsafe());
      if (number >= static_cast<double>(kMax)) {
        return kMax;
      }
      if (number <= static_cast<double>(std::numeric_limits<int64_t>::min())) {
        return std::numeric_limits<int64_t>::min();
      }
      return static_cast<int64_t>(number);
    }
  }
}

std::optional<int64_t> ToTimeMs(JsonElement element) {
  // Well within what milliseconds can count.
  constexpr double kSecondsMax = 1e15;
  double seconds = 0;
  if (element.get_double().get(seconds) != simdjson::SUCCESS ||
      !(std::abs(seconds) < kSecondsMax)) {
    return std::nullopt;
  }
  return std::llround(seconds * 1000);
}

std::optional<bool> ToBool(JsonElement element) {
  if (element.is_bool()) {
    return element.get_bool().value_unsafe();
  }
  if (!element.is_string()) {
    return std::nullopt;
  }
  std::string word(TextOf(element));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word == "true" || word == "yes" || word == "1") {
    return true;
  }
  if (word == "false" || word == "no" || word == "0") {
    return false;
  }
  return std::nullopt;
}

}  // namespace tintype::tables::wire
