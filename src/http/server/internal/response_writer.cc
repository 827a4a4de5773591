#include "http/server/internal/response_writer.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace tintype::http::internal {
namespace {

void AppendNumber(std::string& out, uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace

bool HasBody(int status) { return status >= 200 && status != 204 && status != 304; }

void DateText::Refresh(std::chrono::system_clock::time_point now) {
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  if (second == second_) {
    return;
  }
  second_ = second;
  const std::time_t time = std::chrono::system_clock::to_time_t(second);
  std::tm utc{};
  gmtime_r(&time, &utc);
  // Not strftime's %a and %b: those follow the process's locale, the protocol does not.
  static constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                       "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::array<char, 64> text;
  const int length = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                   kDays[static_cast<size_t>(utc.tm_wday)], utc.tm_mday,
                                   kMonths[static_cast<size_t>(utc.tm_mon)], utc.tm_year + 1900,
                                   utc.tm_hour, utc.tm_min, utc.tm_sec);
  text_.assign(text.data(), static_cast<size_t>(length));
}

void AppendResponseHead(std::string& out, const Response& response, std::string_view date,
                        bool close) {
  out.append("HTTP/1.1 ");
  AppendNumber(out, static_cast<size_t>(response.status));
  out.push_back(' ');
  out.append(ReasonPhrase(response.status));
  for (const auto& [name, value] : response.headers) {
    out.append("\r\n").append(name).append(": ").append(value);
  }
  // A 204 must not even have a length (RFC 9110, 8.6).
  if (HasBody(response.status)) {
    out.append("\r\nContent-Length: ");
    AppendNumber(out, response.file     ? response.file->length
                      : response.source ? response.source->length
                                        : response.body.size());
  }
  out.append("\r\nDate: ").append(date);
  if (close) {
    out.append("\r\nConnection: close");
  }
  out.append("\r\n\r\n");
}

}  // namespace tintype::http::internal
