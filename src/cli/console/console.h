#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/logging.h"
#include "base/result.h"
#include "cli/admin/message.h"
#include "cli/console/progress.h"

namespace tintype::cli {

/// The text without line ends and other control characters, which a terminal would obey: names of
/// files and keys, and errors that quote them, can be anything.
inline std::string OneLine(std::string_view text) {
  std::string line = ValidUtf8(text);
  for (size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    const auto next = static_cast<unsigned char>(i + 1 < line.size() ? line[i + 1] : 0);
    if (byte < ' ' || byte == 0x7F) {
      line[i] = ' ';
    } else if (byte == 0xC2 && next < 0xA0) {
      // U+0080 to U+009F, one of which begins what a terminal obeys.
      line.replace(i, 2, " ");
    }
  }
  return line;
}

/// How a command tells its user what it does and what came of it.
class Console {
 public:
  explicit Console(bool json)
      : json_(json),
        printer_(ProgressPrinter::StyleFor(stderr, json), json ? stdout : stderr, SystemClock()) {
    // Logs would tear the bar apart; the outcome has what matters in them.
    SetLogLevel(LogLevel::kWarning);
  }

  ProgressReport report() {
    return [this](const ProgressStep& step) {
      printer_.Show(step);
      return true;
    };
  }

  /// Prints `text`, or as JSON the fields, and passes errors on; main prints those.
  Status End(const Status& status, const AdminFields& fields, const std::string& text) {
    printer_.End();
    if (json_) {
      Print(
          FormatMessage(status.ok() ? AdminMessage{"done", fields} : ErrorMessage(status.error())));
    } else if (status.ok()) {
      Print(text);
    }
    return status;
  }
  /// Takes the bar away, for lines before the outcome.
  void EndProgress() { printer_.End(); }
  Status Fail(const Error& error) { return End(error, {}, ""); }

  void PrintDamage(const std::string& damage) {
    printer_.End();
    Print(json_ ? FormatMessage({"damage", {{"message", damage}}}) : damage);
  }

  static void Print(const std::string& line) { std::printf("%s\n", line.c_str()); }

 private:
  const bool json_;
  ProgressPrinter printer_;
};

}  // namespace tintype::cli
