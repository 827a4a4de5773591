#include "tables/wire/error_table.h"

#include <gtest/gtest.h>

#include "sigv4/sigv4.h"
#include "tables/language/errors.h"

namespace tintype::tables::wire {
namespace {

// Each kind has an exception with a plausible status, so that none is forgotten.
TEST(ErrorTableTest, NamesEveryKind) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kInternal); ++kind) {
    const ErrorEntry& entry = ErrorEntryFor(static_cast<ErrorKind>(kind));
    EXPECT_NE(entry.exception.find('#'), std::string_view::npos) << kind;
    EXPECT_TRUE(entry.status == 400 || entry.status == 413 || entry.status == 500 ||
                entry.status == 503)
        << kind;
  }
  EXPECT_EQ(ErrorEntryFor(ErrorKind::kConditionFailed).exception,
            "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException");
  EXPECT_EQ(ErrorEntryFor(ErrorKind::kRequestTooLarge).status, 413);
  EXPECT_EQ(ErrorEntryFor(ErrorKind::kCorruption).exception,
            "com.amazonaws.dynamodb.v20120810#InternalServerError");
}

// The names that SDKs make their exceptions of.
TEST(ErrorTableTest, NamesWhatStreamsAndBackupsFailWith) {
  const std::pair<Reason, std::string> rows[] = {
      {reasons::kExpiredIterator, "ExpiredIteratorException"},
      {reasons::kTrimmed, "TrimmedDataAccessException"},
      {reasons::kTableExists, "TableAlreadyExistsException"},
      {reasons::kTableNotFound, "TableNotFoundException"},
      {reasons::kPolicyNotFound, "PolicyNotFoundException"},
      {reasons::kBackupNotFound, "BackupNotFoundException"},
      {reasons::kBackupInUse, "BackupInUseException"},
      {reasons::kRecoveryUnavailable, "PointInTimeRecoveryUnavailableException"},
      {reasons::kInvalidRestoreTime, "InvalidRestoreTimeException"},
      {reasons::kInvalidExportTime, "InvalidExportTimeException"},
      {reasons::kExportNotFound, "ExportNotFoundException"},
      {reasons::kExportConflict, "ExportConflictException"},
      {reasons::kImportNotFound, "ImportNotFoundException"},
      {reasons::kImportConflict, "ImportConflictException"},
  };
  for (const auto& [reason, name] : rows) {
    EXPECT_EQ(ErrorEntryFor(reason).exception, "com.amazonaws.dynamodb.v20120810#" + name);
    EXPECT_EQ(ErrorEntryFor(reason).status, 400);
    EXPECT_EQ(FindErrorEntry(name)->reason, reason);
  }
}

// Our answers for a kind are understood as that kind; kinds that share an internal error, as that.
// A reason without a row of its own is answered as its kind.
TEST(ErrorTableTest, FindsWhatItNames) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kInternal); ++kind) {
    const ErrorEntry& entry = ErrorEntryFor(static_cast<ErrorKind>(kind));
    const ErrorEntry* found = FindErrorEntry(entry.exception);
    ASSERT_NE(found, nullptr) << entry.exception;
    EXPECT_TRUE(static_cast<int>(found->reason.kind) == kind ||
                found->reason == ErrorKind::kInternal);
  }
  EXPECT_EQ(ErrorEntryFor({ErrorKind::kNotFound, "NoSuchCamera"}).exception,
            ErrorEntryFor(ErrorKind::kNotFound).exception);
}

// Services differ in the prefix and may leave it out; names that nobody knows are not guessed at.
TEST(ErrorTableTest, LooksOnlyAtTheShortName) {
  for (const std::string_view name :
       {"ProvisionedThroughputExceededException",
        "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
        "x#ProvisionedThroughputExceededException"}) {
    const ErrorEntry* found = FindErrorEntry(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->reason, ErrorKind::kOverloaded);
  }
  EXPECT_EQ(FindErrorEntry("ThroughputException"), nullptr);
  EXPECT_EQ(FindErrorEntry(""), nullptr);
}

}  // namespace
}  // namespace tintype::tables::wire
