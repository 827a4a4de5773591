#include "cli/command_line/guess.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace tintype::cli {
namespace {

// Proves that a slip of the fingers finds the word, and that no guess is made at random.
TEST(GuessTest, FindsTheWordThatWasMeant) {
  const std::vector<std::string> known = {"serve", "keys",   "backup",  "restore", "table",
                                          "work",  "import", "rebuild", "scrub",   "bench"};
  const std::pair<std::string, std::optional<std::string>> cases[] = {
      {"serv", "serve"},       {"sreve", "serve"},       {"servee", "serve"},
      {"key", "keys"},         {"bakcup", "backup"},     {"tabel", "table"},
      {"rest", "restore"},     {"impotr", "import"},     {"scurb", "scrub"},
      {"bogus", std::nullopt}, {"photos", std::nullopt}, {"frob", std::nullopt},
      {"", std::nullopt},      {"x", std::nullopt},      {"-", std::nullopt},
      {"b", std::nullopt},     {"servers", "serve"},     {std::string(200, 's'), std::nullopt},
  };
  for (const auto& [typed, meant] : cases) {
    EXPECT_EQ(GuessWord(typed, known), meant) << typed;
  }
  EXPECT_EQ(GuessWord("serve", {}), std::nullopt);
}

// Proves that what begins two words is no guess, and that a close word wins over a longer one.
TEST(GuessTest, PrefersTheClosest) {
  const std::vector<std::string> flags = {"data-dir", "dynamodb-address", "http-address",
                                          "upload-limit", "upload-mb"};
  EXPECT_EQ(GuessWord("data-dri", flags), "data-dir");
  EXPECT_EQ(GuessWord("datadir", flags), "data-dir");
  EXPECT_EQ(GuessWord("http", flags), "http-address");
  EXPECT_EQ(GuessWord("upload", flags), std::nullopt);
  EXPECT_EQ(GuessWord("upload-mg", flags), "upload-mb");
}

}  // namespace
}  // namespace tintype::cli
