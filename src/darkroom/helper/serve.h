#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {

/// What one kind of helper does, beside what all of them do.
struct Trade {
  /// Sets up memory, and loads libraries, before the first helper is forked: `library` is the path
  /// of one that the server named, or empty. Errors: why no helper can work.
  std::function<Status(const std::string& library)> start;
  /// Carries out an order; the descriptors stay the caller's.
  std::function<Reply(std::string_view bytes, std::span<const int> descriptors)> answer;
  /// Called after each order, with its files closed.
  std::function<void()> finish_order;
  /// Called when no order has come for so long.
  std::function<void()> idle;
  int idle_ms = 1000;
};

/// A helper program from its start to its end: it loads its libraries and is a template from then
/// on, which forks helpers. A helper waits on descriptor 3 for orders with files, works on one at a
/// time, answers, and ends when the server closes its side. It opens no file itself. The result is
/// the exit code. See darkroom/README.md.
int ServeOrders(int argc, char** argv, const Trade& trade);

}  // namespace tintype::darkroom
