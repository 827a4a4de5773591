#include "contract/limits.h"

#include <gtest/gtest.h>

#include <string>

namespace tintype::limits {
namespace {

std::string Repeated(std::string_view character, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) {
    text.append(character);
  }
  return text;
}

// Proves that lengths are counted in characters, however many bytes each of them has.
TEST(LimitsTest, CountCharacters) {
  constexpr TextLimit kLimit{2, 100};
  for (const std::string_view character : {"a", "\xC3\xA4", "\xE3\x81\x82", "\xF0\x9F\x93\xB7"}) {
    EXPECT_FALSE(CheckText("text", Repeated(character, 1), kLimit).ok()) << character;
    EXPECT_TRUE(CheckText("text", Repeated(character, 2), kLimit).ok()) << character;
    EXPECT_TRUE(CheckText("text", Repeated(character, 100), kLimit).ok()) << character;
    EXPECT_FALSE(CheckText("text", Repeated(character, 101), kLimit).ok()) << character;
  }
}

TEST(LimitsTest, SayWhatIsWrong) {
  constexpr TextLimit kLimit{2, 3};
  EXPECT_EQ(CheckText("title", "four", kLimit).error().message(),
            "`title` has 4 characters; the limit is 3.");
  EXPECT_EQ(CheckText("title", "1", kLimit).error().message(),
            "`title` has to have at least 2 characters.");
  EXPECT_EQ(CheckText("title", "", kLimit).error().message(), "`title` is empty.");
  EXPECT_EQ(CheckText("title", "\xFF\xFF", kLimit).error().message(), "`title` is not UTF-8.");
  EXPECT_EQ(CheckText("title", "\xFF\xFF", kLimit).error().kind(), ErrorKind::kValidation);
}

// A text that is a key, or a part of one, fits into DynamoDB's keys with every character four bytes
// long: 2048 bytes of a partition key, 1024 of a sort key, each with a prefix and another id in it.
TEST(LimitsTest, LeaveRoomInKeys) {
  constexpr size_t kCharacterBytesMax = 4;
  constexpr size_t kSortKeyBytesMax = 1024;
  for (const TextLimit& limit : {kTag, kAlbumId, kUsername}) {
    EXPECT_LE(kCharacterBytesMax * limit.max, kSortKeyBytesMax / 2);
  }
  EXPECT_LE(kCharacterBytesMax * kEmail.max, kSortKeyBytesMax);
}

// An image with every text as long as allowed is far from the 400 KB of an item.
TEST(LimitsTest, LeaveRoomInItems) {
  const size_t characters = kTitle.max + kDescription.max + kAltText.max + kAlbumId.max +
                            kFilename.max + kTags.max * kTag.max;
  EXPECT_LE(4 * characters, size_t{100} * 1024);
}

}  // namespace
}  // namespace tintype::limits
