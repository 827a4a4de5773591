#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::system {

/// What all nodes that work on the same tables have to agree on.
struct GalleryTerms {
  std::string id;           // Which gallery it is: a ULID.
  std::string stack;        // In the names of Media2Cloud's tables.
  std::string environment;  // In the name of the photo editor's table.
  /// Where the photos are, as the line that data/BLOBS has. Nothing until a node has reached the
  /// storage.
  std::optional<std::string> blobs;
};

/// The refusal of `GalleryRecord::Create`: another node was quicker.
inline constexpr Reason kGalleryRecorded{ErrorKind::kConditionFailed, "GalleryRecorded"};
/// The refusal of `GalleryRecord::SetBlobs`: the record is not what was read.
inline constexpr Reason kGalleryChanged{ErrorKind::kConditionFailed, "GalleryChanged"};

/// The item `GALLERY` / `GALLERY` of the table `tintype`. Thread-safe.
class GalleryRecord {
 public:
  explicit GalleryRecord(tables::Database& database) : database_(database) {}

  /// Nothing when there is no record, or no table `tintype`. Errors: kCorruption when the record
  /// lacks something.
  Result<std::optional<GalleryTerms>> Find();

  /// Refused with kGalleryRecorded when there is a record.
  Piece Create(const GalleryTerms& terms) const;

  /// Records where the photos are. Refused with kGalleryChanged unless the record is `read`.
  Piece SetBlobs(const GalleryTerms& read, std::string_view blobs) const;

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::system
