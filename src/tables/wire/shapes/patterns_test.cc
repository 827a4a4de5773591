#include "tables/wire/internal/patterns.h"

#include <gtest/gtest.h>

#include <vector>

namespace tintype::tables::wire {
namespace {

// Each pattern takes what its text in DynamoDB's model takes, at the edges too.
TEST(PatternsTest, MatchWhatTheirTextSays) {
  const struct {
    Pattern pattern;
    std::vector<std::string_view> matching;
    std::vector<std::string_view> others;
  } rows[] = {
      {Pattern::kAny, {"", "anything $"}, {}},
      {Pattern::kName, {"a", "aZ0_.-"}, {"", "a b", "a/b", "arn:aws:dynamodb:r:1:table/abc"}},
      {Pattern::kTableName,
       {"abc", "arn:aws:dynamodb:r:1:table/abc"},
       {"", "a/b", "arn:aws:s3:r:1:table/abc", "arn:aws:dynamodb:r:1:table/a/b"}},
      {Pattern::kClientToken, {"a", "a b\n"}, {"", "$", "a$b"}},
      {Pattern::kBucket, {"ab", "a.-_b", "A1"}, {"", "a", "-ab", "ab-", "a b", "a/b", "../ab"}},
      {Pattern::kAccount, {"000000000000"}, {"", "00000000000", "0000000000000", "00000000000x"}},
      {Pattern::kCsvDelimiter, {",", ";", ":", "|", "\t", " "}, {"", "x", ",,"}},
      {Pattern::kCsvHeader, {"", " !#+-~"}, {"\"", ",", "\t", "\x7F", "\xC3\xA4"}},
      {Pattern::kImportToken,
       {"0123456789abcdef", "0123456789abcdef0123456789abcdef"},
       {"", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF"}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(PatternText(row.pattern));
    for (const std::string_view text : row.matching) {
      EXPECT_TRUE(Matches(text, row.pattern)) << text;
    }
    for (const std::string_view text : row.others) {
      EXPECT_FALSE(Matches(text, row.pattern)) << text;
    }
  }
}

}  // namespace
}  // namespace tintype::tables::wire
