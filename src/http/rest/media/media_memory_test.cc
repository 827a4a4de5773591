#include "http/rest/media/media_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace tintype::http::rest {
namespace {

// Proves that no more is given away than there is, and that a part comes back when its last holder
// is gone, also after the memory itself.
TEST(MediaMemoryTest, GivesAwayWhatThereIs) {
  auto memory = std::make_unique<MediaMemory>(100);
  EXPECT_EQ(memory->Take(101), nullptr);
  EXPECT_EQ(memory->Take(UINT64_MAX), nullptr);
  auto part = memory->Take(60);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(memory->Take(41), nullptr);
  auto rest = memory->Take(40);
  EXPECT_EQ(memory->bytes_used(), 100U);
  auto file = std::make_shared<const Descriptor>(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::weak_ptr<const Descriptor> watched = file;
  auto held = MediaMemory::Hold(std::move(file), std::move(part));
  EXPECT_EQ(memory->Take(1), nullptr);
  EXPECT_TRUE(held->valid());
  held.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(memory->bytes_used(), 40U);
  memory.reset();
  rest.reset();
}

}  // namespace
}  // namespace tintype::http::rest
