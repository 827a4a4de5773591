#include "contexts/analysis/kind_specs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/strings.h"

namespace tintype::contexts::analysis {
namespace {

constexpr std::string_view kImage = "image";
constexpr std::string_view kVideo = "video";
constexpr std::string_view kAudio = "audio";
constexpr std::string_view kDocument = "document";
constexpr std::string_view kTranscribe = "transcribe";

std::string_view Article(std::string_view media_type) {
  return media_type == kImage || media_type == kAudio ? "an " : "a ";
}

/// The name of the kind that one reads; empty for none.
std::string_view ReadBy(const KindResult& kind) {
  const auto spec = std::ranges::find(KindSpecs(), kind.path, &KindSpec::path);
  return spec == KindSpecs().end() ? "" : spec->reads;
}

}  // namespace

const std::vector<KindSpec>& KindSpecs() {
  static const std::vector<KindSpec> specs = {
      {{"rekognition", "celeb"}, "celeb", {kImage, kVideo}},
      {{"rekognition", "face"}, "face", {kImage, kVideo}},
      {{"rekognition", "label"}, "label", {kImage, kVideo}},
      {{"rekognition", "moderation"}, "moderation", {kImage, kVideo}},
      {{"rekognition", "text"}, "text", {kImage, kVideo}},
      {{"transcribe"}, "transcribe", {kVideo, kAudio}},
      {{"comprehend", "keyphrase"}, "keyphrase", {kVideo, kAudio, kDocument}, kTranscribe},
      {{"comprehend", "entity"}, "entity", {kVideo, kAudio, kDocument}, kTranscribe},
      {{"comprehend", "sentiment"}, "sentiment", {kVideo, kAudio, kDocument}, kTranscribe},
      {{"image", "properties"}, "", {kImage}},
  };
  return specs;
}

bool Waits(const KindResult& kind, const std::vector<KindResult>& kinds) {
  const std::string_view read = ReadBy(kind);
  return !read.empty() && std::ranges::any_of(kinds, [&](const KindResult& other) {
    const bool is_open =
        other.status == MediaStatus::kNotStarted || other.status == MediaStatus::kInProgress;
    return is_open && NameOf(other) == read;
  });
}

std::vector<KindResult> ReadersOf(std::string_view name, const std::vector<KindResult>& kinds) {
  std::vector<KindResult> readers;
  std::ranges::copy_if(kinds, std::back_inserter(readers),
                       [&](const KindResult& kind) { return ReadBy(kind) == name; });
  return readers;
}

std::vector<KindResult> PlanKinds(std::string_view media_type, const AiOptions& options,
                                  const WhyUnavailable& unavailable) {
  std::vector<KindResult> kinds;
  for (const KindSpec& spec : KindSpecs()) {
    KindResult kind;
    kind.path = spec.path;
    if (std::ranges::find(spec.media_types, media_type) == spec.media_types.end()) {
      kind.reason = StrCat("The media type does not have it: ", Article(media_type), media_type,
                           " is none of ", StrJoin(spec.media_types, ", "), ".");
    } else if (!spec.option.empty() && !options.Wants(spec.option)) {
      kind.reason = StrCat("aiOptions turned it off: '", spec.option, "' is not among them.");
    } else {
      kind.reason = unavailable(NameOf(kind));
    }
    kind.status = kind.reason ? MediaStatus::kSkipped : MediaStatus::kNotStarted;
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

}  // namespace tintype::contexts::analysis
