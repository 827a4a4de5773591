// The watch over the disk: when writes are refused, when they come back, and what becomes of the
// ballast.

#include "tables/engine/storage/disk_space.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"

namespace tintype::tables::engine {
namespace {

constexpr uint64_t kMb = uint64_t{1} << 20;

class DiskSpaceTest : public testing::Test {
 protected:
  DiskSpaceTest() : disk_({directory_.path(), 80 * kMb, kMb}, [this] { return Free(); }) {}

  // As a disk would: what the ballast takes is not free.
  std::optional<uint64_t> Free() { return free_ - (HasBallast() ? kMb : 0); }

  Room With(uint64_t megabytes) {
    free_ = megabytes * kMb;
    return disk_.Check();
  }
  bool HasBallast() const { return std::filesystem::exists(directory_.path() + "/BALLAST"); }

  TemporaryDirectory directory_;
  std::atomic<uint64_t> free_ = 1000 * kMb;
  DiskSpace disk_;
};

// The marks are at 80 and 20 MB; upwards they count an eighth later, so that a disk that hovers
// around one does not make writes come and go.
TEST_F(DiskSpaceTest, MarksHaveADistanceUpwards) {
  struct Step {
    uint64_t free_mb;
    Room expected;
  };
  const Step steps[] = {
      {80, Room::kEnough}, {79, Room::kReserve}, {80, Room::kReserve}, {89, Room::kReserve},
      {90, Room::kEnough}, {81, Room::kEnough},  {20, Room::kReserve}, {19, Room::kNone},
      {20, Room::kNone},   {22, Room::kNone},    {23, Room::kReserve}, {20, Room::kReserve},
      {5, Room::kNone},    {500, Room::kEnough},
  };
  for (const Step& step : steps) {
    EXPECT_EQ(With(step.free_mb), step.expected) << step.free_mb << " MB";
  }
}

// A burst of writes is noticed by its bytes, without waiting for the watching thread.
TEST_F(DiskSpaceTest, WritingLooksAtTheDisk) {
  free_ = 10 * kMb;
  disk_.CountWritten(DiskSpace::kCheckBytes - 1);
  EXPECT_EQ(disk_.room(), Room::kEnough);
  disk_.CountWritten(1);
  EXPECT_EQ(disk_.room(), Room::kNone);
}

// When there is little room, each group looks for itself: deletions must not run into the wall.
TEST_F(DiskSpaceTest, AGroupLooksAnewWhenThereIsLittleRoom) {
  EXPECT_EQ(With(50), Room::kReserve);
  free_ = 5 * kMb;
  EXPECT_EQ(disk_.RoomForGroup(), Room::kNone);
}

// The ballast is made when there is room, given up when hardly any is left, and comes back.
TEST_F(DiskSpaceTest, BallastIsGivenUpAndRestored) {
  std::atomic<int> more_room = 0;
  disk_.Start([&more_room] { ++more_room; });
  ASSERT_TRUE(Eventually([&] { return HasBallast(); }));
  EXPECT_EQ(std::filesystem::file_size(directory_.path() + "/BALLAST"), kMb);
  EXPECT_EQ(With(50), Room::kReserve);
  EXPECT_TRUE(HasBallast());
  EXPECT_EQ(With(10), Room::kNone);
  EXPECT_FALSE(HasBallast());
  free_ = 1000 * kMb;
  EXPECT_TRUE(Eventually([&] { return HasBallast() && more_room == 1; }));
  disk_.Stop();
}

// Giving up the ballast can be enough to go on with deletions.
TEST_F(DiskSpaceTest, BallastMakesRoomForDeletions) {
  disk_.Start([] {});
  ASSERT_TRUE(Eventually([&] { return HasBallast(); }));
  disk_.Stop();
  EXPECT_EQ(With(20), Room::kReserve);  // 19 with the ballast.
  EXPECT_FALSE(HasBallast());
}

// A ballast of another size is one that a crash left half made, or of other settings.
TEST_F(DiskSpaceTest, BallastOfTheWrongSizeIsMadeAnew) {
  std::filesystem::create_directories(directory_.path());
  std::ofstream(directory_.path() + "/BALLAST") << "half";
  DiskSpace disk({directory_.path(), 80 * kMb, kMb}, [this] { return Free(); });
  EXPECT_FALSE(HasBallast());
  disk.Start([] {});
  EXPECT_TRUE(Eventually([&] {
    return HasBallast() && std::filesystem::file_size(directory_.path() + "/BALLAST") == kMb;
  }));
}

// Zero switches the marks off: only a disk without a byte is full.
TEST_F(DiskSpaceTest, WithoutMarksOnlyAFullDiskRefuses) {
  DiskSpace disk({directory_.path(), 0, 0}, [this] { return Free(); });
  free_ = 1;
  EXPECT_EQ(disk.Check(), Room::kEnough);
  free_ = 0;
  EXPECT_EQ(disk.Check(), Room::kNone);
  free_ = 1;
  EXPECT_EQ(disk.Check(), Room::kEnough);
}

}  // namespace
}  // namespace tintype::tables::engine
