#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "flows/parts.h"

/// Looks whether everything fits together. The checks are in the folder `scrub`, a file for each
/// kind.
namespace tintype::flows {

using ScrubParts =
    Uses<ConfigPart, DatabasePart, BlobsPart, SpoolPart, HashingPart, ClockPart, AccountsPart,
         CatalogPart, IntakePart, PeoplePart, AnalysisPart, JobsPart, BacklogPart>;

/// Something that does not fit.
struct Finding {
  std::string kind;    // For example `missing-blob`.
  std::string id;      // The image it is about, if it is about one.
  std::string detail;  // What does not fit.
  std::string next;    // What to do about it.

  bool operator==(const Finding&) const = default;
};

struct ScrubOptions {
  /// Whether originals are read, and what they contain is compared with what was uploaded.
  bool read_originals = true;
  /// How many bytes a second are read, at most. 0: as fast as it goes.
  int64_t read_bytes_per_s = 0;
  /// How much work may be lost when the process is killed.
  std::chrono::milliseconds save_interval{2000};
  /// Waits; for tests. Empty: the thread sleeps.
  std::function<void(std::chrono::milliseconds)> sleep = {};
};

struct ScrubCounts {
  int64_t images = 0;
  int64_t files = 0;    // That records of images name.
  int64_t records = 0;  // Of other contexts, and what hangs on images.
  int64_t blobs = 0;    // In the store, whoever names them.
  int64_t bytes_read = 0;
  int64_t in_progress = 0;  // Images that background work is at, which are left out.
  int64_t findings = 0;

  int64_t images_total = 0;  // As it was when the scrub began.
  int64_t bytes_total = 0;   // Of originals.
  int64_t bytes_passed = 0;  // Of originals that are behind, read or not.

  bool operator==(const ScrubCounts&) const = default;
};

/// As many findings as a person reads are kept; all are counted.
inline constexpr size_t kFindingsMax = 1000;

/// How far a scrub has come and what it has found: all that it takes to go on later.
struct ScrubState {
  std::string stage = {};                         // Empty: it has not begun.
  std::map<std::string, std::string> place = {};  // In the stage; empty: at its beginning.
  ScrubCounts counts = {};
  std::vector<Finding> findings = {};

  bool operator==(const ScrubState&) const = default;
};

struct ScrubEvents {
  /// Is told of everything that was looked at, at least once for every few megabytes; answers
  /// whether to go on.
  std::function<bool(const ScrubState&)> progress;
  /// Keeps a state from which Scrub can go on. An error ends the scrub.
  std::function<Status(const ScrubState&)> save;
};

/// Checks that every record has its blobs, every blob its record, every original the bytes that
/// were uploaded, and that every copy equals its master, which exists. Goes on from `from`; returns
/// how it ended. Changes nothing, and may run while everything is in use: a misfit is looked at
/// again, and is not reported if it has changed meanwhile. Errors: those of the tables and blobs;
/// kUnavailable when it was stopped. After an error it can go on from what was saved last.
Result<ScrubState> Scrub(const ScrubParts& parts, const ScrubOptions& options, ScrubState from,
                         const ScrubEvents& events);

}  // namespace tintype::flows
