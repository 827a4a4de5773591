#include "tables/transfer/internal/json_objects.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tintype::tables::transfer {
namespace {

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    if (const std::string_view part = TakeObject(text); !part.empty()) {
      parts.emplace_back(part);
    }
  }
  return parts;
}

using Parts = std::vector<std::string>;

// Braces count where they are JSON's own, not in texts.
TEST(JsonObjectsTest, SplitsWhatFollowsOneAnother) {
  EXPECT_EQ(Split(R"({"a":1}{"b":{}} {"c":"}{"})"),
            (Parts{R"({"a":1})", R"({"b":{}})", R"({"c":"}{"})"}));
  EXPECT_EQ(Split(R"({"a":"\"}"}{})"), (Parts{R"({"a":"\"}"})", "{}"}));
  EXPECT_EQ(Split(R"({"a":"\\"}{})"), (Parts{R"({"a":"\\"})", "{}"}));
  EXPECT_EQ(Split("  "), Parts{});
}

// Anything without an end is left to its reader, as a whole.
TEST(JsonObjectsTest, LeavesWhatIsNotJson) {
  EXPECT_EQ(Split(R"({"a":1}junk)"), (Parts{R"({"a":1})", "junk"}));
  EXPECT_EQ(Split(R"({"a":{})"), Parts{R"({"a":{})"});
  EXPECT_EQ(Split(R"({"a":"\)"), Parts{R"({"a":"\)"});
  EXPECT_EQ(Split("}}{}"), Parts{"}}{}"});
}

}  // namespace
}  // namespace tintype::tables::transfer
