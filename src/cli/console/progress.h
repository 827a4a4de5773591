#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "base/clock.h"

namespace tintype::cli {

/// How far a long command has come: so many bytes of so many, or of another unit, in the part of
/// the work that `stage` names with a word or two. The total may turn out to be wrong by a little.
/// Without a total it is so many things, of which nobody knows how many there are.
struct ProgressStep {
  std::string stage;
  uint64_t done = 0;
  uint64_t total = 0;
  std::string unit = {};    // Of what it is so many, such as `images`. Empty: bytes.
  std::string detail = {};  // More words for people, such as `12 of 40 files`; may change.
  /// Words for people that are shown once, on a line of their own; such a step has nothing else.
  std::string note = {};
};

/// What a long command calls now and then, at least once a megabyte. False: nobody waits for the
/// outcome any more, so give up.
using ProgressReport = std::function<bool(const ProgressStep&)>;

/// Shows progress to whoever called the command. Not thread-safe.
class ProgressPrinter {
 public:
  enum class Style {
    kBar,    ///< One line that is drawn over again, for a terminal.
    kLines,  ///< A line of text every few seconds, for a log.
    kJson,   ///< `{"progress": {...}}` lines, at most one a second, for a program.
  };

  /// `out` and `clock` must outlive it.
  ProgressPrinter(Style style, std::FILE* out, const Clock& clock)
      : style_(style), out_(out), clock_(clock) {}

  /// The style for a command: JSON if it was asked for, else what `out` is good for.
  static Style StyleFor(std::FILE* out, bool json);

  void Show(const ProgressStep& step);
  /// Takes the bar away, so that the outcome starts on a clean line.
  void End();

 private:
  bool Due(const ProgressStep& step);
  void Draw(const ProgressStep& step, int64_t elapsed_ms);

  const Style style_;
  std::FILE* const out_;
  const Clock& clock_;
  std::string stage_;
  int64_t stage_began_ms_ = 0;
  uint64_t stage_began_done_ = 0;  // What an earlier run of the command had done.
  int64_t shown_ms_ = 0;
  bool stage_ended_ = false;
  std::string bar_shown_;  // As it is on the terminal now. Empty: none.
};

/// `12.3 MB`; a megabyte has 1024 * 1024 bytes, as in the settings.
std::string FormatBytes(uint64_t bytes);

/// The text of one step, `elapsed_ms` after its stage began, when `began_done` was done already:
/// `tables 45 %, 12.3 MB of 27.0 MB, 6.1 MB/s, 0:02 left`, and its detail.
std::string FormatStep(const ProgressStep& step, int64_t elapsed_ms, uint64_t began_done = 0);

/// The same for a line that is drawn over again, at most `width` characters wide: `[####......]  45
/// % tables 12.3 MB of 27.0 MB, 0:02 left`. The bar keeps its width and its place while the text
/// changes; details and the rate are left out where there is no room for them.
std::string FormatBar(const ProgressStep& step, int64_t elapsed_ms, size_t width,
                      uint64_t began_done = 0);

}  // namespace tintype::cli
