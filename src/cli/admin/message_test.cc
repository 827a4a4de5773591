#include "cli/admin/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;

// Proves that what one side writes, the other reads, whatever is in it, on one line.
TEST(AdminMessageTest, ReadsWhatItWrites) {
  const AdminMessage written{"backup",
                             {{"to", std::string("/mnt/\"x\"\\ä\n\t\x01")},
                              {"keep", std::numeric_limits<int64_t>::min()},
                              {"fast", true},
                              {"files", AdminFields::Texts{"a\nb", "", "\x1B[2J"}},
                              {"none", AdminFields::Texts{}}}};
  const std::string line = FormatMessage(written);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = ParseMessage(line);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->name, "backup");
  EXPECT_EQ(read->fields.values(), written.fields.values());
  EXPECT_EQ(FormatMessage({"done", {}}), "{\"done\": {}}");
  EXPECT_TRUE(ParseMessage("{\"done\": {}}").ok());
}

// Proves that an error that names a file is told whatever bytes the name has.
TEST(AdminMessageTest, BytesThatAreNoTextAreReadable) {
  const auto read = ParseMessage(FormatMessage(ErrorMessage(Error::Io("Cannot open a\xff\n"))));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(*read->fields.Text("message"), "Cannot open a\uFFFD\n");
}

// Proves that anything else than an object with an object of simple fields is refused with a
// reason.
TEST(AdminMessageTest, RefusesOtherLines) {
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"backup", ""},
      {"[]", ""},
      {"{}", "not exactly one member"},
      {R"({"a": {}, "b": {}})", "not exactly one member"},
      {R"({"a": 1})", "the value of 'a' is not an object"},
      {R"({"a": {"b": [null]}})", "'b' is a list of something else"},
      {R"({"a": {"b": {}}})", "'b' is neither"},
      {R"({"a": {"b": [1]}})", "'b' is a list of something else"},
      {R"({"a": {"b": [["c"]]}})", "'b' is a list of something else"},
      {R"({"a": {"b": 1.5}})", "'b' is neither"},
      {R"({"a": {"b": 18446744073709551615}})", "'b' is neither"},
      {R"({"a": {}} {"b": {}})", ""},
      {"{\"a\": {\"b\": \"\xff\"}}", ""},
      {R"({"a": {"b": "c)", ""},
      {std::string(100'000, '['), ""},
  };
  for (const auto& [line, reason] : cases) {
    const auto read = ParseMessage(line);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_EQ(read.error().kind(), ErrorKind::kValidation);
    EXPECT_THAT(read.error().message(), HasSubstr("must be a JSON object"));
    EXPECT_THAT(read.error().message(), HasSubstr(reason));
  }
}

// Proves that a field that is not there, or of another type, is named.
TEST(AdminMessageTest, FieldsAreTyped) {
  const AdminFields fields{{"to", std::string("/x")}, {"keep", int64_t{3}}};
  EXPECT_EQ(*fields.Text("to"), "/x");
  EXPECT_EQ(*fields.Number("keep"), 3);
  EXPECT_THAT(fields.Number("to").error().message(), HasSubstr("'to' is missing, or not a number"));
  EXPECT_FALSE(fields.List("to").ok());
  EXPECT_THAT(fields.Text("from").error().message(), HasSubstr("'from' is missing, or not text"));
}

}  // namespace
}  // namespace tintype::cli
