#pragma once

#include <cstdio>
#include <string>

#include "base/clock.h"
#include "base/logging.h"
#include "base/result.h"
#include "cli/admin/message.h"
#include "cli/progress.h"

namespace tintype::cli {

/// How a command tells its user what it does and what came of it.
class Console {
 public:
  explicit Console(bool json)
      : json_(json),
        printer_(ProgressPrinter::StyleFor(stderr, json), json ? stdout : stderr, SystemClock()) {
    // Logs would tear the bar apart; what matters in them is in the outcome.
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
