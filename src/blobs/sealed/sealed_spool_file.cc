#include "blobs/sealed/sealed_spool_file.h"

#include <algorithm>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/strings.h"
#include "blobs/internal/copy_all.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {
namespace {

constexpr size_t kLengthBytes = sizeof(uint32_t);

uint64_t RecordBytes(size_t length) { return kLengthBytes + length + kChunkExtraBytes; }

/// Fills `out` from a place in the file. Errors: kCorruption when it ends before; kIo.
Status ReadExactly(const File& file, uint64_t at, std::span<char> out) {
  size_t count = 0;
  if (const SystemError error = file.Read(at, out, count); error != 0) {
    return StorageError(error, "read an upload", "");
  }
  return count == out.size() ? OkStatus()
                             : Status(Error::Corruption("An upload's file has become shorter"));
}

Result<uint64_t> SizeOf(const File& file) {
  FileStatus status;
  if (const SystemError error = file.Status(status); error != 0) {
    return StorageError(error, "look at a file", "");
  }
  return status.bytes;
}

}  // namespace

SealedSpoolFile::Place SealedSpoolFile::Landmark::Before(uint64_t bytes,
                                                         uint64_t file_bytes) const {
  const MutexLock lock(mutex_);
  return place_.bytes <= bytes && place_.at <= file_bytes ? place_ : Place();
}

void SealedSpoolFile::Landmark::Set(const Place& place) {
  const MutexLock lock(mutex_);
  place_ = place;
}

void SealedSpoolFile::Landmark::ForgetBehind(uint64_t bytes) {
  const MutexLock lock(mutex_);
  if (place_.bytes > bytes) {
    place_ = Place();
  }
}

SealedSpoolFile::SealedSpoolFile(FileSystem& files, std::unique_ptr<File> file, SealedForm form,
                                 const Place& end, std::shared_ptr<Landmark> landmark)
    : SpoolFile(files, std::move(file), end.bytes),
      form_(std::move(form)),
      landmark_(std::move(landmark)),
      end_(end) {}

Result<std::optional<size_t>> SealedSpoolFile::LengthAt(const File& file, uint64_t file_bytes,
                                                        const Place& place) {
  std::string stored(kLengthBytes, '\0');
  if (place.at + RecordBytes(1) > file_bytes) {
    return std::optional<size_t>();
  }
  if (const Status read = ReadExactly(file, place.at, stored); !read.ok()) {
    // The holder of the upload cut the file meanwhile.
    return read.error().kind() == ErrorKind::kCorruption
               ? Result<std::optional<size_t>>(std::nullopt)
               : read.error();
  }
  const size_t length = ReadBigEndian32(stored);
  // Bytes that were not synced may be anything.
  const bool whole =
      length > 0 && length <= kChunkBytes && place.at + RecordBytes(length) <= file_bytes;
  return whole ? std::optional(length) : std::nullopt;
}

Result<SealedSpoolFile::Place> SealedSpoolFile::FindPlace(const File& file, uint64_t file_bytes,
                                                          Place from, uint64_t offset) {
  while (from.bytes < offset) {
    ASSIGN_OR_RETURN(const auto length, LengthAt(file, file_bytes, from));
    if (!length || from.bytes + *length > offset) {
      break;
    }
    from.bytes += *length;
    from.at += RecordBytes(*length);
  }
  return from;
}

Result<std::unique_ptr<SpoolFile>> SealedSpoolFile::Open(FileSystem& files,
                                                         std::unique_ptr<File> file,
                                                         const SealingKeys& keys, uint64_t offset,
                                                         std::shared_ptr<Landmark> landmark) {
  std::string header(kSealedHeaderBytes, '\0');
  if (offset == 0) {
    landmark->ForgetBehind(0);
    SystemError error = file->Cut(0);
    const SealedForm form = SealedForm::ForNewBlob(keys, header);
    error = error == 0 ? file->Write(header) : error;
    if (error != 0) {
      return StorageError(error, "begin an upload's file", "");
    }
    return std::unique_ptr<SpoolFile>(
        new SealedSpoolFile(files, std::move(file), form, Place(), std::move(landmark)));
  }
  RETURN_IF_ERROR(ReadExactly(*file, 0, header));
  ASSIGN_OR_RETURN(const SealedForm form, SealedForm::FromHeader(keys, header));
  ASSIGN_OR_RETURN(const uint64_t file_bytes, SizeOf(*file));
  ASSIGN_OR_RETURN(Place end,
                   FindPlace(*file, file_bytes, landmark->Before(offset, file_bytes), offset));
  if (end.bytes < offset) {
    // In the middle of a record, if there is one.
    ASSIGN_OR_RETURN(const auto length, LengthAt(*file, file_bytes, end));
    if (!length) {
      return Error::Corruption("An upload has fewer bytes than were acknowledged");
    }
    end = {end.bytes + *length, end.at + RecordBytes(*length)};
  }
  std::unique_ptr<SealedSpoolFile> opened(
      new SealedSpoolFile(files, std::move(file), form, end, std::move(landmark)));
  // Cuts off half a record too.
  RETURN_IF_ERROR(opened->Cut(offset));
  opened->landmark_->Set(opened->end_);
  return std::unique_ptr<SpoolFile>(std::move(opened));
}

Result<uint64_t> SealedSpoolFile::BytesIn(const File& file, const Landmark& landmark) {
  ASSIGN_OR_RETURN(const uint64_t file_bytes, SizeOf(file));
  ASSIGN_OR_RETURN(const Place end, FindPlace(file, file_bytes,
                                              landmark.Before(UINT64_MAX, file_bytes), UINT64_MAX));
  return end.bytes;
}

Status SealedSpoolFile::Write(std::string_view piece) {
  std::string records;
  Place end = end_;
  while (!piece.empty()) {
    const std::string_view part = piece.substr(0, kChunkBytes);
    AppendBigEndian32(records, static_cast<uint32_t>(part.size()));
    form_.SealChunk(end.bytes, /*last=*/false, part, records);
    end.bytes += part.size();
    end.at += RecordBytes(part.size());
    piece.remove_prefix(part.size());
  }
  if (const SystemError error = file().Write(records); error != 0) {
    return StorageError(error, "write an upload", "");
  }
  end_ = end;
  return OkStatus();
}

Status SealedSpoolFile::Truncate(uint64_t bytes) {
  ASSIGN_OR_RETURN(const Place place,
                   bytes == end_.bytes
                       ? Result<Place>(end_)
                       : FindPlace(file(), end_.at, landmark_->Before(bytes, end_.at), bytes));
  landmark_->ForgetBehind(place.bytes);
  std::string kept;
  if (place.bytes < bytes) {
    ASSIGN_OR_RETURN(kept, OpenRecord(place));
    kept.resize(static_cast<size_t>(bytes - place.bytes));
  }
  if (const SystemError error = file().Cut(place.at); error != 0) {
    return StorageError(error, "cut an upload", "");
  }
  end_ = place;
  read_ = Place();
  return kept.empty() ? OkStatus() : Write(kept);
}

Result<std::string> SealedSpoolFile::OpenRecord(const Place& place) const {
  ASSIGN_OR_RETURN(const auto length, LengthAt(file(), end_.at, place));
  if (!length) {
    return Error::Corruption(
        StrCat("An upload does not hold what was written from byte ", place.bytes, " on"));
  }
  std::string sealed(*length + kChunkExtraBytes, '\0');
  RETURN_IF_ERROR(ReadExactly(file(), place.at + kLengthBytes, sealed));
  std::string bytes(*length, '\0');
  RETURN_IF_ERROR(form_.OpenChunk(place.bytes, /*last=*/false, sealed, bytes.data()));
  return bytes;
}

Result<size_t> SealedSpoolFile::Read(uint64_t offset, std::span<char> out) const {
  const Place from = offset >= read_.bytes ? read_ : landmark_->Before(offset, end_.at);
  ASSIGN_OR_RETURN(read_, FindPlace(file(), end_.at, from, offset));
  size_t count = 0;
  while (count < out.size() && offset + count < bytes()) {
    ASSIGN_OR_RETURN(const std::string record, OpenRecord(read_));
    const auto skipped = static_cast<size_t>(offset + count - read_.bytes);
    const size_t part = std::min(record.size() - skipped, out.size() - count);
    record.copy(out.data() + count, part, skipped);
    count += part;
    if (skipped + part == record.size()) {
      read_ = {read_.bytes + record.size(), read_.at + RecordBytes(record.size())};
    }
  }
  return count;
}

Result<BlobInfo> SealedSpoolFile::StoreIn(BlobStore& store, const BlobKey& key) const {
  ASSIGN_OR_RETURN(const auto writer, store.Create(key));
  RETURN_IF_ERROR(CopyAll(*this, [&](std::string_view piece) { return writer->Write(piece); }));
  return writer->Commit();
}

}  // namespace tintype::blobs
