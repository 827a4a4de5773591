#include "contexts/analysis/kind_specs.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace tintype::contexts::analysis {
namespace {

constexpr std::string_view kImage = "image";
constexpr std::string_view kVideo = "video";
constexpr std::string_view kAudio = "audio";
constexpr std::string_view kDocument = "document";

std::string_view Article(std::string_view media_type) {
  return media_type == kImage || media_type == kAudio ? "an " : "a ";
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
      {{"comprehend", "keyphrase"}, "keyphrase", {kVideo, kAudio, kDocument}},
      {{"comprehend", "entity"}, "entity", {kVideo, kAudio, kDocument}},
      {{"comprehend", "sentiment"}, "sentiment", {kVideo, kAudio, kDocument}},
      {{"image", "properties"}, "", {kImage}},
  };
  return specs;
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
