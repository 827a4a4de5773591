#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "flows/product.h"
#include "imports/source.h"

namespace tintype::imports {

struct ImportRequest {
  std::optional<std::string> album_id;
  bool dry_run = false;  // Only say what would be done, without reading whole files.
  uint64_t file_bytes_max = 0;
};

/// How far it has come, of what the source had when it was looked at first.
struct ImportProgress {
  uint64_t files = 0;
  uint64_t files_total = 0;
  uint64_t bytes = 0;
  uint64_t bytes_total = 0;
  bool counting = true;  // The totals are still growing, and nothing is imported yet.
  bool waiting = false;  // For photos to be developed.
  /// When all files are through: how many of the photos waited for are developed.
  uint64_t developed = 0;
  uint64_t developing_total = 0;
};

/// What the import needs to know of the process that it runs in.
struct ImportHost {
  /// Whether somebody develops photos meanwhile, so that it makes sense to wait.
  bool has_workers = false;
  /// Called often, at least once a megabyte. False: stop.
  std::function<bool(const ImportProgress& progress)> progress;
};

struct ImportResult {
  int64_t files = 0;     // That were looked at.
  int64_t imported = 0;  // Of a dry run: that would be.
  int64_t imported_bytes = 0;
  int64_t known = 0;       // Recorded by an earlier import, and not changed since.
  int64_t duplicates = 0;  // The user has the same bytes already.
  int64_t restored = 0;    // Of those: they were in the trash, and have come back.
  int64_t failed = 0;
  std::map<std::string, int64_t> unsupported;  // Files that are no photos, by media type.
  PassedOver passed_over;
  /// Of a dry run: how many would not fit what is left of the account's limit.
  std::optional<int64_t> over_limit;
  // As many as a person reads: files that are no photos, and what went wrong.
  std::vector<std::string> unsupported_files;
  std::vector<std::string> problems;
  /// Of photos that were imported: why a part of the picture is missing, or all of it. Where nobody
  /// develops photos meanwhile, nothing is known of that.
  int64_t damaged = 0;
  std::vector<std::string> damaged_files;
  int64_t undeveloped = 0;  // Those that the import waited for in vain.
  /// Why it ended before it was through, if it did.
  std::optional<Error> stopped;
};

/// Copies the photos of a source into the product, as uploads of one account. One file after the
/// other; a failure of one is noted, and the next one follows.
///
/// May be repeated: what was imported is recorded by path, size and time of change, and is not read
/// again, not even when the image has been deleted since; other files with bytes that the account
/// has are not taken twice. Killed at any moment it leaves an upload that is given up, which the
/// next run does at once. Stops when the account's limit is reached or the disk is nearly full;
/// waits while many photos wait to be developed.
/// Errors: kNotFound or kIo when the source cannot be read; those of the tables. Not to be run
/// twice at once for one account.
Result<ImportResult> Import(flows::Product& product, const flows::Account& account, Source& source,
                            const ImportRequest& request, const ImportHost& host);

}  // namespace tintype::imports
