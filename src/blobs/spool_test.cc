#include "blobs/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/file_blob_store.h"
#include "blobs/internal/file_system.h"
#include "blobs/sealed/testing/sealed_bytes.h"
#include "blobs/testing/losing_disk.h"
#include "blobs/testing/whole_blobs.h"

/// The bytes of uploads on their way, on real files, and on a disk that loses what was not synced.
namespace tintype::blobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Unsynced = LosingDisk::Unsynced;

constexpr std::string_view kId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
constexpr std::string_view kOtherId = "01BX5ZZKBKACTAV9WEVGEMMVRZ";

template <typename T>
ErrorKind KindOf(const Result<T>& result) {
  return result.ok() ? ErrorKind::kInternal : result.error().kind();
}

std::string Content(const SpoolFile& file) {
  std::string content(static_cast<size_t>(file.bytes()) + 10, '?');
  const auto count = file.Read(0, content);
  EXPECT_TRUE(count.ok());
  content.resize(count.ok() ? *count : 0);
  return content;
}

class SpoolTest : public ::testing::TestWithParam<NewBlobs> {
 protected:
  std::unique_ptr<Spool> Open(std::chrono::milliseconds patience = std::chrono::hours(1)) {
    auto opened = Spool::OpenFolder({.root = folder_.path() + "/uploads",
                                     .patience = patience,
                                     .keys = SharedKeysOf({1}),
                                     .new_files = GetParam()});
    EXPECT_TRUE(opened.ok());
    return *std::move(opened);
  }
  static std::unique_ptr<SpoolClaim> Take(Spool& spool, std::string_view id = kId) {
    auto claim = spool.Take(id);
    EXPECT_TRUE(claim.ok());
    EXPECT_TRUE((*claim)->Begin().ok());
    return *std::move(claim);
  }

  /// Where the file of an upload is.
  std::string PathOf(std::string_view id) const {
    return StrCat(folder_.path(), "/uploads/", id,
                  GetParam() == NewBlobs::kSealed ? ".sealed" : "");
  }

  TemporaryDirectory folder_;
};

INSTANTIATE_TEST_SUITE_P(Both, SpoolTest, ::testing::Values(NewBlobs::kPlain, NewBlobs::kSealed));

// Proves that bytes are appended, survive a restart, and that whatever lies beyond the offset at
// which a file is opened is gone.
TEST_P(SpoolTest, GoesOnWhereItWasOpened) {
  auto spool = Open();
  {
    const auto claim = Take(*spool);
    const auto file = spool->Open(*claim, 0);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->Append("hello ").ok());
    ASSERT_TRUE((*file)->Append("world").ok());
    ASSERT_TRUE((*file)->Sync().ok());
    EXPECT_EQ((*file)->bytes(), 11U);
    ASSERT_TRUE((*file)->Cut(8).ok());
    ASSERT_TRUE((*file)->Append("k!!").ok());
    EXPECT_EQ(Content(**file), "hello wok!!");
  }
  spool = Open();
  EXPECT_EQ(*spool->Bytes(kId), std::optional<uint64_t>(11));
  EXPECT_THAT(*spool->List(), ElementsAre(std::string(kId)));
  const auto claim = Take(*spool);
  const auto file = spool->Open(*claim, 6);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Append("there").ok());
  EXPECT_EQ(Content(**file), "hello there");
  struct stat status {};
  ASSERT_EQ(::stat(PathOf(kId).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  const bool sealed = GetParam() == NewBlobs::kSealed;
  // A header, and two records.
  EXPECT_EQ(status.st_size, sealed ? 88 + 2 * (4 + 28) + 11 : 11);
  EXPECT_EQ(ReadFile(PathOf(kId))->find("there") == std::string::npos, sealed);
}

/// Bytes of which no two places look alike.
std::string SomeBytes(size_t count) {
  std::string bytes;
  for (int i = 0; bytes.size() < count; ++i) {
    StrAppend(bytes, i, " ");
  }
  bytes.resize(count);
  return bytes;
}

// Proves that bytes are the same wherever they are read from and in whatever pieces they came, and
// as a blob; and that a file can be cut, and opened, anywhere.
TEST_P(SpoolTest, KeepsPiecesOfAnySize) {
  const auto spool = Open();
  const auto claim = Take(*spool);
  const std::string content = SomeBytes(400'000);
  uint64_t at = 0;
  auto file = *spool->Open(*claim, 0);
  for (const size_t piece : {1U, 65'535U, 1U, 65'536U, 65'537U, 3U, 150'000U}) {
    ASSERT_TRUE(file->Append(std::string_view(content).substr(at, piece)).ok());
    at = file->bytes();
  }
  EXPECT_EQ(*spool->Bytes(kId), std::optional(at));
  for (const uint64_t offset : {at, uint64_t{262'144}, uint64_t{70'000}, uint64_t{65'537}}) {
    file = *spool->Open(*claim, offset);
    EXPECT_EQ(file->bytes(), offset);
    EXPECT_EQ(Content(*file), content.substr(0, offset)) << offset;
    for (const uint64_t from : {uint64_t{66'000}, uint64_t{0}, uint64_t{65'535}, offset}) {
      std::string part(5'000, '?');
      const auto count = file->Read(from, part);
      ASSERT_TRUE(count.ok());
      const size_t expected = from >= offset ? 0 : std::min<uint64_t>(part.size(), offset - from);
      EXPECT_EQ(part.substr(0, *count), content.substr(from, expected)) << offset << " " << from;
    }
  }
  ASSERT_TRUE(file->Append(std::string_view(content).substr(65'537)).ok());
  ASSERT_TRUE(file->Sync().ok());
  const auto store = FileBlobStore::OpenRoot({folder_.path() + "/blobs", {"images"}});
  ASSERT_TRUE(store.ok());
  const auto stored = file->StoreIn(**store, {"images", "a"});
  ASSERT_TRUE(stored.ok()) << stored.error().message();
  EXPECT_EQ(stored->bytes, content.size());
  EXPECT_EQ(*GetBlob(**store, {"images", "a"}), content);
}

// Proves that of an encrypted file every byte is guarded: whichever is changed, nothing that was
// not written is read, nor does a file whose acknowledged bytes are damaged go on. And that
// without its keys, or with others, it is an error.
TEST(SealedSpoolTest, RefusesWhatWasNotWritten) {
  const TemporaryDirectory folder;
  const auto open = [&](std::shared_ptr<const SealingKeys> keys) {
    const auto new_files = keys == nullptr ? NewBlobs::kPlain : NewBlobs::kSealed;
    return *Spool::OpenFolder(
        {.root = folder.path(), .keys = std::move(keys), .new_files = new_files});
  };
  const std::string path = StrCat(folder.path(), "/", kId, ".sealed");
  const auto read = [&](Spool& spool) -> Result<std::string> {
    ASSIGN_OR_RETURN(const auto claim, spool.Take(kId));
    RETURN_IF_ERROR(claim->Begin());
    ASSIGN_OR_RETURN(const auto file, spool.Open(*claim, 11));
    std::string bytes(20, '?');
    ASSIGN_OR_RETURN(const size_t count, file->Read(0, bytes));
    return bytes.substr(0, count);
  };
  {
    const auto spool = open(SharedKeysOf({1}));
    const auto claim = *spool->Take(kId);
    ASSERT_TRUE(claim->Begin().ok());
    const auto file = *spool->Open(*claim, 0);
    ASSERT_TRUE(file->Append("hello ").ok() && file->Append("world").ok());
  }
  const std::string good = *ReadFile(path);
  const auto spool = open(SharedKeysOf({1}));
  EXPECT_EQ(*read(*spool), "hello world");
  for (size_t at = 0; at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    ASSERT_TRUE(WriteFileAtomically(path, damaged, 0600).ok());
    EXPECT_EQ(KindOf(read(*spool)), ErrorKind::kCorruption) << at;
    ASSERT_TRUE(WriteFileAtomically(path, good.substr(0, at), 0600).ok());
    EXPECT_EQ(KindOf(read(*spool)), ErrorKind::kCorruption) << at;
  }
  ASSERT_TRUE(WriteFileAtomically(path, good, 0600).ok());
  EXPECT_EQ(KindOf(read(*open(SharedKeysOf({2})))), ErrorKind::kCorruption);
  EXPECT_EQ(KindOf(read(*open(nullptr))), ErrorKind::kCorruption);
  EXPECT_EQ(*read(*spool), "hello world");
}

// Proves that an upload goes on as it has begun, encrypted or not, whatever becomes of new ones.
TEST(SealedSpoolTest, GoesOnAsItHasBegun) {
  for (const NewBlobs before : {NewBlobs::kPlain, NewBlobs::kSealed}) {
    const auto after = before == NewBlobs::kPlain ? NewBlobs::kSealed : NewBlobs::kPlain;
    const TemporaryDirectory folder;
    for (const NewBlobs now : {before, after}) {
      const auto spool =
          *Spool::OpenFolder({.root = folder.path(), .keys = SharedKeysOf({1}), .new_files = now});
      const auto claim = *spool->Take(kId);
      ASSERT_TRUE(claim->Begin().ok());
      const auto file = *spool->Open(*claim, now == before ? 0 : 6);
      ASSERT_TRUE(file->Append(now == before ? "hello " : "world").ok());
      EXPECT_EQ(Content(*file), now == before ? "hello " : "hello world");
      EXPECT_THAT(*spool->List(), ElementsAre(std::string(kId)));
    }
  }
}

// Proves that an offset which the file does not have is refused, and a file that is not there is
// made only from its beginning.
TEST_P(SpoolTest, RefusesOffsetsThatAreNotThere) {
  const auto spool = Open();
  const auto claim = Take(*spool);
  EXPECT_EQ(KindOf(spool->Open(*claim, 1)), ErrorKind::kNotFound);
  EXPECT_EQ(*spool->Bytes(kId), std::nullopt);
  ASSERT_TRUE((*spool->Open(*claim, 0))->Append("abc").ok());
  EXPECT_EQ(KindOf(spool->Open(*claim, 4)), ErrorKind::kCorruption);
}

// Proves that a removed file is gone, that removing it again is fine, and that a file that is no
// upload's is left alone.
TEST_P(SpoolTest, Removes) {
  const auto spool = Open();
  std::ofstream(folder_.path() + "/uploads/notes.txt") << "an operator's";
  const auto claim = Take(*spool);
  ASSERT_TRUE((*spool->Open(*claim, 0))->Append("abc").ok());
  EXPECT_TRUE(spool->Remove(*claim).ok());
  EXPECT_TRUE(spool->Remove(*claim).ok());
  EXPECT_THAT(*spool->List(), IsEmpty());
  EXPECT_EQ(KindOf(spool->Take("../secret")), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(spool->Take("notes.txt")), ErrorKind::kNotFound);
  EXPECT_EQ(*spool->Bytes("notes.txt"), std::nullopt);
}

// Proves that one at a time works on an upload, whatever becomes of others.
TEST_P(SpoolTest, HasOneClaimAtATime) {
  const auto spool = Open();
  auto claim = Take(*spool);
  EXPECT_EQ(KindOf(spool->Take(kId)), ErrorKind::kInUse);
  claim->End();
  EXPECT_EQ(KindOf(spool->Take(kId)), ErrorKind::kInUse);
  EXPECT_TRUE(spool->Take(kOtherId).ok());
  claim.reset();
  EXPECT_TRUE(spool->Take(kId).ok());
}

// Proves that the claim of somebody who does nothing can be taken over, but not while it is at
// work; the one who lost it notices, and does not take it away from the new one.
TEST_P(SpoolTest, GivesAnIdleClaimToOthers) {
  const auto spool = Open(std::chrono::milliseconds(0));
  auto first = Take(*spool);
  EXPECT_EQ(KindOf(spool->Take(kId)), ErrorKind::kInUse);
  first->End();
  const auto second = Take(*spool);
  EXPECT_EQ(KindOf(first->Begin()), ErrorKind::kInUse);
  first.reset();
  EXPECT_EQ(KindOf(spool->Take(kId)), ErrorKind::kInUse);
  EXPECT_TRUE(second->Begin().ok());
}

// Proves that the one who takes a claim over learns how many bytes count, and that a claim which
// was given back leaves nothing to learn.
TEST_P(SpoolTest, HandsOnWhatIsUsable) {
  const auto spool = Open(std::chrono::milliseconds(0));
  EXPECT_FALSE(spool->IsForsaken(kId));
  const auto first = Take(*spool);
  first->SetUsableBytes(7);
  EXPECT_FALSE(spool->IsForsaken(kId));
  first->End();
  EXPECT_TRUE(spool->IsForsaken(kId));
  auto second = Take(*spool);
  EXPECT_EQ(second->usable_bytes(), 7U);
  second.reset();
  EXPECT_EQ(Take(*spool)->usable_bytes(), 0U);
}

// Proves that somebody who insists gets the claim of somebody who is not at work at once, without
// any patience, and of somebody who is at work when that ends, or not at all.
TEST_P(SpoolTest, GivesTheClaimToWhoInsists) {
  const auto opened = Spool::OpenFolder({.root = folder_.path() + "/uploads",
                                         .patience = std::chrono::hours(1),
                                         .insistence = std::chrono::milliseconds(1)});
  ASSERT_TRUE(opened.ok());
  Spool& spool = **opened;
  const auto first = Take(spool);
  EXPECT_EQ(KindOf(spool.Insist(kId)), ErrorKind::kInUse);
  first->End();
  const auto second = spool.Insist(kId);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(KindOf(first->Begin()), ErrorKind::kInUse);
  EXPECT_EQ(KindOf(spool.Insist("../secret")), ErrorKind::kNotFound);

  const auto patient =
      Spool::OpenFolder({.root = folder_.path() + "/uploads", .insistence = std::chrono::hours(1)});
  ASSERT_TRUE(patient.ok());
  const auto at_work = Take(**patient);
  std::thread end([&] { at_work->End(); });
  EXPECT_TRUE((*patient)->Insist(kId).ok());
  end.join();
}

/// What an upload does: three pieces, each acknowledged once it is synced, some bytes that never
/// were, and then again from what was acknowledged. Ends at the first failure.
Status Receive(LosingDisk& disk, const Spool::Config& config, std::string_view content,
               uint64_t& acknowledged) {
  const auto spool = Spool::OpenOn(disk.Mount(), config);
  ASSIGN_OR_RETURN(const auto claim, spool->Take(kId));
  RETURN_IF_ERROR(claim->Begin());
  for (int round = 0; round < 2; ++round) {
    ASSIGN_OR_RETURN(const auto file, spool->Open(*claim, acknowledged));
    for (int piece = 0; piece < 3; ++piece) {
      RETURN_IF_ERROR(file->Append(content.substr(acknowledged, 100)));
      RETURN_IF_ERROR(file->Sync());
      acknowledged = file->bytes();
    }
    RETURN_IF_ERROR(file->Append("bytes of a request that was cut off"));
  }
  return OkStatus();
}

class SpoolFaultTest : public ::testing::TestWithParam<NewBlobs> {
 protected:
  static Spool::Config Config() {
    return {.root = "", .keys = SharedKeysOf({1}), .new_files = GetParam()};
  }
};

INSTANTIATE_TEST_SUITE_P(Both, SpoolFaultTest,
                         ::testing::Values(NewBlobs::kPlain, NewBlobs::kSealed));

// Proves that whenever the power goes, and whatever becomes of what was not synced, everything that
// was acknowledged is there, and the upload goes on from it.
TEST_P(SpoolFaultTest, KeepsWhatWasAcknowledged) {
  const std::string content = SomeBytes(1200);
  uint64_t tried = 0;
  for (const Unsynced unsynced : {Unsynced::kLost, Unsynced::kKept, Unsynced::kSomeLost}) {
    bool finished = false;
    for (uint64_t call = 1; !finished; ++call, ++tried) {
      ASSERT_LT(call, 100U);
      LosingDisk disk;
      disk.CutPowerAtCall(call);
      uint64_t acknowledged = 0;
      finished = Receive(disk, Config(), content, acknowledged).ok();
      disk.Restart(unsynced, static_cast<uint32_t>(call));
      const uint64_t before = acknowledged;
      {
        const auto spool = Spool::OpenOn(disk.Mount(), Config());
        const auto claim = spool->Take(kId);
        ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
        const auto file = spool->Open(**claim, acknowledged);
        ASSERT_TRUE(file.ok()) << call << " " << file.error().message();
        EXPECT_EQ(Content(**file), content.substr(0, before)) << call;
      }
      EXPECT_TRUE(Receive(disk, Config(), content, acknowledged).ok()) << call;
      EXPECT_EQ(acknowledged, before + 600);
    }
  }
  EXPECT_GT(tried, 30U);
}

// Proves that an upload in many parts is gone on with, and asked about, in as many calls at its end
// as at its beginning; that a new process finds its way as well; and that a loss is noticed.
TEST_P(SpoolFaultTest, DoesNotWalkOverAllOfAFileForEachPart) {
  LosingDisk disk;
  auto spool = Spool::OpenOn(disk.Mount(), Config());
  const std::string part(100, 'x');
  std::vector<uint64_t> calls;
  uint64_t bytes = 0;
  for (int i = 0; i < 300; ++i) {
    if (i == 200) {
      spool = Spool::OpenOn(disk.Mount(), Config());
    }
    const uint64_t before = disk.calls();
    EXPECT_EQ(spool->Bytes(kId)->value_or(0), bytes);
    const auto claim = spool->Take(kId);
    ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
    const auto file = spool->Open(**claim, bytes);
    ASSERT_TRUE(file.ok()) << i;
    ASSERT_TRUE((*file)->Append(part).ok());
    bytes += part.size();
    calls.push_back(disk.calls() - before);
  }
  EXPECT_EQ(calls[299], calls[10]);
  {
    const auto claim = spool->Take(kId);  // Ends before the spool does.
    ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
    // Not at a landmark, and before it: the bytes that come then are found again.
    ASSERT_TRUE((*spool->Open(**claim, 12'345))->Append("yz").ok());
    EXPECT_EQ(*spool->Bytes(kId), std::optional(uint64_t{12'347}));
    EXPECT_EQ(Content(**spool->Open(**claim, 12'347)), std::string(12'345, 'x') + "yz");
    EXPECT_EQ(KindOf(spool->Open(**claim, 12'348)), ErrorKind::kCorruption);
  }
  // A power cut took what was never synced.
  disk.Restart(Unsynced::kLost);
  spool = Spool::OpenOn(disk.Mount(), Config());
  EXPECT_EQ(spool->Bytes(kId)->value_or(0), 0U);
}

// Proves that after a failed write or sync nothing more is acknowledged until the file is opened
// again, at the offset that was.
TEST_P(SpoolFaultTest, StopsAtAFailure) {
  const std::string content(2000, 'x');
  bool finished = false;
  for (uint64_t call = 1; !finished; ++call) {
    ASSERT_LT(call, 100U);
    LosingDisk disk;
    disk.FailCall(call, ENOSPC);
    uint64_t acknowledged = 0;
    const Status received = Receive(disk, Config(), content, acknowledged);
    finished = received.ok();
    EXPECT_TRUE(finished || received.error().kind() == ErrorKind::kUnavailable);
    disk.Restart(Unsynced::kKept);
    uint64_t again = acknowledged;
    EXPECT_TRUE(Receive(disk, Config(), content, again).ok()) << call;
  }
  LosingDisk disk;
  const auto spool = Spool::OpenOn(disk.Mount(), Config());
  const auto claim = spool->Take(kId);
  ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
  const auto file = spool->Open(**claim, 0);
  ASSERT_TRUE(file.ok());
  disk.FailCall(disk.calls() + 1, EIO);
  EXPECT_EQ(KindOf((*file)->Append("abcd")), ErrorKind::kIo);
  EXPECT_EQ(KindOf((*file)->Append("abcd")), ErrorKind::kIo);
  EXPECT_EQ(KindOf((*file)->Sync()), ErrorKind::kIo);
}

}  // namespace
}  // namespace tintype::blobs
