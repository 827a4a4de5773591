#include "tables/transfer/internal/export_names.h"

#include <algorithm>

#include "base/random.h"
#include "base/strings.h"

namespace tintype::tables::transfer {
namespace {

constexpr std::string_view kScratchPrefix = "tintype-export-";
constexpr size_t kTimeDigits = 14;
constexpr size_t kRandomDigits = 8;

}  // namespace

std::string NewTransferId(int64_t now_ms) {
  const std::string time = std::to_string(now_ms);
  std::string id(kTimeDigits - std::min(kTimeDigits, time.size()), '0');
  StrAppend(id, time, '-', RandomUuid().substr(0, kRandomDigits));
  return id;
}

bool IsTransferId(std::string_view text) {
  return text.size() == kTimeDigits + 1 + kRandomDigits && text[kTimeDigits] == '-' &&
         text.substr(0, kTimeDigits).find_first_not_of("0123456789") == std::string_view::npos &&
         text.substr(kTimeDigits + 1).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

std::string ScratchTable(std::string_view id) { return StrCat(kScratchPrefix, id); }

bool IsScratchTable(std::string_view name) {
  return name.starts_with(kScratchPrefix) && IsTransferId(name.substr(kScratchPrefix.size()));
}

}  // namespace tintype::tables::transfer
