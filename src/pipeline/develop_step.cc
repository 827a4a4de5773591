#include "pipeline/develop_step.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/analysis/kind_specs.h"
#include "contexts/common/transaction.h"
#include "darkroom/media_type.h"
#include "flows/images/delete_image.h"
#include "flows/images/develop.h"
#include "flows/images/keep_hash.h"
#include "flows/media_keys.h"
#include "json/writer.h"
#include "pipeline/media/develop_media.h"
#include "pipeline/renditions.h"

namespace tintype::pipeline {
namespace {

using contexts::Transaction;
using contexts::analysis::KindResult;
using contexts::backlog::Work;
using contexts::catalog::Image;
using darkroom::Damage;

/// The blob that the analysis record points at.
std::string PropertiesJson(const darkroom::Developed& developed) {
  json::Writer json;
  json.OpenObject();
  json.Integer("width", developed.original.width);
  json.Integer("height", developed.original.height);
  json.Bool("hasAlpha", developed.original.has_alpha);
  json.Bool("truncated", developed.original.damage != Damage::kNone);
  json.Name("brightness").Number(developed.properties.brightness);
  json.Name("contrast").Number(developed.properties.contrast);
  json.Name("sharpness").Number(developed.properties.sharpness);
  json.Name("dominantColors");
  json.OpenArray();
  for (const darkroom::DominantColor& color : developed.properties.dominant_colors) {
    json.OpenObject();
    json.Text("hex", HexColor(color));
    json.Name("percent").Number(color.percent);
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  return std::move(json).Take();
}

Result<KindResult> StoreProperties(flows::Product& product, const Work& work,
                                   const darkroom::Developed& developed,
                                   const std::string& started_at) {
  const blobs::BlobKey key{product.config.images_bucket,
                           flows::AnalysisKey(work.uuid, contexts::analysis::kImageProperties)};
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create(key));
  RETURN_IF_ERROR(writer->Write(PropertiesJson(developed)));
  RETURN_IF_ERROR(writer->Commit());
  KindResult kind;
  kind.path = {"image", "properties"};
  kind.status = contexts::analysis::MediaStatus::kCompleted;
  kind.output = StrCat("s3://", key.bucket, "/", key.key);
  kind.job_id = work.id;
  kind.start_time = started_at;
  kind.end_time = TimeText(product.clock.NowMs());
  return kind;
}

/// Every kind for a medium. What analyzers there are says nothing about `done`, which needs none.
Result<std::vector<KindResult>> Plan(flows::Product& product, const Analyzers& analyzers,
                                     const std::string& id, std::string_view done = "") {
  ASSIGN_OR_RETURN(const auto wanted, product.analysis.FindWanted(id));
  return contexts::analysis::PlanKinds(wanted.type, wanted.options, [&](const std::string& kind) {
    return kind == done ? std::nullopt : analyzers.WhyUnavailable(kind);
  });
}

/// Every kind for a medium, of which one has ended.
Result<std::vector<KindResult>> PlanWith(flows::Product& product, const Analyzers& analyzers,
                                         const std::string& id, KindResult ended) {
  ASSIGN_OR_RETURN(std::vector<KindResult> kinds, Plan(product, analyzers, id, NameOf(ended)));
  const auto place = std::ranges::find(kinds, ended.path, &KindResult::path);
  CHECK(place != kinds.end());
  *place = std::move(ended);
  return kinds;
}

contexts::catalog::Exif ExifOf(const darkroom::ExifData& read) {
  contexts::catalog::Exif exif;
  exif.camera = read.camera;
  exif.lens = read.lens;
  exif.iso = read.iso;
  exif.shutter_speed = read.shutter_speed;
  exif.taken_at = read.taken_at;
  exif.aperture = read.aperture;
  exif.focal_length = read.focal_length;
  if (read.place) {
    exif.place = {read.place->latitude, read.place->longitude, read.place->altitude};
  }
  return exif;
}

std::string WordsFor(const darkroom::Original& original) {
  if (original.damage == Damage::kDamaged) {
    return "A part of this file is damaged. Upload it again from a good copy.";
  }
  const std::optional<int32_t> percent = original.percent_there;
  if (percent == 100) {
    return "This file ends early. The whole picture is there; anything after it is lost.";
  }
  return StrCat("This file ends in the middle.",
                percent ? StrCat(" About ", *percent, " % of the picture is there.") : "",
                " Upload the whole file.");
}

std::optional<contexts::catalog::ProcessingWarning> WarningOf(const darkroom::Original& original) {
  if (original.damage == Damage::kNone) {
    return std::nullopt;
  }
  return contexts::catalog::ProcessingWarning{std::string(DamageName(original.damage)),
                                              WordsFor(original), original.percent_there};
}

contexts::catalog::Development DevelopmentOf(const flows::Product& product,
                                             const Renditions& renditions) {
  contexts::catalog::Development development;
  development.width = renditions.developed.original.width;
  development.height = renditions.developed.original.height;
  development.processed_size = renditions.large_bytes;
  development.format = "webp";
  development.quality = product.config.quality;
  development.exif = ExifOf(renditions.developed.exif);
  if (renditions.developed.original.pages > 1) {
    development.media.pages = renditions.developed.original.pages;
  }
  development.appearance = AppearanceOf(renditions.developed.properties);
  development.perceptual_hash = renditions.developed.properties.perceptual_hash;
  development.warning = WarningOf(renditions.developed.original);
  return development;
}

Result<flows::DevelopResult> DevelopPicture(flows::Product& product, darkroom::Darkroom& imaging,
                                            const Analyzers& analyzers, std::string_view account_id,
                                            const Work& work, const std::string& started_at) {
  const std::string original = flows::StoredKey(work.uuid, 0, flows::Size::kOriginal);
  ASSIGN_OR_RETURN(const Renditions renditions,
                   StoreRenditions(product, imaging, account_id, {original, work.uuid, 0}));
  flows::DevelopResult result;
  result.development = DevelopmentOf(product, renditions);
  result.made_bytes = renditions.bytes;
  ASSIGN_OR_RETURN(KindResult properties,
                   StoreProperties(product, work, renditions.developed, started_at));
  ASSIGN_OR_RETURN(result.kinds, PlanWith(product, analyzers, work.uuid, std::move(properties)));
  RETURN_IF_ERROR(flows::KeepHash(product, work, renditions.developed.properties.perceptual_hash));
  return result;
}

Result<flows::DevelopResult> DevelopNoPicture(flows::Product& product, const Helpers& helpers,
                                              const Image& image) {
  switch (darkroom::KindOfMediaType(image.mime_type)) {
    case darkroom::MediaKind::kVideo:
    case darkroom::MediaKind::kAudio:
      return DevelopPlayable(product, helpers, image);
    case darkroom::MediaKind::kDocument:
      return DevelopDocument(product, helpers, image);
    case darkroom::MediaKind::kImage:
    case darkroom::MediaKind::kOther:
      break;
  }
  return KeepAsItIs(image);
}

/// What is looked for in files of a type may be something that this one does not have.
void SkipWhatItLacks(const Image& image, flows::DevelopResult& result) {
  const bool shows_nothing = result.development.width == 0;
  const bool is_silent = result.details.document.empty() && result.details.audio.empty();
  for (KindResult& kind : result.kinds) {
    const bool hears = kind.path.front() == "transcribe" || kind.path.front() == "comprehend";
    if (kind.status != contexts::analysis::MediaStatus::kNotStarted ||
        (!shows_nothing && !(hears && is_silent))) {
      continue;
    }
    kind.status = contexts::analysis::MediaStatus::kSkipped;
    kind.reason = shows_nothing
                      ? StrCat(
                            "The media type does not have it: nothing can be read out "
                            "of files of the type ",
                            image.mime_type, ".")
                      : "The media type does not have it: there is no sound in this file.";
  }
}

/// Something is not there: the image was deleted, and with it everything that is left of it goes;
/// or its original is lost, which the image has to say.
Status EndWithout(flows::Product& product, const Work& work, const Error& error,
                  const std::string& started_at) {
  ASSIGN_OR_RETURN(const auto image, product.catalog.Find(work.uuid));
  if (image) {
    return flows::FailDevelopment(product, work, error.message(), started_at);
  }
  RETURN_IF_ERROR(flows::DeleteBlobs(product, work.uuid));
  return Transaction(StrCat("forget ", work.id))
      .Add(product.backlog.Complete(work))
      .Commit(product.database, product.retries);
}

Status Develop(flows::Product& product, const Helpers& helpers, const Analyzers& analyzers,
               const Work& work, const std::string& started_at) {
  ASSIGN_OR_RETURN(const std::string account_id, flows::KeepOriginal(product, work));
  const Result<flows::DevelopResult> result =
      DevelopOriginal(product, helpers, analyzers, account_id, work, started_at);
  if (!result.ok() && darkroom::IsPermanent(result.error())) {
    return flows::FailDevelopment(product, work, result.error().message(), started_at);
  }
  return result.ok() ? flows::FinishDevelopment(product, work, *result, started_at)
                     : Status(result.error());
}

}  // namespace

Result<flows::DevelopResult> DevelopOriginal(flows::Product& product, const Helpers& helpers,
                                             const Analyzers& analyzers,
                                             std::string_view account_id, const Work& work,
                                             const std::string& started_at) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  if (!image) {
    return Error::NotFound("The image was deleted.");
  }
  if (darkroom::CanDevelop(image->mime_type)) {
    return DevelopPicture(product, helpers.imaging, analyzers, account_id, work, started_at);
  }
  Result<flows::DevelopResult> result = DevelopNoPicture(product, helpers, *image);
  if (result.ok()) {
    ASSIGN_OR_RETURN(result->kinds, Plan(product, analyzers, image->id));
    SkipWhatItLacks(*image, *result);
  }
  return result;
}

Step DevelopStep(flows::Product& product, const Helpers& helpers, const Analyzers& analyzers) {
  Step step;
  step.run = [&product, helpers, &analyzers](const Work& work) -> Status {
    const std::string started_at = TimeText(product.clock.NowMs());
    const Status done = Develop(product, helpers, analyzers, work, started_at);
    const bool missing = !done.ok() && done.error().kind() == ErrorKind::kNotFound;
    return missing ? EndWithout(product, work, done.error(), started_at) : done;
  };
  // The original stays; once the cause is mended, the work can be replayed.
  step.when_dead = [&](const Work& work, const Error& error) {
    return flows::FailDeadDevelopment(product, work, error.message());
  };
  step.when_lost = [&](const Work& work) { return flows::DeleteBlobsOfGone(product, work.uuid); };
  return step;
}

}  // namespace tintype::pipeline
