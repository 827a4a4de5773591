#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "flows/scrub.h"
#include "tables/language/values/value.h"

/// The parts of the scrub; flows/scrub.h has it as a whole.
namespace tintype::flows::scrub {

using Place = std::map<std::string, std::string>;

/// Where a scan goes on, as a place and back. Keys of the product's tables are texts.
Place PlaceOf(const std::optional<tables::Item>& after);
std::optional<tables::Item> KeyAt(const Place& place);

/// Whether a text can be the id of an image. Others may write any: it becomes part of other keys,
/// and of paths.
bool CanBeImageId(std::string_view id);

/// One run of the scrub: what it may use, what it has found, whom it tells. Not thread-safe.
class Run {
 public:
  Run(const ScrubParts& from_parts, const ScrubOptions& from_options, ScrubState state,
      const ScrubEvents& events);

  const ScrubParts& parts;
  const ScrubOptions& options;

  const ScrubState& state() const { return state_; }
  ScrubCounts& counts() { return state_.counts; }

  /// Keeps findings, each once: after an interruption the same may be found again.
  void Report(const std::vector<Finding>& findings);

  /// Everything before `place` is done: an interrupted scrub goes on from there. Errors: as GoOn.
  Status Advance(Place place);
  /// The stage ends, and the next one begins.
  Status BeginStage(std::string_view stage);
  /// Errors: kUnavailable when it is to stop.
  Status GoOn();
  /// Waits so long that `bytes`, which were read just now, are no more than may be read in a
  /// second. Errors: as GoOn.
  Status KeepPace(int64_t bytes);

  /// Whether background work will change what is there of an image, so that nothing can be said.
  Result<bool> IsInProgress(std::string_view id);
  /// Whether there is an image of that id, or will be, or it is about to go with all it has.
  Result<bool> HasOwner(const std::string& id);

 private:
  Status Save();

  const ScrubEvents& events_;
  ScrubState state_;
  int64_t saved_ms_ = 0;
  int64_t read_until_ms_ = 0;  // When what was read so far may have been read.
  std::string known_;  // The last one that has an owner: keys of one image follow each other.
};

}  // namespace tintype::flows::scrub
