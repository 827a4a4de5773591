#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/analysis/analysis.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/catalog.h"
#include "contexts/intake/quotas.h"
#include "flows/media_keys.h"
#include "flows/parts.h"

/// What becomes of an upload in the background: the documents' resizer, its records and the
/// analysis record. The pictures themselves are made by the pipeline, between the two halves.
namespace tintype::flows {

using DevelopmentParts = Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, AccountsPart,
                              CatalogPart, AnalysisPart, BacklogPart>;

inline constexpr std::string_view kDevelopWork = "develop";
contexts::backlog::Work DevelopWork(const contexts::catalog::Image& image,
                                    const std::optional<std::string>& correlation_id);
/// How long a worker takes at most to develop an ordinary upload of that size (backlog/turns.h).
/// How many pixels it has, which would tell more, nobody knows yet.
std::chrono::milliseconds DevelopCost(int64_t bytes);
/// How long one takes at most to make a picture and its renditions anew, of an image that has been
/// developed.
std::chrono::milliseconds PictureCost(const contexts::catalog::Image& image);

/// Takes what was uploaded to the place of the original, unless that was done before. Errors:
/// kNotFound when there is neither.
Status PlaceOriginal(const DevelopmentParts& parts, std::string_view id);

/// The first half: the original goes from the uploads to the images bucket, and `sizes` says so.
/// May have been done before, in whole or in part. The result is the id of the image's owner.
/// Errors: kNotFound when the image was deleted.
Result<std::string> KeepOriginal(const DevelopmentParts& parts,
                                 const contexts::backlog::Work& work);

/// What is made of an image: all of kSizes.
std::vector<Size> AllSizes();

struct DevelopResult {
  contexts::catalog::Development development;
  contexts::analysis::MediaDetails details = {};
  /// Which stored sizes there are, as `photos.sizes` has them.
  std::vector<Size> sizes = AllSizes();
  /// A copy is to be made that every browser plays: media are ready for being looked at before it.
  bool needs_proxy = false;
  /// Every kind of analysis: those that are to be done as not started. A record whose image was
  /// developed before keeps what it has, but for those that have ended here.
  std::vector<contexts::analysis::KindResult> kinds;
  /// Of everything that is kept of the image beside the original.
  int64_t made_bytes = 0;
  /// Where edits may end meanwhile: what the image was charged with before they were counted.
  std::optional<contexts::intake::ChargeView> seen_charge = {};
};

/// The second half: all records say that everything is there, and the work is complete. Errors:
/// intake::kChargeIsAnother when an edit has ended since `seen_charge`, so that all is to be
/// counted anew.
Status FinishDevelopment(const DevelopmentParts& parts, const contexts::backlog::Work& work,
                         const DevelopResult& result, std::string_view started_at);

/// Instead of it, when there is nothing to be made of the original, which stays. With it, every
/// kind of analysis fails that its type has.
Status FailDevelopment(const DevelopmentParts& parts, const contexts::backlog::Work& work,
                       std::string_view error, std::string_view started_at);

/// The same for work that was tried often enough: what is committed with its death.
contexts::Pieces FailDeadDevelopment(const DevelopmentParts& parts,
                                     const contexts::backlog::Work& work, std::string_view error);

}  // namespace tintype::flows
