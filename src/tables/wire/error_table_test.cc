#include "tables/wire/error_table.h"

#include <gtest/gtest.h>

namespace tintype::tables::wire {
namespace {

// Each code has an exception with a plausible status, so that none is forgotten.
TEST(ErrorTableTest, NamesEveryCode) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    const ErrorEntry& entry = ErrorEntryFor(static_cast<ErrorCode>(code));
    EXPECT_NE(entry.exception.find('#'), std::string_view::npos) << code;
    EXPECT_TRUE(entry.status == 400 || entry.status == 413 || entry.status == 500 ||
                entry.status == 503)
        << code;
  }
  EXPECT_EQ(ErrorEntryFor(ErrorCode::kConditionFailed).exception,
            "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException");
  EXPECT_EQ(ErrorEntryFor(ErrorCode::kRequestTooLarge).status, 413);
  EXPECT_EQ(ErrorEntryFor(ErrorCode::kCorruption).exception,
            "com.amazonaws.dynamodb.v20120810#InternalServerError");
}

// The names that SDKs make their exceptions of.
TEST(ErrorTableTest, NamesWhatStreamsAndBackupsFailWith) {
  const std::pair<ErrorCode, std::string> rows[] = {
      {ErrorCode::kExpiredIterator, "ExpiredIteratorException"},
      {ErrorCode::kTrimmed, "TrimmedDataAccessException"},
      {ErrorCode::kTableExists, "TableAlreadyExistsException"},
      {ErrorCode::kTableNotFound, "TableNotFoundException"},
      {ErrorCode::kBackupNotFound, "BackupNotFoundException"},
      {ErrorCode::kBackupInUse, "BackupInUseException"},
      {ErrorCode::kRecoveryUnavailable, "PointInTimeRecoveryUnavailableException"},
      {ErrorCode::kInvalidRestoreTime, "InvalidRestoreTimeException"},
      {ErrorCode::kInvalidExportTime, "InvalidExportTimeException"},
      {ErrorCode::kExportNotFound, "ExportNotFoundException"},
      {ErrorCode::kExportConflict, "ExportConflictException"},
      {ErrorCode::kImportNotFound, "ImportNotFoundException"},
      {ErrorCode::kImportConflict, "ImportConflictException"},
  };
  for (const auto& [code, name] : rows) {
    EXPECT_EQ(ErrorEntryFor(code).exception, "com.amazonaws.dynamodb.v20120810#" + name);
    EXPECT_EQ(ErrorEntryFor(code).status, 400);
    EXPECT_EQ(FindErrorEntry(name)->code, code);
  }
}

// What we answer for a code is understood as that code; codes that share an internal error, as
// that.
TEST(ErrorTableTest, FindsWhatItNames) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    const ErrorEntry& entry = ErrorEntryFor(static_cast<ErrorCode>(code));
    const ErrorEntry* found = FindErrorEntry(entry.exception);
    ASSERT_NE(found, nullptr) << entry.exception;
    EXPECT_TRUE(static_cast<int>(found->code) == code || found->code == ErrorCode::kInternal);
  }
}

// Services differ in the prefix and may leave it out; names that nobody knows are not guessed at.
TEST(ErrorTableTest, LooksOnlyAtTheShortName) {
  for (const std::string_view name :
       {"ProvisionedThroughputExceededException",
        "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
        "x#ProvisionedThroughputExceededException"}) {
    const ErrorEntry* found = FindErrorEntry(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->code, ErrorCode::kOverloaded);
    EXPECT_EQ(found->retry, Retry::kRefused);
  }
  EXPECT_EQ(FindErrorEntry("InternalServerError")->retry, Retry::kOutcomeOpen);
  EXPECT_EQ(FindErrorEntry("ConditionalCheckFailedException")->retry, Retry::kNever);
  EXPECT_EQ(FindErrorEntry("ThroughputException"), nullptr);
  EXPECT_EQ(FindErrorEntry(""), nullptr);
}

}  // namespace
}  // namespace tintype::tables::wire
