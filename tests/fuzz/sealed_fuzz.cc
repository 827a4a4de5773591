// Encrypted files beside the tables, uploads on their way, and names: whatever lies there, reading
// it ends, and no byte of what was sealed can be another, be missing or be added without being
// noticed, wherever a reader looks.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "blobs/blob_store.h"
#include "blobs/internal/file_system.h"
#include "blobs/sealed/hidden_names.h"
#include "blobs/sealed/open_sealed_blob.h"
#include "blobs/sealed/sealed_form.h"
#include "blobs/sealed/testing/sealed_bytes.h"
#include "blobs/spool.h"
#include "blobs/testing/losing_disk.h"
#include "input.h"

namespace tintype::blobs {
namespace {

const SealingKeys& Keys() {
  static const SealingKeys keys = KeysOf({1, 2});
  return keys;
}

constexpr std::string_view kUploadId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

size_t MakePosition(fuzz::Input& input) {
  size_t position = input.Byte();
  position |= size_t{input.Byte()} << 8;
  position |= size_t{input.Byte()} << 16;
  return position;
}

/// Of a few bytes, or about a chunk's length, or two.
std::string MakeBytes(fuzz::Input& input) {
  const size_t chunks = input.Byte() % 3 * kChunkBytes;
  std::string bytes(chunks, 'c');
  bytes.resize(bytes.size() - std::min<size_t>(bytes.size(), input.Byte() % 4));
  bytes += input.Bytes(input.Byte());
  return bytes;
}

/// Changes up to three of them. REQUIRES: there are some.
void ChangeBytes(fuzz::Input& input, std::string& bytes) {
  for (int count = input.Byte() % 4; count > 0; --count) {
    const size_t at = MakePosition(input) % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ input.Byte());
  }
}

/// A stored blob in memory.
class StoredText : public OpenBlob {
 public:
  explicit StoredText(std::string text) : text_(std::move(text)) { info_.bytes = text_.size(); }

  const BlobInfo& info() const override { return info_; }
  int descriptor() const override { return -1; }
  int named_descriptor() const override { return -1; }
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override {
    return offset < text_.size() ? text_.copy(out.data(), out.size(), offset) : size_t{0};
  }

 private:
  const std::string text_;
  BlobInfo info_;
};

/// A spool in memory, and somebody who has the claim on its one upload.
class Upload {
 public:
  Upload() { CHECK(claim_->Begin().ok()); }

  Spool& spool() { return *spool_; }
  Result<std::unique_ptr<SpoolFile>> Open(uint64_t offset) { return spool_->Open(*claim_, offset); }

  /// The upload's file as it lies there.
  std::string Stored() {
    std::unique_ptr<File> file;
    CHECK(files_->OpenFile(FileName(), file) == 0);
    FileStatus status;
    CHECK(file->Status(status) == 0);
    std::string stored(static_cast<size_t>(status.bytes), '\0');
    size_t count = 0;
    CHECK(file->Read(0, stored, count) == 0);
    CHECK(count == stored.size());
    return stored;
  }
  /// REQUIRES: there is none yet.
  void Store(std::string_view stored) {
    std::unique_ptr<File> file;
    CHECK(files_->CreateFile(FileName(), file) == 0);
    CHECK(file->Write(stored) == 0);
  }

 private:
  static std::string FileName() { return std::string(kUploadId) + ".sealed"; }
  static Spool::Config Config() {
    Spool::Config config;
    config.keys = SharedKeysOf({1, 2});
    config.new_files = NewBlobs::kSealed;
    return config;
  }

  LosingDisk disk_;
  const std::unique_ptr<FileSystem> files_ = disk_.Mount();
  const std::unique_ptr<Spool> spool_ = Spool::OpenOn(disk_.Mount(), Config());
  const std::unique_ptr<SpoolClaim> claim_ = spool_->Take(kUploadId).value();
};

/// Reads some ranges of a blob or of an upload: each is that part of `bytes` or, where what is
/// stored was changed, an error.
template <typename Readable>
void CheckRanges(fuzz::Input& input, const Readable& from, const std::string& bytes, bool changed) {
  for (int count = 1 + input.Byte() % 4; count > 0; --count) {
    const size_t at = MakePosition(input) % (bytes.size() + 1);
    std::string part(MakePosition(input) % (2 * kChunkBytes), '?');
    const Result<size_t> read = from.Read(at, part);
    CHECK(read.ok() || changed);
    CHECK(!read.ok() || part.substr(0, *read) == bytes.substr(at, part.size()));
  }
}

// Any bytes, some of which begin as a sealed file does.
void CheckAnything(const std::string& file) {
  const auto whole = OpenWhole(Keys(), file);
  // Only somebody who has the keys can make one.
  CHECK(!whole.ok());
  CHECK(!Opened(Keys(), file));
}

// Sealed bytes come back, and a file with any change does not.
void CheckChanged(fuzz::Input& input) {
  const std::string bytes = MakeBytes(input);
  const std::string sealed = SealWhole(Keys(), bytes);
  CHECK(sealed.size() == SealedBytesOf(bytes.size()));
  CHECK(BytesOfSealed(sealed.size()) == bytes.size());
  CHECK(OpenWhole(Keys(), sealed).value() == bytes);
  CHECK(Opened(Keys(), sealed) == bytes);

  std::string changed = sealed;
  ChangeBytes(input, changed);
  const auto longer = static_cast<int8_t>(input.Byte());
  if (longer < 0) {
    changed.resize(changed.size() - std::min(changed.size(), static_cast<size_t>(-longer)));
  }
  changed += input.Rest().substr(0, longer > 0 ? static_cast<size_t>(longer) : 0);
  const bool same = changed == sealed;
  CHECK(OpenWhole(Keys(), changed).ok() == same);
  CHECK(Opened(Keys(), changed).has_value() == same);
}

// Parts of what was sealed are read without the rest: a change elsewhere may go unnoticed, one in
// them may not.
void CheckParts(fuzz::Input& input) {
  const std::string bytes = MakeBytes(input);
  const std::string sealed = SealWhole(Keys(), bytes);
  std::string stored = sealed;
  ChangeBytes(input, stored);
  const bool changed = stored != sealed;
  const auto blob = OpenSealedBlob::Open(std::make_shared<const StoredText>(stored), Keys());
  CHECK(blob.ok() || changed);
  if (blob.ok()) {
    CHECK((*blob)->bytes() == bytes.size());
    CheckRanges(input, **blob, bytes, changed);
  }
}

// An upload goes on wherever it was interrupted, and the bytes that came are read. Nothing else is
// read of a file that was changed.
void CheckUpload(fuzz::Input& input) {
  Upload upload;
  std::string bytes;
  for (int count = 1 + input.Byte() % 3; count > 0; --count) {
    bytes.resize(MakePosition(input) % (bytes.size() + 1));
    const auto file = upload.Open(bytes.size());
    CHECK(file.ok());
    for (int pieces = input.Byte() % 3; pieces > 0; --pieces) {
      const std::string piece = MakeBytes(input);
      CHECK((*file)->Append(piece).ok());
      bytes += piece;
    }
    CHECK((*file)->bytes() == bytes.size());
    CheckRanges(input, **file, bytes, /*changed=*/false);
    const auto known = upload.spool().Bytes(kUploadId);
    CHECK(known.ok());
    CHECK(*known == std::optional<uint64_t>(bytes.size()));
  }
  if (bytes.empty()) {
    return;  // A file of none begins anew.
  }
  const std::string before = upload.Stored();
  std::string stored = before;
  ChangeBytes(input, stored);
  Upload other;
  other.Store(stored);
  const auto file = other.Open(bytes.size());
  CHECK(file.ok() || stored != before);
  if (file.ok()) {
    CHECK((*file)->bytes() == bytes.size());
    CheckRanges(input, **file, bytes, stored != before);
  }
}

// Any records behind a header, which a power cut may leave: looking for the upload's end ends, and
// no byte of them is taken for one that came.
void CheckRecords(fuzz::Input& input) {
  std::string stored;
  SealedForm::ForNewBlob(Keys(), stored);
  const size_t offset = 1 + MakePosition(input) % (2 * kChunkBytes);
  stored += input.Rest();
  Upload upload;
  upload.Store(stored);
  const auto known = upload.spool().Bytes(kUploadId);
  CHECK(known.ok());
  CHECK(known->has_value() && **known <= stored.size() - kSealedHeaderBytes);
  const auto file = upload.Open(offset);
  std::string part(1, '?');
  CHECK(!file.ok() || !(*file)->Read(0, part).ok());
}

// A name that was hidden is shown again, and no other is taken for it.
void CheckNames(fuzz::Input& input) {
  static const HiddenNames names(Keys());
  const size_t at = MakePosition(input);
  const uint8_t change = input.Byte();
  std::string person(input.Line());
  std::replace(person.begin(), person.end(), '/', '-');
  const std::string key = "pictures/" + person + "@/profile.jpg";
  const std::string name = names.Hide(key);
  CHECK(name.find('@') == std::string::npos);
  CHECK(names.Show(name) == key);
  std::string changed = name;
  changed[at % changed.size()] = static_cast<char>(changed[at % changed.size()] ^ change);
  CHECK((names.Show(changed) == key) == (changed == name));

  // What is shown as something else is a name that was hidden: the corpus has some, and they are
  // found in other places too.
  const std::string rest(input.Rest());
  for (const std::string& text : {rest, "~" + rest}) {
    const std::string shown = names.Show(text);
    // No name that was hidden has an '@' left in another component.
    CHECK(shown == text || text.find('@') != std::string::npos || names.Hide(shown) == text);
  }
}

}  // namespace
}  // namespace tintype::blobs

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::blobs;
  tintype::fuzz::Input input(data, size);
  switch (input.Byte() % 7) {
    case 0:
      CheckAnything(std::string(input.Rest()));
      break;
    case 1:
      CheckAnything(std::string(kSealedMagic) + "\x01" + std::string(input.Rest()));
      break;
    case 2:
      CheckChanged(input);
      break;
    case 3:
      CheckParts(input);
      break;
    case 4:
      CheckUpload(input);
      break;
    case 5:
      CheckRecords(input);
      break;
    default:
      CheckNames(input);
  }
  return 0;
}
