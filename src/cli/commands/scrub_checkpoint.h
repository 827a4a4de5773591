#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/settings/data_directory.h"
#include "contexts/common/secrets.h"
#include "flows/scrub.h"

/// Where a scrub stopped, in the data directory, so that an interrupted one goes on: the file
/// `scrub.state`, one line of JSON, sealed since findings name accounts. It goes when the scrub
/// ends, and is in no backup.
namespace tintype::cli {

struct ScrubCheckpoint {
  std::string version;   ///< Of the program that wrote it.
  std::string settings;  ///< What the scrub looks at; with others it would be another scrub.
  std::string began;     ///< ISO 8601.
  flows::ScrubState state;

  bool operator==(const ScrubCheckpoint&) const = default;
};

/// Without the newline.
std::string FormatCheckpoint(const ScrubCheckpoint& checkpoint);
/// Errors: kValidation for what is none, or not one of this format.
Result<ScrubCheckpoint> ParseCheckpoint(std::string_view line);

struct FoundCheckpoint {
  std::optional<ScrubCheckpoint> checkpoint;
  /// Why there is none to go on from, though there is a file.
  std::string ignored;
};
/// The key that the file is sealed with.
contexts::Key256 CheckpointKeyOf(std::string_view secret);
/// One that `wanted` could go on from: of its version and settings. Errors: kIo.
Result<FoundCheckpoint> FindCheckpoint(const DataDirectory& directory, const contexts::Key256& key,
                                       const ScrubCheckpoint& wanted);

Status KeepCheckpoint(const DataDirectory& directory, const contexts::Key256& key,
                      const ScrubCheckpoint& checkpoint);
/// That there is none is fine.
Status ForgetCheckpoint(const DataDirectory& directory);

}  // namespace tintype::cli
