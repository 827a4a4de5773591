#include "cli/settings/tables_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/testing/temporary_directory.h"
#include "tables/language/errors.h"

namespace tintype::cli {
namespace {

using testing::HasSubstr;

class TablesPlaceTest : public testing::Test {
 protected:
  TemporaryDirectory directory_;
  DataDirectory data_{directory_.path()};
};

// Proves that a directory which was used with tables elsewhere is not opened as one with its own,
// while one process at a time has it, and that the address may change.
TEST_F(TablesPlaceTest, BelongsToTablesElsewhere) {
  EXPECT_TRUE(CheckTablesAreHere(data_).ok());
  {
    const auto held = HoldForTablesAt(data_, "http://one:8000");
    ASSERT_TRUE(held.ok()) << held.error().message();
    EXPECT_TRUE(
        HoldForTablesAt(data_, "http://one:8000").error().Is(tables::reasons::kAlreadyOpen));
  }
  EXPECT_THAT(CheckTablesAreHere(data_).error().message(), HasSubstr("--tables http://one:8000,"));
  {
    const auto held = HoldForTablesAt(data_, "http://two");
    ASSERT_TRUE(held.ok()) << held.error().message();
    EXPECT_EQ(FindTablesAddress(data_).value(), "http://one:8000")
        << "until they are known to be its";
    ASSERT_TRUE(NoteTablesAt(data_, "http://two").ok());
    EXPECT_TRUE(HoldForTablesAt(data_, "http://two").error().Is(tables::reasons::kAlreadyOpen));
  }
  EXPECT_EQ(*ReadFile(data_.tables_place()), "http://two\n");
}

// Proves that a directory with tables of its own is not used with others.
TEST_F(TablesPlaceTest, BelongsToItsOwnTables) {
  std::filesystem::create_directory(data_.tables());
  const auto held = HoldForTablesAt(data_, "http://one:8000");
  EXPECT_EQ(held.error().kind(), ErrorKind::kValidation);
  EXPECT_THAT(held.error().message(), HasSubstr("has tables of its own"));
  EXPECT_TRUE(CheckTablesAreHere(data_).ok());
}

}  // namespace
}  // namespace tintype::cli
