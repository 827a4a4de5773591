#include "cli/console/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/strings.h"
#include "cli/admin/message.h"

namespace tintype::cli {
namespace {

constexpr int64_t kBarIntervalMs = 100;
constexpr int64_t kLineIntervalMs = 5000;
constexpr int64_t kJsonIntervalMs = 1000;
// The bar's own width never changes, and neither does the place of the text behind it.
constexpr size_t kBarWidth = 20;
constexpr size_t kNarrowBarWidth = 10;
constexpr size_t kNarrowTerminal = 60;
constexpr size_t kBarlessTerminal = 30;
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

namespace {

/// One part of a step's text, and how long it may become while the stage lasts.
struct StepPart {
  std::string text;
  size_t longest;
};

// `1023 bytes` and `99:59:59 left`.
constexpr size_t kBytesLongest = 10;
constexpr size_t kLeftLongest = 13;
// A step that is expected to take longer has hardly begun: nobody knows.
constexpr double kLeftMaxS = 100 * 60 * 60 - 1;

/// So many, or so many of so many.
StepPart AmountOf(const ProgressStep& step) {
  const bool bytes = step.unit.empty();
  if (step.total == 0 && step.done > 0) {
    std::string done = bytes ? StrCat(step.done) : StrCat(step.done, " ", step.unit);
    return {done, done.size()};
  }
  const std::string total = bytes ? FormatBytes(step.total) : StrCat(step.total, " ", step.unit);
  const size_t done_longest = bytes ? kBytesLongest : StrCat(step.total).size();
  return {StrCat(bytes ? FormatBytes(step.done) : StrCat(step.done), " of ", total),
          done_longest + 4 + total.size()};
}

/// The rate and the time that is left, each empty if it is not known.
struct Pace {
  StepPart rate;
  StepPart left;
};

Pace PaceOf(const ProgressStep& step, int64_t elapsed_ms, uint64_t began_done) {
  const bool bytes = step.unit.empty();
  Pace pace{{"", bytes ? kBytesLongest + 2 : 0}, {"", kLeftLongest}};
  if (step.total == 0 || elapsed_ms < kRateAfterMs || step.done <= began_done) {
    return pace;
  }
  const double rate =
      static_cast<double>(step.done - began_done) / (static_cast<double>(elapsed_ms) / 1000);
  if (bytes) {
    pace.rate.text = StrCat(FormatBytes(static_cast<uint64_t>(rate)), "/s");
  }
  const double left = static_cast<double>(step.total - std::min(step.done, step.total)) / rate;
  if (step.done < step.total && left < kLeftMaxS) {
    pace.left.text = StrCat(FormatSeconds(static_cast<uint64_t>(std::llround(left))), " left");
  }
  return pace;
}

}  // namespace

std::string FormatStep(const ProgressStep& step, int64_t elapsed_ms, uint64_t began_done) {
  const bool counts = step.total == 0 && step.done > 0;
  std::string text = step.stage;
  StrAppend(text, " ", counts ? "" : StrCat(Percent(step), " %, "), AmountOf(step).text);
  const Pace pace = PaceOf(step, elapsed_ms, began_done);
  for (const std::string& part : {pace.rate.text, pace.left.text, step.detail}) {
    StrAppend(text, part.empty() ? "" : ", ", part);
  }
  return text;
}

std::string FormatBar(const ProgressStep& step, int64_t elapsed_ms, size_t width,
                      uint64_t began_done) {
  std::string text;
  const bool counts = step.total == 0 && step.done > 0;
  if (!counts && width >= kBarlessTerminal) {
    const size_t room = width < kNarrowTerminal ? kNarrowBarWidth : kBarWidth;
    const size_t full = room * Percent(step) / 100;
    const std::string percent = StrCat(Percent(step));
    text = StrCat("[", std::string(full, '#'), std::string(room - full, '.'), "] ",
                  std::string(3 - percent.size(), ' '), percent, " % ");
  }
  StrAppend(text, step.stage);
  // The part that matters most comes first, and one that changes its length last. Whether a part
  // has room is decided by how long it may become, so that it does not come and go.
  const Pace pace = PaceOf(step, elapsed_ms, began_done);
  const StepPart detail{step.detail, step.detail.size()};
  size_t longest = text.size();
  const char* before = " ";
  for (const StepPart& part : {AmountOf(step), pace.left, pace.rate, detail}) {
    if (part.longest == 0 || longest + part.longest + 2 > width) {
      continue;
    }
    longest += part.longest + 2;
    StrAppend(text, part.text.empty() ? "" : before, part.text);
    before = ", ";
  }
  return text.substr(0, width);
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
    stage_began_done_ = step.done;
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
  if (!step.note.empty()) {
    End();
    const std::string line =
        style_ == Style::kJson ? FormatMessage({"note", {{"message", step.note}}}) : step.note;
    std::fprintf(out_, "%s\n", line.c_str());
    std::fflush(out_);
    return;
  }
  if (!Due(step)) {
    return;
  }
  shown_ms_ = clock_.NowMs();
  Draw(step, shown_ms_ - stage_began_ms_);
  std::fflush(out_);
}

void ProgressPrinter::Draw(const ProgressStep& step, int64_t elapsed_ms) {
  switch (style_) {
    case Style::kBar: {
      std::string bar = FormatBar(step, elapsed_ms, TerminalWidth(out_) - 1, stage_began_done_);
      if (bar != bar_shown_) {
        // The rest of the line is erased: the text before may have been longer.
        std::fprintf(out_, "\r%s\033[K", bar.c_str());
        bar_shown_ = std::move(bar);
      }
      return;
    }
    case Style::kLines:
      std::fprintf(out_, "%s\n", FormatStep(step, elapsed_ms, stage_began_done_).c_str());
      return;
    case Style::kJson:
      std::fprintf(out_, "%s\n", FormatMessage(ProgressMessage(step)).c_str());
      return;
  }
}

void ProgressPrinter::End() {
  if (!bar_shown_.empty()) {
    std::fprintf(out_, "\r\033[K");
    std::fflush(out_);
    bar_shown_.clear();
  }
}

}  // namespace tintype::cli
