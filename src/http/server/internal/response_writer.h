#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "http/server/message.h"

namespace tintype::http::internal {

/// The `Date` header's value, formatted anew only when the second changes. Not thread-safe; each
/// event loop has its own.
class DateText {
 public:
  DateText() { Refresh(std::chrono::system_clock::now()); }
  void Refresh(std::chrono::system_clock::time_point now);
  std::string_view text() const { return text_; }

 private:
  std::string text_;
  std::chrono::sys_seconds second_{std::chrono::seconds(-1)};
};

/// Responses of some statuses never have a body, whatever a handler gives them.
bool HasBody(int status);

/// Appends the status line and all header fields, up to the empty line, to `out`. `close` announces
/// that the connection ends after this response.
void AppendResponseHead(std::string& out, const Response& response, std::string_view date,
                        bool close);

}  // namespace tintype::http::internal
