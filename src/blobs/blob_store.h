#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "blobs/blob_key.h"

/// Where the bytes of media are kept. The contracts here are what both a file system and S3 can
/// keep; where they differ, the comment says what a caller may rely on.
namespace tintype::blobs {

struct BlobInfo {
  uint64_t bytes = 0;
  int64_t modified_ms = 0;  ///< Since the Unix epoch. S3 knows whole seconds only.
  /// What else tells apart what was stored under one key, one after the other: S3's ETag. Empty
  /// where the time is enough.
  std::string tag{};
};

/// One blob that is being written. Nothing of it can be seen before Commit; destroyed without that,
/// or after an error, it leaves nothing behind. After a crash the store removes what was unfinished
/// when it is next opened. Owned by whoever called Create; must not outlive the store. Not
/// thread-safe.
class BlobWriter {
 public:
  virtual ~BlobWriter() = default;

  /// Appends. After an error, every further call fails. Errors: kUnavailable when there is no room,
  /// kIo.
  virtual Status Write(std::string_view piece) = 0;

  /// A descriptor open for reading and writing, at the beginning of an empty file, for helpers that
  /// write by themselves; the writer keeps it and closes it. Use either this or Write. All writing
  /// has to be over before Commit. -1 where it is not available (DescriptorOf).
  virtual int descriptor() const = 0;

  /// Makes the blob visible under its key, at once and whole, in place of what was there. When it
  /// returns, the blob survives a power cut. Call it once, last.
  /// Errors: kUnavailable when there is no room; kInUse when the key lies below another blob's key
  /// or is a folder of others, where the store cannot hold both; kIo. After an error there is what
  /// was there before or, if only the last step failed, the new blob, whole: writing it again is
  /// always safe.
  virtual Result<BlobInfo> Commit() = 0;
};

/// A writer's descriptor, for others to write to. Errors: why there is none, which ends the writer;
/// kOverloaded when too many files are open.
Result<int> DescriptorOf(BlobWriter& writer);

/// A blob that is being read. Its bytes are those it had when it was opened, even if it has been
/// replaced meanwhile. Shared, because an answer that is being sent and a cache may hold it
/// together; may outlive the store. Thread-safe.
class OpenBlob {
 public:
  virtual ~OpenBlob() = default;

  virtual const BlobInfo& info() const = 0;
  uint64_t bytes() const { return info().bytes; }

  /// A descriptor open for reading, for sendfile and helpers; -1 when the store has none, as S3.
  /// Its file offset is shared: use pread or an explicit offset. Closed with this object.
  virtual int descriptor() const = 0;

  /// A descriptor of the file that has the blob's name, whether its bytes are as they are or
  /// encrypted: once no name leads to it any more (st_nlink is 0), the blob was deleted or
  /// replaced. -1 when the store has none.
  virtual int named_descriptor() const = 0;

  /// Fills `out` from `offset` on and returns how many bytes there were: fewer only at the end,
  /// none from there on. Errors: kIo; kCorruption when the blob has become shorter; kNotFound when
  /// it has been deleted or replaced meanwhile and the store cannot go on reading it (S3; a file
  /// can).
  virtual Result<size_t> Read(uint64_t offset, std::span<char> out) const = 0;

  /// As Read, but never waits for a disk or a network: nothing where it would have to, or cannot
  /// tell. For threads that others wait for; what it computes takes some microseconds for 64 KB.
  virtual Result<std::optional<size_t>> ReadNow(uint64_t /*offset*/,
                                                std::span<char> /*out*/) const {
    return std::optional<size_t>();
  }

  /// Says that bytes which were read, up to `end`, are not going to be read again soon, so that
  /// they need not push what others use from the system's memory. Does nothing where none of that
  /// is used for them.
  virtual void ForgetRead(uint64_t /*end*/) const {}
};

struct ListRequest {
  std::string bucket{};
  std::string prefix{};  ///< Of the keys wanted; may end in the middle of a component. Empty: all.
  std::string after{};   ///< Only keys greater than this one. Empty: from the first.
  size_t limit = 1000;   ///< 1 to kListLimitMax.
};

/// A page of a large folder costs a pass over that folder, so walks over everything take large
/// ones.
inline constexpr size_t kListLimitMax = 10'000;

struct ListedBlob {
  std::string key;
  BlobInfo info;
};

struct BlobList {
  std::vector<ListedBlob> blobs;  ///< By key, in the order of its bytes.
  bool more = false;              ///< There may be more after the last of these.
  /// Where the last of these is in the store's own order, if that is not the order of keys.
  std::string last{};

  /// What ListRequest::after has to be for those behind these. REQUIRES: there are some.
  const std::string& after() const { return last.empty() ? blobs.back().key : last; }
};

/// What a link for reading a blob is to say. The headers are those of the storage's answer; an
/// empty one is left to the storage.
struct PresignGetOptions {
  int64_t expires_s = 3600;  ///< 1 to kPresignSecondsMax.
  std::string content_type{};
  std::string content_disposition{};
  std::string cache_control{};
};

/// What may be uploaded with a link, as far as it is known. All of it is signed: another length,
/// type or checksum is refused by the storage.
struct PresignPutOptions {
  int64_t expires_s = 3600;  ///< 1 to kPresignSecondsMax.
  std::optional<uint64_t> content_length{};
  std::string content_type{};
  std::string content_md5{};  ///< In base64, as the header has it.
};

/// The longest that S3 lets a link be good for: a week.
inline constexpr int64_t kPresignSecondsMax = 7 * 24 * 60 * 60;

struct PresignedPut {
  std::string url;
  /// To be sent exactly so, beside Host.
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Whether it is the prefix of a folder, as DeletePrefix wants it. Errors: kValidation.
Status CheckFolderPrefix(const std::string& bucket, const std::string& prefix);

/// A blob, and another form of it that is being written. The blob stays open until that is over.
struct BlobRewrite {
  std::shared_ptr<const OpenBlob> blob;
  std::unique_ptr<BlobWriter> writer;
};

/// Keeps blobs in buckets. Owned by the program's wiring, everything else holds a reference.
/// Thread-safe; calls block. Once a call has returned, its commit, deletion or move survives a
/// crash or power cut; a call that had not returned has happened or not, never by half. All calls:
/// kValidation for a key that ValidateBlobKey refuses, kNotFound for a bucket that the store was
/// not set up with, kIo when the system or service fails, kUnavailable when it has no room or
/// cannot be reached just now.
class BlobStore {
 public:
  virtual ~BlobStore() = default;

  /// Begins a blob. Also: kInUse, as Commit, if it can be told already.
  virtual Result<std::unique_ptr<BlobWriter>> Create(const BlobKey& key) = 0;

  /// Also: kNotFound when there is no such blob.
  virtual Result<std::shared_ptr<const OpenBlob>> Open(const BlobKey& key) = 0;

  /// As Open, but the blob has a descriptor with every store: S3 downloads it into a temporary file
  /// that nobody else sees. For helpers that want a file.
  virtual Result<std::shared_ptr<const OpenBlob>> OpenLocal(const BlobKey& key) = 0;

  /// Makes the bytes of a local file the blob, in place of what was there, as Commit does; on disk
  /// there when it returns. The file stays under its path, for the caller to remove. It may be the
  /// blob's own file from then on, so nobody may write to it any more. Repeating it after a crash
  /// or an error is fine. Also: kNotFound when there is no such file; kInUse as Commit.
  virtual Result<BlobInfo> Adopt(const std::string& path, const BlobKey& key) = 0;

  /// What is known of the blob, or nothing when there is none.
  virtual Result<std::optional<BlobInfo>> Head(const BlobKey& key) = 0;

  /// Removes the blob; that there is none is fine. Anyone who has it open may go on reading (but
  /// see OpenBlob::Read).
  virtual Status Delete(const BlobKey& key) = 0;

  /// Gives a blob another key, in place of what was there. For a moment it can be seen under both,
  /// never under neither: S3 has to copy and delete. Repeating it after a crash or a lost answer is
  /// fine: when `from` is missing and `to` is there, it succeeds. Also: kNotFound when both are
  /// missing; kInUse as Commit.
  virtual Status Move(const BlobKey& from, const BlobKey& to) = 0;

  /// The same, but a blob that has the other key already stays: then this one goes. Fine when there
  /// is no blob. Also: kValidation when the store cannot do that, as S3.
  virtual Status MoveUnlessThere(const BlobKey& from, const BlobKey& to);

  /// One page of keys, with what is known of each. Sees everything that was committed and nothing
  /// that was deleted before the call; changes made meanwhile may be seen or not. Also: kValidation
  /// for a limit out of range.
  virtual Result<BlobList> List(const ListRequest& request) = 0;

  /// Deletes every blob below a folder: `prefix` is a key with a '/' behind (else kValidation),
  /// lest "images/1" take "images/10" with it. Returns how many there were. An error may come after
  /// some are deleted: call again. Blobs written meanwhile may stay. This one lists and deletes.
  virtual Result<uint64_t> DeletePrefix(const std::string& bucket, const std::string& prefix);

  /// Begins another form of a blob, which keeps its time: Commit puts it in place of that blob
  /// alone, and fails with kConditionFailed when the blob was deleted or replaced meanwhile. Also:
  /// kNotFound when there is no such blob; kValidation when the store cannot do that, as S3.
  virtual Result<BlobRewrite> Rewrite(const BlobKey& key);

  /// Encrypts a blob that is kept as it is, in a store that encrypts; nothing else of it changes.
  /// Returns how many bytes that were: nothing when it is encrypted already, or gone. Also:
  /// kValidation when new blobs are not encrypted; kInUse when it is replaced again and again.
  virtual Result<std::optional<uint64_t>> Seal(const BlobKey& key);

  /// A link with which anybody can read the blob until it expires, without asking us. Nothing when
  /// the store has no such links, as files. Does not look whether there is such a blob. Also:
  /// kValidation for a time out of range.
  virtual Result<std::optional<std::string>> PresignGet(const BlobKey& key,
                                                        const PresignGetOptions& options);

  /// A link with which anybody can upload the blob until it expires, in place of what is there.
  /// Nothing, and errors, as PresignGet. Also: kRequestTooLarge for more than can be uploaded at
  /// once.
  virtual Result<std::optional<PresignedPut>> PresignPut(const BlobKey& key,
                                                         const PresignPutOptions& options);
};

}  // namespace tintype::blobs
