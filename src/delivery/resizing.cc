#include "delivery/resizing.h"

#include "base/numbers.h"
#include "base/strings.h"
#include "contract/limits.h"

namespace tintype::delivery {
namespace {

using darkroom::Fit;
using darkroom::OutputFormat;

struct FormatName {
  OutputFormat format;
  std::string_view name;
  std::string_view media_type;
};
constexpr std::array kFormats = {
    FormatName{OutputFormat::kWebp, "webp", "image/webp"},
    FormatName{OutputFormat::kJpeg, "jpeg", "image/jpeg"},
    FormatName{OutputFormat::kAvif, "avif", "image/avif"},
};
constexpr std::string_view kAuto = "auto";
constexpr std::string_view kInside = "inside";
constexpr std::string_view kCover = "cover";

std::optional<std::string> Find(const std::map<std::string, std::string>& query,
                                std::string_view name) {
  const auto found = query.find(std::string(name));
  return found == query.end() ? std::nullopt : std::optional(found->second);
}

/// A number that is written without signs or zeros before it; 0 when it is not there.
Result<int32_t> FindNumber(const std::map<std::string, std::string>& query, std::string_view name,
                           const limits::NumberLimit& limit) {
  const std::optional<std::string> text = Find(query, name);
  if (!text) {
    return 0;
  }
  const std::optional<int32_t> number = ParseInteger<int32_t>(*text);
  if (!number || !limit.Allows(*number) || text->front() == '0') {
    return Error::Validation(
        StrCat("`", name, "` is a number from ", limit.min, " to ", limit.max, "."));
  }
  return *number;
}

const FormatName& RowOf(OutputFormat format) { return kFormats[static_cast<size_t>(format)]; }

}  // namespace

Result<ResizeParameters> ParseResizing(const std::map<std::string, std::string>& query) {
  ResizeParameters resizing;
  ASSIGN_OR_RETURN(resizing.width, FindNumber(query, "w", limits::kSide));
  ASSIGN_OR_RETURN(resizing.height, FindNumber(query, "h", limits::kSide));
  ASSIGN_OR_RETURN(resizing.quality, FindNumber(query, "q", limits::kQuality));
  if (resizing.width == 0 && resizing.height == 0) {
    return Error::Validation("`w` or `h` is missing.");
  }
  const std::string fit = Find(query, "fit").value_or(std::string(kInside));
  if (fit == kCover) {
    resizing.fit = Fit::kCover;
  } else if (fit != kInside) {
    return Error::Validation("`fit` is `inside` or `cover`.");
  }
  if (resizing.fit == Fit::kCover && (resizing.width == 0 || resizing.height == 0)) {
    return Error::Validation("`fit=cover` needs `w` and `h`.");
  }
  const std::string name = Find(query, "format").value_or(std::string(kAuto));
  for (const FormatName& format : kFormats) {
    if (format.name == name) {
      resizing.format = format.format;
    }
  }
  if (!resizing.format && name != kAuto) {
    return Error::Validation("`format` is `webp`, `jpeg`, `avif` or `auto`.");
  }
  return resizing;
}

std::string ToQuery(const ResizeParameters& resizing) {
  std::string query;
  if (resizing.width > 0) {
    StrAppend(query, "w=", resizing.width, "&");
  }
  if (resizing.height > 0) {
    StrAppend(query, "h=", resizing.height, "&");
  }
  StrAppend(query, "fit=", resizing.fit == Fit::kCover ? kCover : kInside,
            "&format=", resizing.format ? NameOf(*resizing.format) : kAuto);
  if (resizing.quality > 0) {
    StrAppend(query, "&q=", resizing.quality);
  }
  return query;
}

std::string_view NameOf(OutputFormat format) { return RowOf(format).name; }
std::string_view MediaTypeOf(OutputFormat format) { return RowOf(format).media_type; }

}  // namespace tintype::delivery
