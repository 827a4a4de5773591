#include "blobs/disk_room.h"

#include <gtest/gtest.h>

namespace tintype::blobs {
namespace {

// Proves where the marks are: photos stop coming in while there is the whole reserve, what came in
// is worked on while there is half of it, and bytes that were announced count as if they were
// there.
TEST(DiskRoomTest, StopsBeforeTheTables) {
  const struct {
    std::optional<uint64_t> free;
    uint64_t bytes;
    bool intake;
    bool work;
  } cases[] = {
      {150, 0, true, true},   {149, 0, false, true},         {125, 0, false, true},
      {124, 0, false, false}, {0, 0, false, false},          {200, 50, true, true},
      {200, 51, false, true}, {std::nullopt, 1, true, true},
  };
  for (const auto& [free, bytes, intake, work] : cases) {
    const DiskRoom room([free = free] { return free; }, {.tables_bytes = 100, .reserve_bytes = 50});
    EXPECT_EQ(room.HasForIntake(bytes), intake) << free.value_or(0) << " " << bytes;
    EXPECT_EQ(room.HasForWork(), work) << free.value_or(0);
  }
}

// Proves that the disk of a folder is looked at: it has a byte, and not all that there could be.
TEST(DiskRoomTest, LooksAtTheDisk) {
  const DiskRoom room(::testing::TempDir(), {.tables_bytes = 1, .reserve_bytes = 0});
  EXPECT_TRUE(room.HasForIntake(0));
  EXPECT_FALSE(room.HasForIntake(uint64_t{1} << 62));
}

}  // namespace
}  // namespace tintype::blobs
