#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "darkroom/requests.h"

/// Pictures in any size, made on request.
namespace tintype::delivery {

/// The parameters of a link that ask for a resized picture, in the order in which they are signed.
inline constexpr std::array<std::string_view, 5> kResizingNames = {"w", "h", "fit", "format", "q"};

/// What a link asks for.
struct ResizeParameters {
  int32_t width = 0;   // 0: as the height has it.
  int32_t height = 0;  // 0: as the width has it.
  darkroom::Fit fit = darkroom::Fit::kInside;
  std::optional<darkroom::OutputFormat> format;  // Nothing: `auto`, what the client takes best.
  int32_t quality = 0;                           // 0: the server's.
};

/// Reads the parameters out of a link's query; others are not looked at. Errors: kValidation, which
/// names the one that is wrong.
Result<ResizeParameters> ParseResizing(const std::map<std::string, std::string>& query);

/// The parameters as a query has them, such as `w=512&fit=inside&format=auto`. Parameters at their
/// defaults are left out, but for `fit` and `format`.
std::string ToQuery(const ResizeParameters& resizing);

/// `webp`, `jpeg` or `avif`.
std::string_view NameOf(darkroom::OutputFormat format);
/// `image/webp` and so on.
std::string_view MediaTypeOf(darkroom::OutputFormat format);

}  // namespace tintype::delivery
