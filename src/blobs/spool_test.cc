#include "blobs/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <thread>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "blobs/internal/file_system.h"
#include "blobs/testing/losing_disk.h"

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

class SpoolTest : public ::testing::Test {
 protected:
  std::unique_ptr<Spool> Open(std::chrono::milliseconds patience = std::chrono::hours(1)) {
    auto opened = Spool::OpenFolder({.root = folder_.path() + "/uploads", .patience = patience});
    EXPECT_TRUE(opened.ok());
    return *std::move(opened);
  }
  static std::unique_ptr<SpoolClaim> Take(Spool& spool, std::string_view id = kId) {
    auto claim = spool.Take(id);
    EXPECT_TRUE(claim.ok());
    EXPECT_TRUE((*claim)->Begin().ok());
    return *std::move(claim);
  }

  TemporaryDirectory folder_;
};

// Proves that bytes are appended, survive a restart, and that whatever lies beyond the offset at
// which a file is opened is gone.
TEST_F(SpoolTest, GoesOnWhereItWasOpened) {
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
  ASSERT_EQ(::stat(spool->PathOf(kId).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(status.st_size, 11);
}

// Proves that an offset which the file does not have is refused, and a file that is not there is
// made only from its beginning.
TEST_F(SpoolTest, RefusesOffsetsThatAreNotThere) {
  const auto spool = Open();
  const auto claim = Take(*spool);
  EXPECT_EQ(KindOf(spool->Open(*claim, 1)), ErrorKind::kNotFound);
  EXPECT_EQ(*spool->Bytes(kId), std::nullopt);
  ASSERT_TRUE((*spool->Open(*claim, 0))->Append("abc").ok());
  EXPECT_EQ(KindOf(spool->Open(*claim, 4)), ErrorKind::kCorruption);
}

// Proves that a removed file is gone, that removing it again is fine, and that what is no upload's
// is left alone.
TEST_F(SpoolTest, Removes) {
  const auto spool = Open();
  std::ofstream(spool->PathOf("notes.txt")) << "an operator's";
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
TEST_F(SpoolTest, HasOneClaimAtATime) {
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
// work; who lost it notices, and does not take it away from the new one.
TEST_F(SpoolTest, GivesAnIdleClaimToOthers) {
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

// Proves that who takes a claim over learns how many bytes count, and that a claim which was given
// back leaves nothing to learn.
TEST_F(SpoolTest, HandsOnWhatIsUsable) {
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

// Proves that who insists gets the claim of somebody who is not at work at once, without any
// patience, and of somebody who is at work when that ends, or not at all.
TEST_F(SpoolTest, GivesTheClaimToWhoInsists) {
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
Status Receive(LosingDisk& disk, std::string_view content, uint64_t& acknowledged) {
  const auto spool = Spool::OpenOn(disk.Mount(), {});
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

// Proves that whenever the power goes, and whatever becomes of what was not synced, everything that
// was acknowledged is there, and the upload goes on from it.
TEST(SpoolFaultTest, KeepsWhatWasAcknowledged) {
  std::string content;
  for (int i = 0; content.size() < 1200; ++i) {
    StrAppend(content, i, " ");
  }
  uint64_t tried = 0;
  for (const Unsynced unsynced : {Unsynced::kLost, Unsynced::kKept, Unsynced::kSomeLost}) {
    bool finished = false;
    for (uint64_t call = 1; !finished; ++call, ++tried) {
      ASSERT_LT(call, 100U);
      LosingDisk disk;
      disk.CutPowerAtCall(call);
      uint64_t acknowledged = 0;
      finished = Receive(disk, content, acknowledged).ok();
      disk.Restart(unsynced, static_cast<uint32_t>(call));
      const uint64_t before = acknowledged;
      {
        const auto spool = Spool::OpenOn(disk.Mount(), {});
        const auto claim = spool->Take(kId);
        ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
        const auto file = spool->Open(**claim, acknowledged);
        ASSERT_TRUE(file.ok()) << call << " " << file.error().message();
        EXPECT_EQ(Content(**file), content.substr(0, before)) << call;
      }
      EXPECT_TRUE(Receive(disk, content, acknowledged).ok()) << call;
      EXPECT_EQ(acknowledged, before + 600);
    }
  }
  EXPECT_GT(tried, 30U);
}

// Proves that after a failed write or sync nothing more is acknowledged until the file is opened
// again, at the offset that was.
TEST(SpoolFaultTest, StopsAtAFailure) {
  const std::string content(2000, 'x');
  bool finished = false;
  for (uint64_t call = 1; !finished; ++call) {
    ASSERT_LT(call, 100U);
    LosingDisk disk;
    disk.FailCall(call, ENOSPC);
    uint64_t acknowledged = 0;
    const Status received = Receive(disk, content, acknowledged);
    finished = received.ok();
    EXPECT_TRUE(finished || received.error().kind() == ErrorKind::kUnavailable);
    disk.Restart(Unsynced::kKept);
    uint64_t again = acknowledged;
    EXPECT_TRUE(Receive(disk, content, again).ok()) << call;
  }
  LosingDisk disk;
  const auto spool = Spool::OpenOn(disk.Mount(), {});
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
