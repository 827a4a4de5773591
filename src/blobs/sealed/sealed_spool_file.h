#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "blobs/sealed/sealed_form.h"
#include "blobs/spool_file.h"

namespace tintype::blobs {

/// An upload's bytes, encrypted as they come (docs/formats/blobs.md): the header of a sealed blob,
/// then records, each with one piece of at most a chunk. Nothing that was written is written again,
/// so that a power cut takes nothing that was synced.
class SealedSpoolFile : public SpoolFile {
 public:
  /// Where a record is: of the upload's bytes, and in the file.
  struct Place {
    uint64_t bytes = 0;
    uint64_t at = kSealedHeaderBytes;
  };

  /// A place where a record of a file begins or ends, from when it was last opened: looking for
  /// another one begins there, so that an upload in many parts does not walk over all of its
  /// records for each of them. Thread-safe.
  class Landmark {
   public:
    /// The beginning when the landmark is behind a byte or the file's end, or there is none.
    Place Before(uint64_t bytes, uint64_t file_bytes) const;
    void Set(const Place& place);
    /// Everything behind a byte goes, and other records may come.
    void ForgetBehind(uint64_t bytes);

   private:
    mutable Mutex mutex_;
    Place place_ GUARDED_BY(mutex_);
  };

  /// With the file cut at `offset`; at 0 it begins anew. Errors: kCorruption when it holds fewer
  /// bytes, or what is at its beginning was not written so; kUnavailable, kIo.
  static Result<std::unique_ptr<SpoolFile>> Open(FileSystem& files, std::unique_ptr<File> file,
                                                 const SealingKeys& keys, uint64_t offset,
                                                 std::shared_ptr<Landmark> landmark);

  /// How many bytes such a file holds, by the lengths of its records. Errors: kIo.
  static Result<uint64_t> BytesIn(const File& file, const Landmark& landmark);

  Result<size_t> Read(uint64_t offset, std::span<char> out) const override;
  Result<BlobInfo> StoreIn(BlobStore& store, const BlobKey& key) const override;

 private:
  /// The length of the record at a place; nothing where no whole one is.
  static Result<std::optional<size_t>> LengthAt(const File& file, uint64_t file_bytes,
                                                const Place& place);
  /// The last place at or before a byte where a record is, or ends.
  static Result<Place> FindPlace(const File& file, uint64_t file_bytes, Place from,
                                 uint64_t offset);

  SealedSpoolFile(FileSystem& files, std::unique_ptr<File> file, SealedForm form, const Place& end,
                  std::shared_ptr<Landmark> landmark);

  Status Write(std::string_view piece) override;
  Status Truncate(uint64_t bytes) override;
  /// What the record at a place holds.
  Result<std::string> OpenRecord(const Place& place) const;

  const SealedForm form_;
  const std::shared_ptr<Landmark> landmark_;
  Place end_;
  mutable Place read_;  // Where the last Read was: the next one mostly goes on there.
};

}  // namespace tintype::blobs
