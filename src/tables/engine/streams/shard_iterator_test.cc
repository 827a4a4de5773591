#include "tables/engine/streams/shard_iterator.h"

#include <gtest/gtest.h>

#include <limits>

namespace tintype::tables::engine {
namespace {

constexpr char kArn[] = "arn:aws:dynamodb:eu-central-1:000000000000:table/t/stream/2026";

// An iterator says again what it was made of, at the limits as well.
TEST(ShardIteratorTest, ReadsBack) {
  const ShardIterator cases[] = {
      {kArn, 0, 0, 0},
      {kArn, 3, std::numeric_limits<Position>::max(), std::numeric_limits<int64_t>::max()},
      {"a|1|0", 1, 1, -1},
  };
  for (const ShardIterator& iterator : cases) {
    const auto read = ShardIterator::Decode(iterator.Encode());
    ASSERT_TRUE(read.ok()) << iterator.Encode();
    EXPECT_EQ(read->arn, iterator.arn);
    EXPECT_EQ(read->shard, iterator.shard);
    EXPECT_EQ(read->position, iterator.position);
    EXPECT_EQ(read->made_ms, iterator.made_ms);
  }
}

// Texts that we would not have written are refused, however near they come.
TEST(ShardIteratorTest, RefusesOtherTexts) {
  const std::string arn = kArn;
  const std::string tail = "00000000000000ab00000000000000cd";
  ASSERT_TRUE(ShardIterator::Decode(arn + "|1|0" + tail).ok());
  const std::string cases[] = {
      "",
      tail,
      "|1|0" + tail,
      arn + "|2|0" + tail,
      arn + "|1|4" + tail,
      arn + "|1|/" + tail,
      arn + "|1|0" + tail.substr(1),
      arn + "|1|0" + tail + "0",
      arn + "|1|0" + "00000000000000AB00000000000000cd",
      arn + "|1|0" + "00000000000000ab-0000000000000cd",
      arn + "|1|0" + "00000000000000ab00000000000000cx",
  };
  for (const std::string& text : cases) {
    const auto read = ShardIterator::Decode(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind(), ErrorKind::kValidation);
  }
}

// Sequence numbers sort as texts and read back. The last of all would have the first for the next,
// and is refused with everything else that no record has.
TEST(SequenceNumberTest, ReadsBackAndSorts) {
  EXPECT_EQ(*FromSequenceNumber(ToSequenceNumber(0)), 0U);
  EXPECT_EQ(*FromSequenceNumber("118446744073709551614"), std::numeric_limits<Position>::max() - 1);
  EXPECT_LT(ToSequenceNumber(99), ToSequenceNumber(100));
  for (const char* text :
       {"", "1", "12", "118446744073709551615", "118446744073709551616", "1-0000000000000000001",
        "1 0000000000000000001", "200000000000000000001", "10000000000000000000x"}) {
    const auto position = FromSequenceNumber(text);
    ASSERT_FALSE(position.ok()) << text;
    EXPECT_EQ(position.error().kind(), ErrorKind::kValidation);
  }
}

}  // namespace
}  // namespace tintype::tables::engine
