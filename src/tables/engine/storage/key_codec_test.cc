#include "tables/engine/storage/key_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tintype::tables::engine {
namespace {

std::string Encoded(const Value& value) {
  std::string out;
  AppendKeyComponent(out, value.view());
  return out;
}

// Strings of all awkward shapes sort encoded as they sort raw, also when more components follow.
TEST(KeyCodecTest, ComponentsSortAsValues) {
  std::vector<std::string> texts = {std::string("\0", 1),
                                    std::string("\0\0", 2),
                                    "a",
                                    std::string("a\0", 2),
                                    std::string("a\0b", 3),
                                    "a\x01",
                                    "ab",
                                    "\xFF",
                                    "\xFF\xFF",
                                    std::string("\0\xFF", 2),
                                    std::string("\0\x01", 2),
                                    "b",
                                    "\x7F"};
  std::sort(texts.begin(), texts.end());
  for (size_t i = 1; i < texts.size(); ++i) {
    for (const std::string& tail_before : {std::string(), std::string("\xFF\xFF")}) {
      const std::string before = Encoded(Value::Binary(texts[i - 1])) + tail_before;
      const std::string after = Encoded(Value::Binary(texts[i]));
      EXPECT_LT(before, after) << i;
    }
  }
}

// A prefix bounds exactly the strings that start with it.
TEST(KeyCodecTest, PrefixesBoundWhatStartsWithThem) {
  const std::string texts[] = {"a", "ab", std::string("a\0", 2), std::string("a\0c", 3), "b", "aa"};
  const std::string prefixes[] = {"a", std::string("a\0", 2), "ab", "b"};
  for (const std::string& prefix : prefixes) {
    std::string lower;
    AppendKeyComponentPrefix(lower, prefix);
    const std::string upper = PrefixSuccessor(lower);
    for (const std::string& text : texts) {
      const std::string key = Encoded(Value::String(text));
      EXPECT_EQ(lower <= key && key < upper, text.starts_with(prefix)) << text << " " << prefix;
    }
  }
}

// The end of a range must be larger than everything in it, also where bytes cannot be raised.
TEST(KeyCodecTest, SuccessorSkipsTrailingOnes) {
  EXPECT_EQ(PrefixSuccessor("a"), "b");
  EXPECT_EQ(PrefixSuccessor("a\xFF\xFF"), "b");
}

// Segments of a Scan are only as even as this hash. Sequential keys are the common hard case.
TEST(KeyCodecTest, PartitionHashSpreadsSequentialKeys) {
  std::vector<int> buckets(16);
  constexpr int kKeys = 16000;
  for (int i = 0; i < kKeys; ++i) {
    ++buckets[PartitionHash("IMAGE#01HF9G" + std::to_string(i)) >> 12];
  }
  for (const int count : buckets) {
    EXPECT_GT(count, kKeys / 16 * 8 / 10);
    EXPECT_LT(count, kKeys / 16 * 12 / 10);
  }
}

// The hash is part of the stored format: these values may never change.
TEST(KeyCodecTest, PartitionHashIsFixed) {
  EXPECT_EQ(PartitionHash(""), 34160);
  EXPECT_EQ(PartitionHash("a"), 33457);
  EXPECT_EQ(PartitionHash(std::string("IMAGE#1\0\x01", 9)), 27718);
}

}  // namespace
}  // namespace tintype::tables::engine
