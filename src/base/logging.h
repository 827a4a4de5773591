#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tintype {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// One key and its value in a log line.
struct LogField {
  LogField(std::string_view field_key, std::string_view text) : key(field_key), value(text) {}
  LogField(std::string_view field_key, const char* text) : key(field_key), value(text) {}
  LogField(std::string_view field_key, const std::string& text) : key(field_key), value(text) {}
  template <std::integral Integer>
  LogField(std::string_view field_key, Integer number)
      : key(field_key), value(std::to_string(number)) {}

  std::string_view key;
  std::string value;
};

/// Lines below `level` are not written. Default: kInfo.
void SetLogLevel(LogLevel level);

/// Whether lines of `level` are written. Cheap: for hot paths that would build fields for nothing.
bool LogEnabled(LogLevel level);

/// Writes one logfmt line to standard error: time, level, event, fields. Thread-safe; each line is
/// written whole. `event` is a short constant phrase, fields carry everything that varies.
void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

inline void LogInfo(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kInfo, event, fields);
}
inline void LogWarning(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kWarning, event, fields);
}
inline void LogError(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kError, event, fields);
}

}  // namespace tintype
