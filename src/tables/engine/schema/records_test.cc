#include "tables/language/records.h"

#include "tables/engine/testing/engine_test.h"

namespace tintype::tables::engine {
namespace {

using RecordsTest = EngineTest;

// Proves that records are there after a restart, that changes of one call come together, and that
// tables know nothing of them.
TEST_F(RecordsTest, AreKeptBesideTheTables) {
  ASSERT_TRUE(Call(&Records::ChangeRecords,
                   ChangeRecordsRequest{.puts = {{"key/a", "1"}, {"key/b", "2"}, {"other", "3"}},
                                        .removals = {}})
                  .ok());
  ASSERT_TRUE(Call(&Records::ChangeRecords, ChangeRecordsRequest{.puts = {{"key/b", "two"}},
                                                                 .removals = {"key/a", "key/none"}})
                  .ok());
  Open();
  const auto found = database_->ReadRecords("key/");
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(*found, (std::map<std::string, std::string>{{"key/b", "two"}}));
  const auto tables = Call(&Database::ListTables, ListTablesRequest{});
  ASSERT_TRUE(tables.ok());
  EXPECT_TRUE(tables->names.empty());
}

// Proves the limits, at which nothing of the call is stored.
TEST_F(RecordsTest, HaveLimits) {
  const auto kind_of = [&](ChangeRecordsRequest request) {
    const auto changed = Call(&Records::ChangeRecords, std::move(request));
    return changed.ok() ? ErrorKind::kInternal : changed.error().kind();
  };
  EXPECT_EQ(
      kind_of({.puts = {{"a", "1"}, {"b", std::string(kRecordBytesMax + 1, 'x')}}, .removals = {}}),
      ErrorKind::kValidation);
  EXPECT_EQ(kind_of({.puts = {{std::string(kRecordNameBytesMax + 1, 'x'), "1"}}, .removals = {}}),
            ErrorKind::kValidation);
  EXPECT_EQ(kind_of({.puts = {}, .removals = {""}}), ErrorKind::kValidation);
  EXPECT_TRUE(database_->ReadRecords("")->empty());
}

// Proves what decisions ask of tables, indexes and iterators.
TEST_F(RecordsTest, FactsOfTables) {
  Create(IndexedTable("t"));
  using Names = std::vector<std::string>;
  EXPECT_EQ(database_->PartitionKeyOf("t", std::nullopt), Names{"pk"});
  EXPECT_EQ(database_->PartitionKeyOf("t", "by_n"), Names{"n"});
  EXPECT_EQ(database_->PartitionKeyOf("t", "none"), Names{});
  EXPECT_EQ(database_->PartitionKeyOf("none", std::nullopt), Names{});
  EXPECT_EQ(database_->StreamOf("no iterator"), std::nullopt);
}

}  // namespace
}  // namespace tintype::tables::engine
