#include "http/rest/protocol/conditions.h"

#include <array>
#include <ctime>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

enum class Compare { kStrong, kWeak };

/// Whether one field's list of entity tags has `etag`, which is strong. A list that cannot be read
/// has what stands before the mistake.
bool ListHas(std::string_view list, std::string_view etag, Compare compare) {
  list = Trim(list);
  if (list == "*") {
    return true;
  }
  while (!list.empty()) {
    const bool weak = list.starts_with("W/");
    list.remove_prefix(weak ? 2 : 0);
    const size_t end = list.starts_with('"') ? list.find('"', 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      return false;
    }
    if (list.substr(0, end + 1) == etag && (!weak || compare == Compare::kWeak)) {
      return true;
    }
    list = Trim(list.substr(end + 1));
    if (!list.empty() && list.front() != ',') {
      return false;
    }
    while (!list.empty() && list.front() == ',') {
      list = Trim(list.substr(1));
    }
  }
  return false;
}

/// Nothing when there is no such field. Several of one name are one list.
std::optional<bool> AnyHas(const Request& request, std::string_view name, std::string_view etag,
                           Compare compare) {
  std::optional<bool> has;
  for (const auto& [field, value] : request.headers) {
    if (field == name) {
      has = has.value_or(false) || ListHas(value, etag, compare);
    }
  }
  return has;
}

std::optional<int64_t> DateOf(const Request& request, std::string_view name) {
  const auto header = request.Header(name);
  return header ? ParseHttpDate(*header) : std::nullopt;
}

}  // namespace

Precondition CheckPreconditions(const Request& request, const Validators& validators) {
  if (const auto match = AnyHas(request, "if-match", validators.etag, Compare::kStrong)) {
    if (!*match) {
      return Precondition::kFailed;
    }
  } else if (const auto since = DateOf(request, "if-unmodified-since");
             since && validators.modified_s > *since) {
    return Precondition::kFailed;
  }
  if (const auto match = AnyHas(request, "if-none-match", validators.etag, Compare::kWeak)) {
    return *match ? Precondition::kNotModified : Precondition::kHolds;
  }
  const auto since = DateOf(request, "if-modified-since");
  return since && validators.modified_s <= *since ? Precondition::kNotModified
                                                  : Precondition::kHolds;
}

bool RangeStands(const Request& request, const Validators& validators) {
  const auto header = request.Header("if-range");
  if (!header) {
    return true;
  }
  const std::string_view text = Trim(*header);
  if (text.starts_with('"') || text.starts_with("W/")) {
    return text == validators.etag;
  }
  // A date has to be the very one: within a second there may have been two states, and a later date
  // is none that we gave.
  return ParseHttpDate(text) == validators.modified_s;
}

std::string HttpDate(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm utc{};
  gmtime_r(&time, &utc);
  std::array<char, 64> text;
  // The process never leaves the C locale, whose names of days and months are the protocol's.
  const size_t length = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
  return {text.data(), length};
}

std::optional<int64_t> ParseHttpDate(std::string_view text) {
  constexpr size_t kBytesMax = 40;  // "Wednesday, 06-Nov-94 08:49:37 GMT" has 33.
  constexpr std::array kForms = {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT",
                                 "%a %b %e %H:%M:%S %Y"};
  if (text.size() > kBytesMax) {
    return std::nullopt;
  }
  const std::string date(Trim(text));
  for (const char* form : kForms) {
    std::tm utc{};
    const char* const end = ::strptime(date.c_str(), form, &utc);
    if (end != nullptr && end == date.c_str() + date.size()) {
      return ::timegm(&utc);
    }
  }
  return std::nullopt;
}

}  // namespace tintype::http::rest
