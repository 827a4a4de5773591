#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "contexts/catalog/image.h"
#include "flows/parts.h"

/// Making the renditions of many images anew. One piece of work goes over the images and queues one
/// for each that is chosen, a few at a time and behind everything else; where it got to is in its
/// input, so that it goes on after a crash as all work does.
namespace tintype::flows {

using RebuildParts =
    Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, IdsPart, CatalogPart, BacklogPart>;

/// Goes over the images. There is one at a time, and this is its id too.
inline constexpr std::string_view kRebuildWork = "rebuild-renditions";
/// Rebuilds one image: pipeline/rebuild_step.h.
inline constexpr std::string_view kRebuildImageWork = "rebuild-image";

/// How many images wait to be rebuilt, at most; that many fit one transaction.
inline constexpr int64_t kRebuildQueuedMax = 64;
/// How many images can be named at once.
inline constexpr size_t kRebuildNamedMax = 1000;

struct RebuildRequest {
  enum class Which {
    kAll,
    kUser,     ///< Those of `user_id`.
    kImages,   ///< `image_ids`.
    kMissing,  ///< Those that lack a rendition.
    kFailed,   ///< Those that could not be developed.
  };
  Which which = Which::kAll;
  std::string user_id = {};
  std::vector<std::string> image_ids = {};
};

struct RebuildProgress {
  int64_t total = 0;   // Images to look at, when it began.
  int64_t seen = 0;    // Looked at so far.
  int64_t queued = 0;  // Of those, chosen to be rebuilt.
  int64_t left = 0;    // Of those, not done yet.
  int64_t failed = 0;  // Of those, given up, for somebody to look at.
  bool seen_all = false;
  int64_t started_ms = 0;

  int64_t rebuilt() const { return queued - left - failed; }
};

/// How many images would be looked at, and rebuilt. `go_on` is asked now and then.
Result<RebuildProgress> CountRebuild(const RebuildParts& parts, const RebuildRequest& request,
                                     const std::function<bool(const RebuildProgress&)>& go_on);

/// Begins, or finds that the same has begun and goes on. Errors: kNotFound for an image that is
/// named and does not exist; kInUse while another choice of images is being rebuilt; kValidation
/// when no images are named, or more than may be. One that is named twice is rebuilt once.
Status StartRebuild(const RebuildParts& parts, const RebuildRequest& request);

/// How far it has come; nothing when none is going on.
Result<std::optional<RebuildProgress>> FindRebuild(const RebuildParts& parts);

/// What came of one that was going on when `last` was found, and is not any more.
struct RebuildOutcome {
  RebuildProgress progress;
  /// False: somebody took it out of the backlog, or it could not go on, before it was through.
  bool complete = false;
};
Result<RebuildOutcome> FindRebuildOutcome(const RebuildParts& parts, const RebuildProgress& last);

/// One turn: looks at some images and queues those that are chosen, or waits for those that are
/// queued, or ends. `work` is leased.
Status ContinueRebuild(const RebuildParts& parts, const contexts::backlog::Work& work);

/// The work that rebuilds one image.
contexts::backlog::Work RebuildImageWork(const contexts::catalog::Image& image);

/// Whether the upload of an image is still being worked on, so that there is nothing to make anew.
Result<bool> IsBeingDeveloped(const Uses<BacklogPart>& parts,
                              const contexts::catalog::Image& image);

}  // namespace tintype::flows
