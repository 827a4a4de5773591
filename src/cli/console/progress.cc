#include "cli/console/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/strings.h"
#include "cli/admin/message.h"

namespace tintype::cli {
namespace {

constexpr int64_t kBarIntervalMs = 100;
constexpr int64_t kLineIntervalMs = 5000;
constexpr int64_t kJsonIntervalMs = 1000;
constexpr size_t kBarWidthMax = 30;
// A rate over less than this is a guess.
constexpr int64_t kRateAfterMs = 500;

uint64_t Percent(const ProgressStep& step) {
  if (step.total == 0) {
    return 100;
  }
  return static_cast<uint64_t>(100.0 * static_cast<double>(std::min(step.done, step.total)) /
                               static_cast<double>(step.total));
}

std::string TwoDigits(uint64_t number) { return StrCat(number < 10 ? "0" : "", number); }

std::string FormatSeconds(uint64_t seconds) {
  const uint64_t minutes = seconds / 60;
  if (minutes < 60) {
    return StrCat(minutes, ":", TwoDigits(seconds % 60));
  }
  return StrCat(minutes / 60, ":", TwoDigits(minutes % 60), ":", TwoDigits(seconds % 60));
}

size_t TerminalWidth(std::FILE* out) {
  winsize size{};
  return ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string FormatBytes(uint64_t bytes) {
  static constexpr std::array kUnits{"KB", "MB", "GB", "TB", "PB"};
  if (bytes < 1024) {
    return StrCat(bytes, " bytes");
  }
  size_t unit = 0;
  double amount = static_cast<double>(bytes) / 1024;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) {
    amount /= 1024;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", amount, kUnits[unit]);
  return text;
}

std::string FormatStep(const ProgressStep& step, int64_t elapsed_ms) {
  const std::string detail = step.detail.empty() ? "" : StrCat(", ", step.detail);
  if (step.total == 0 && step.done > 0) {
    return StrCat(step.stage, " ", step.done, detail);
  }
  const bool bytes = step.unit.empty();
  std::string text = StrCat(step.stage, " ", Percent(step), " %, ",
                            bytes ? FormatBytes(step.done) : StrCat(step.done), " of ",
                            bytes ? FormatBytes(step.total) : StrCat(step.total, " ", step.unit));
  if (elapsed_ms >= kRateAfterMs && step.done > 0) {
    const double rate = static_cast<double>(step.done) / (static_cast<double>(elapsed_ms) / 1000);
    if (bytes) {
      StrAppend(text, ", ", FormatBytes(static_cast<uint64_t>(rate)), "/s");
    }
    if (step.done < step.total) {
      const double left = static_cast<double>(step.total - step.done) / rate;
      StrAppend(text, ", ", FormatSeconds(static_cast<uint64_t>(std::llround(left))), " left");
    }
  }
  return text + detail;
}

std::string FormatBar(const ProgressStep& step, int64_t elapsed_ms, size_t width) {
  const std::string text = FormatStep(step, elapsed_ms);
  // Two brackets and a space around the bar.
  if (text.size() + 3 >= width) {
    return text.substr(0, width);
  }
  const size_t room = std::min(width - text.size() - 3, kBarWidthMax);
  const size_t full = room * Percent(step) / 100;
  return StrCat("[", std::string(full, '#'), std::string(room - full, '.'), "] ", text);
}

ProgressPrinter::Style ProgressPrinter::StyleFor(std::FILE* out, bool json) {
  if (json) {
    return Style::kJson;
  }
  return ::isatty(::fileno(out)) == 1 ? Style::kBar : Style::kLines;
}

bool ProgressPrinter::Due(const ProgressStep& step) {
  const int64_t now = clock_.NowMs();
  if (step.stage != stage_) {
    stage_ = step.stage;
    stage_began_ms_ = now;
    shown_ms_ = now;
    stage_ended_ = false;
    // A line about work that has not begun tells nothing.
    return style_ == Style::kBar;
  }
  if (stage_ended_) {
    return false;
  }
  // The last step of a stage is always shown. Without a total nobody knows which it is.
  stage_ended_ = step.total > 0 && step.done >= step.total;
  const int64_t interval = style_ == Style::kBar     ? kBarIntervalMs
                           : style_ == Style::kLines ? kLineIntervalMs
                                                     : kJsonIntervalMs;
  return stage_ended_ || now - shown_ms_ >= interval || now < shown_ms_;
}

void ProgressPrinter::Show(const ProgressStep& step) {
  if (!Due(step)) {
    return;
  }
  shown_ms_ = clock_.NowMs();
  Draw(step, shown_ms_ - stage_began_ms_);
  std::fflush(out_);
}

void ProgressPrinter::Draw(const ProgressStep& step, int64_t elapsed_ms) {
  switch (style_) {
    case Style::kBar:
      // The rest of the line is erased: the text before may have been longer.
      std::fprintf(out_, "\r%s\033[K",
                   FormatBar(step, elapsed_ms, TerminalWidth(out_) - 1).c_str());
      bar_shown_ = true;
      return;
    case Style::kLines:
      std::fprintf(out_, "%s\n", FormatStep(step, elapsed_ms).c_str());
      return;
    case Style::kJson:
      std::fprintf(out_, "%s\n", FormatMessage(ProgressMessage(step)).c_str());
      return;
  }
}

void ProgressPrinter::End() {
  if (bar_shown_) {
    std::fprintf(out_, "\r\033[K");
    std::fflush(out_);
    bar_shown_ = false;
  }
}

}  // namespace tintype::cli
