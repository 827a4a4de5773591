#include "flows/media_keys.h"

#include <vector>

#include "base/check.h"
#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"

namespace tintype::flows {
namespace {

/// Sizes that not every image has.
constexpr std::array<SizeSpec, 3> kFurtherSizes = {kFullSize, kPosterSize, kProxySize};

constexpr std::string_view kProxyFolder = "proxy";
constexpr std::string_view kProxyName = "media.mp4";
constexpr std::string_view kProfilePictures = "profile-pictures";
constexpr std::string_view kProfilePicture = "profile.jpg";

std::vector<std::string_view> SplitAtSlashes(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  for (size_t slash = text.find('/'); slash != std::string_view::npos;
       slash = text.find('/', start)) {
    parts.push_back(text.substr(start, slash - start));
    start = slash + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

/// `text` without `suffix`; nothing if it does not end in it, or is nothing else.
std::optional<std::string> Without(std::string_view text, std::string_view suffix) {
  if (!text.ends_with(suffix) || text.size() == suffix.size()) {
    return std::nullopt;
  }
  return std::string(text.substr(0, text.size() - suffix.size()));
}

std::optional<Size> SizeOf(std::string_view name) {
  for (const SizeSpec& spec : kSizes) {
    if (spec.name == name) {
      return spec.size;
    }
  }
  for (const SizeSpec& spec : {kFullSize, kPosterSize}) {
    if (spec.name == name) {
      return spec.size;
    }
  }
  return std::nullopt;
}

/// The number of a folder `v{n}`.
std::optional<int64_t> RevisionOf(std::string_view folder) {
  if (!folder.starts_with('v')) {
    return std::nullopt;
  }
  const std::optional<int64_t> revision = ParseInteger<int64_t>(folder.substr(1));
  return revision && *revision > 0 ? revision : std::nullopt;
}

std::optional<MediaName> Named(std::optional<std::string> id, int64_t revision, Size size) {
  if (!id || id->empty()) {
    return std::nullopt;
  }
  return MediaName{*std::move(id), revision, size};
}

}  // namespace

const SizeSpec& SpecOf(Size size) {
  const auto place = static_cast<size_t>(size);
  return place < kSizes.size() ? kSizes[place] : kFurtherSizes[place - kSizes.size()];
}

std::string_view NameOf(Size size) { return SpecOf(size).name; }

std::string StoredFolder(std::string_view id) { return StrCat("images/", id, "/"); }

std::string StoredRevisionFolder(std::string_view id, int64_t revision) {
  CHECK(revision > 0);
  return StrCat(StoredFolder(id), "v", revision, "/");
}

std::string StoredKey(std::string_view id, int64_t revision, Size size) {
  if (size == Size::kProxy) {
    return StrCat(ProxyFolder(id), kProxyName);
  }
  return StrCat(revision <= 0 ? StoredFolder(id) : StoredRevisionFolder(id, revision),
                NameOf(size));
}

std::string ProxyFolder(std::string_view id) { return StrCat(id, "/", kProxyFolder, "/"); }
std::string WaveformKey(std::string_view id) { return StrCat(ProxyFolder(id), "waveform.json"); }
std::string FramesKey(std::string_view id) { return StrCat(ProxyFolder(id), "frames.bin"); }
std::string FrameListKey(std::string_view id) { return StrCat(ProxyFolder(id), "frames.json"); }
std::string TextKey(std::string_view id) { return StrCat(ProxyFolder(id), "text.txt"); }
std::string PageKey(std::string_view id, int64_t page) {
  return StrCat(ProxyFolder(id), "pages/", page, ".png");
}
std::string CaptionsKey(std::string_view id) { return StrCat(id, "/transcribe/transcript.vtt"); }
std::string UploadKey(std::string_view id) { return StrCat("uploads/", id); }
std::string DirectKey(std::string_view id) { return StrCat("direct/", id); }

std::string AnalysisKey(std::string_view id, std::string_view kind) {
  const size_t point = kind.find('.');
  const std::string_view name =
      point == std::string_view::npos ? "transcript" : kind.substr(point + 1);
  return StrCat(id, "/", kind.substr(0, point), "/", name, ".json");
}

std::string TempKey(std::string_view job_id) { return StrCat("jobs/", job_id); }

std::optional<MediaName> ResolveMediaKey(std::string_view key, int64_t revision) {
  const std::vector<std::string_view> parts = SplitAtSlashes(key);
  if (parts.size() == 2 && parts[0] == "originals") {
    return Named(Without(parts[1], ".jpg"), 0, Size::kOriginal);
  }
  if (parts.size() == 2 && parts[0] == "processed") {
    if (auto id = Without(parts[1], "_large.webp")) {
      return Named(std::move(id), revision, Size::kLarge);
    }
    return Named(Without(parts[1], "_medium.webp"), revision, Size::kMedium);
  }
  if (parts.size() == 3 && parts[1] == kProxyFolder && parts[2] == kProxyName) {
    return Named(std::string(parts[0]), 0, Size::kProxy);
  }
  if (parts.size() < 3 || parts[0] != "images") {
    return std::nullopt;
  }
  if (parts.size() == 3) {
    if (const auto size = SizeOf(parts[2])) {
      return Named(std::string(parts[1]), 0, *size);
    }
    return Named(Without(parts[2], ".webp"), revision, Size::kLarge);
  }
  if (parts.size() == 4 && parts[2] == "thumbnails") {
    return Named(Without(parts[3], ".webp"), revision, Size::kThumb);
  }
  if (parts.size() == 4) {
    const auto size = SizeOf(parts[3]);
    const auto edited = RevisionOf(parts[2]);
    if (size && edited) {
      return Named(std::string(parts[1]), *edited, *size);
    }
  }
  return std::nullopt;
}

bool IsPersonKey(std::string_view key) {
  const std::vector<std::string_view> parts = SplitAtSlashes(key);
  return parts.size() == 2 && parts[0] == "persons" && Without(parts[1], ".jpg").has_value();
}

std::string ProfilePictureFolder(std::string_view email) {
  std::string component;
  for (const char c : email) {
    if (c == '/' || c == '%') {
      component += c == '/' ? "%2F" : "%25";
    } else {
      component += c;
    }
  }
  return StrCat(kProfilePictures, "/", component, "/");
}

std::string ProfilePictureKey(std::string_view email) {
  return StrCat(ProfilePictureFolder(email), kProfilePicture);
}

std::optional<std::string> ProfilePictureOwner(std::string_view key) {
  const std::vector<std::string_view> parts = SplitAtSlashes(key);
  if (parts.size() != 3 || parts[0] != kProfilePictures || parts[1].empty() ||
      parts[2] != kProfilePicture) {
    return std::nullopt;
  }
  return PercentDecode(parts[1]);
}

std::string ProfilePictureLinkKey(std::string_view account_id) {
  return StrCat(kProfilePictures, "/", account_id, "/", kProfilePicture);
}

std::string ImageServiceKey(std::string_view user_id, std::string_view id) {
  return StrCat("images/", user_id, "/", id, ".webp");
}

std::string ImageServiceThumbnailKey(std::string_view user_id, std::string_view id) {
  return StrCat("images/", user_id, "/thumbnails/", id, ".webp");
}

std::string SparksOriginalKey(std::string_view id) { return StrCat("originals/", id, ".jpg"); }
std::string SparksLargeKey(std::string_view id) { return StrCat("processed/", id, "_large.webp"); }
std::string SparksMediumKey(std::string_view id) {
  return StrCat("processed/", id, "_medium.webp");
}

std::string MediaUrl(std::string_view public_url, std::string_view key, int64_t revision) {
  return StrCat(public_url, "/media/", key, "?revision=", revision);
}

}  // namespace tintype::flows
