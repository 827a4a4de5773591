#include "base/logging.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace tintype {
namespace {

std::atomic<LogLevel> minimum_level{LogLevel::kInfo};

std::string_view LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "error";
}

bool NeedsQuotes(std::string_view text) {
  if (text.empty()) {
    return true;
  }
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7f) {
      return true;
    }
  }
  return false;
}

// Quotes as logfmt does. Control characters are escaped, so that a client cannot forge a log line.
void AppendValue(std::string& line, std::string_view text) {
  if (!NeedsQuotes(text)) {
    line.append(text);
    return;
  }
  line.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      line.push_back('\\');
      line.push_back(c);
    } else if (c == '\n') {
      line.append("\\n");
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
      line.append(escaped);
    } else {
      line.push_back(c);
    }
  }
  line.push_back('"');
}

void AppendTime(std::string& line) {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now();
  const auto ms = duration_cast<milliseconds>(now.time_since_epoch()).count();
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[40];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(ms % 1000));
  line.append(text);
}

}  // namespace

void SetLogLevel(LogLevel level) { minimum_level = level; }

bool LogEnabled(LogLevel level) { return level >= minimum_level.load(std::memory_order_relaxed); }

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (level < minimum_level) {
    return;
  }
  std::string line = "time=";
  AppendTime(line);
  line.append(" level=").append(LevelName(level)).append(" event=");
  AppendValue(line, event);
  for (const LogField& field : fields) {
    line.push_back(' ');
    line.append(field.key);
    line.push_back('=');
    AppendValue(line, field.value);
  }
  line.push_back('\n');
  // One write call per line, so that lines of different threads never mix. A log that cannot be
  // written has nowhere to be reported.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace tintype
