#include "tables/wire/item_json.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace tintype::tables::wire {
namespace {

// An exported item is imported as the same item, whatever it holds.
TEST(ItemJsonTest, LinesReadBackAsTheSameItem) {
  const std::string lines[] = {
      R"({"Item":{}})",
      R"({"Item":{"a":{"S":""},"b":{"S":"x\"\\\n\u0001é"},"c":{"B":""},"d":{"B":"AP8="}}})",
      R"({"Item":{"n":{"N":"99999999999999999999999999999999999999"}}})",
      R"({"Item":{"n":{"N":"0.000000000000000000000000000000000000012345678901234567890123456789"}}})",
      R"({"Item":{"l":{"L":[{"NULL":true},{"BOOL":false},{"L":[]},{"M":{}}]}}})",
      R"({"Item":{"s":{"SS":["","a"]},"t":{"NS":["-1","2"]},"u":{"BS":["","AA=="]}}})",
  };
  for (const std::string& line : lines) {
    const auto item = DecodeItemLine(line);
    ASSERT_TRUE(item.ok()) << line << item.error().message();
    std::string written;
    AppendItemLine(written, item->view());
    const auto again = DecodeItemLine(written);
    ASSERT_TRUE(again.ok()) << written << again.error().message();
    EXPECT_EQ(*again, *item) << written;
    EXPECT_EQ(written.find('\n'), std::string::npos) << written;
  }
}

// A line that is no item says why.
TEST(ItemJsonTest, RefusesWhatIsNoItem) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "not a JSON object in UTF-8"},
      {"{\"Item\":", "not a JSON object in UTF-8"},
      {"{\"Item\":{\"a\":{\"S\":\"\xff\"}}}", "not a JSON object in UTF-8"},
      {R"([{"Item":{}}])", "not a JSON object in UTF-8"},
      {R"({"pk":{"S":"x"}})", "Value null at 'item'"},
      {R"({"Item":{"pk":"x"}})", "Unexpected value type"},
      {R"({"Item":{"pk":{"N":"x"}}})", "numeric value"},
      {R"({"Item":{"pk":{"SS":[]}}})", "may not be empty"},
      {StrCat(R"({"Item":{"pk":{"S":")", std::string(410'000, 'x'), "\"}}}"), "size"},
  };
  for (const auto& [line, words] : cases) {
    const auto item = DecodeItemLine(line);
    ASSERT_FALSE(item.ok()) << line.substr(0, 80);
    EXPECT_NE(item.error().message().find(words), std::string::npos)
        << line.substr(0, 80) << ": " << item.error().message();
  }
}

}  // namespace
}  // namespace tintype::tables::wire
