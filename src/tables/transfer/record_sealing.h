#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::tables::transfer {

/// How the records of exports and imports are kept: they name tables, their keys and their
/// indexes, so with encrypted tables they are sealed too. A value.
struct RecordSealing {
  /// Both are there, or none is: then records are kept as they are.
  std::function<std::string(std::string_view text)> seal;
  /// Errors: kCorruption.
  std::function<Result<std::string>(std::string_view sealed)> open;
};

}  // namespace tintype::tables::transfer
