#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace tintype::cli {

/// The name of the file of an interrupted scrub, which no backup has.
inline constexpr const char* kScrubStateName = "scrub.state";

/// The name of the file that is about this node's chain of the audit, which no backup has.
inline constexpr const char* kAuditHeadName = "audit.head";
/// The same of what commands did in this directory while no server ran.
inline constexpr const char* kAuditPendingName = "audit.pending";

/// Where the parts of a data directory are. The directory holds:
///   FORMAT        the version of everything in it, as `tintype N`
///   NODE          which node this is, among those that work on the same tables
///   GALLERY       the id of the gallery that the directory belongs to (gallery/membership.h)
///   TABLES        where the tables are, if that is elsewhere (settings/tables_place.h)
///   BLOBS         where the photos are: in files, or in which buckets (settings/blob_place.h)
///   credentials   the access keys, as an AWS profile file
///   master.key    the key that the tables are encrypted under, until the operator moves it out;
///                 master.key.new while it is rotated, master.key.FINGERPRINT for earlier ones
///   tables/       the embedded engine's RocksDB
///   secret        random bytes that links, cursors and sealed keys are made with
///   (tables/sealing.h) audit.head    how far this node's chain of the audit goes
///   (access/audit/witness.h) audit.pending what commands did while no server ran, for the audit
///   (audit/pending_acts.h) setup-token   what the first account needs, until there is one
///   scrub.state   where a scrub stopped that was interrupted (commands/scrub_checkpoint.h)
///   cache/        what can be made again: pictures in sizes that links asked for
///   SEALED        says that some files in blobs/ may be encrypted
///   blobs/        photos and what was made of them, by bucket and key
///   uploads/      photos that are on their way and may go on after an interruption
///   transfers/    what is known of exports and imports
///   exports/      exported tables, unless --export-dir says otherwise
struct DataDirectory {
  std::string path;
  /// Whether files beside the tables may be encrypted; those from before need not be.
  bool sealed_files = false;

  std::string credentials() const { return path + "/credentials"; }
  std::string secret() const { return path + "/secret"; }
  std::string audit_head() const { return path + "/" + kAuditHeadName; }
  std::string audit_pending() const { return path + "/" + kAuditPendingName; }
  std::string setup_token() const { return path + "/setup-token"; }
  std::string node() const { return path + "/NODE"; }
  std::string gallery() const { return path + "/GALLERY"; }
  std::string tables_place() const { return path + "/TABLES"; }
  std::string blob_place() const { return path + "/BLOBS"; }
  std::string blobs() const { return path + "/blobs"; }
  std::string sealed_blobs() const { return path + "/SEALED"; }
  std::string resized_pictures() const { return path + "/cache/resized"; }
  std::string encrypted_resized_pictures() const { return path + "/cache/resized-encrypted"; }
  std::string uploads() const { return path + "/uploads"; }
  std::string tables() const { return path + "/tables"; }
  std::string table_backups() const { return path + "/backups"; }
  std::string transfers() const { return path + "/transfers"; }
  std::string scrub_state() const { return path + "/" + kScrubStateName; }
  std::string master_key() const { return path + "/master.key"; }
  std::string next_master_key() const { return path + "/master.key.new"; }
  std::string kept_master_key(const std::string& fingerprint) const {
    return path + "/master.key." + fingerprint;
  }
};

/// Opens a data directory, creating it (mode 0700) with its FORMAT file when there is none or it is
/// empty. Errors: kValidation when it holds something else, or a format that this version does not
/// know; kNotFound or kIo when the system refuses. All name the path.
Result<DataDirectory> OpenOrCreateDataDirectory(const std::string& path);

/// As above, but never creates anything: kNotFound when there is no data directory.
Result<DataDirectory> OpenDataDirectory(const std::string& path);

/// Says in FORMAT that files beside the tables may be encrypted, before the first one is: programs
/// that do not know such files refuse the directory from then on. On disk when it returns. Errors:
/// kIo.
Status AllowSealedFiles(const DataDirectory& directory);

/// The name of the node that works in this directory: made up at the first call, the same ever
/// after. A copy of the directory must have another. Errors: kCorruption, naming the file, for what
/// cannot be a name.
Result<std::string> NodeOf(const DataDirectory& directory);

/// The id of the gallery that the directory belongs to; nothing until that is recorded. Errors:
/// kCorruption, naming the file, for what cannot be an id.
Result<std::optional<std::string>> FindGalleryId(const DataDirectory& directory);

/// Records it; on disk when it returns.
Status RecordGalleryId(const DataDirectory& directory, const std::string& id);

}  // namespace tintype::cli
