#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tables/wire/codec.h"
#include "tables/wire/error_table.h"

/// What the tests of this room share.
namespace tintype::tables::wire::testing {

/// Decodes `body` as a request of `operation` and keeps only how it went.
inline Status Decode(std::string_view operation, std::string_view body) {
  using Decoder = std::function<Status(std::string_view)>;
  const auto wrap = [](auto decode) -> Decoder {
    return [decode](std::string_view text) -> Status {
      auto result = decode(text);
      return result.ok() ? OkStatus() : Status(result.error());
    };
  };
  static const std::map<std::string_view, Decoder> decoders = {
      {"GetItem", wrap(DecodeGetItem)},
      {"PutItem", wrap(DecodePutItem)},
      {"DeleteItem", wrap(DecodeDeleteItem)},
      {"UpdateItem", wrap(DecodeUpdateItem)},
      {"BatchGetItem", wrap(DecodeBatchGetItem)},
      {"BatchWriteItem", wrap(DecodeBatchWriteItem)},
      {"TransactGetItems", wrap(DecodeTransactGetItems)},
      {"TransactWriteItems", wrap(DecodeTransactWriteItems)},
      {"Query", wrap(DecodeQuery)},
      {"Scan", wrap(DecodeScan)},
      {"CreateTable", wrap(DecodeCreateTable)},
      {"UpdateTable", wrap(DecodeUpdateTable)},
      {"DeleteTable", wrap(DecodeDeleteTable)},
      {"DescribeTable", wrap(DecodeDescribeTable)},
      {"ListTables", wrap(DecodeListTables)},
      {"TagResource", wrap(DecodeTagResource)},
      {"UntagResource", wrap(DecodeUntagResource)},
      {"ListTagsOfResource", wrap(DecodeListTagsOfResource)},
      {"PutResourcePolicy", wrap(DecodePutResourcePolicy)},
      {"GetResourcePolicy", wrap(DecodeGetResourcePolicy)},
      {"DeleteResourcePolicy", wrap(DecodeDeleteResourcePolicy)},
      {"UpdateTimeToLive", wrap(DecodeUpdateTimeToLive)},
      {"DescribeTimeToLive", wrap(DecodeDescribeTimeToLive)},
      {"ListStreams", wrap(DecodeListStreams)},
      {"DescribeStream", wrap(DecodeDescribeStream)},
      {"GetShardIterator", wrap(DecodeGetShardIterator)},
      {"GetRecords", wrap(DecodeGetRecords)},
      {"CreateBackup", wrap(DecodeCreateBackup)},
      {"DescribeBackup", wrap(DecodeDescribeBackup)},
      {"DeleteBackup", wrap(DecodeDeleteBackup)},
      {"ListBackups", wrap(DecodeListBackups)},
      {"RestoreTableFromBackup", wrap(DecodeRestoreTableFromBackup)},
      {"UpdateContinuousBackups", wrap(DecodeUpdateContinuousBackups)},
      {"DescribeContinuousBackups", wrap(DecodeDescribeContinuousBackups)},
      {"RestoreTableToPointInTime", wrap(DecodeRestoreTableToPointInTime)},
      {"ExportTableToPointInTime", wrap(DecodeExportTable)},
      {"DescribeExport", wrap(DecodeDescribeExport)},
      {"ListExports", wrap(DecodeListExports)},
      {"ImportTable", wrap(DecodeImportTable)},
      {"DescribeImport", wrap(DecodeDescribeImport)},
      {"ListImports", wrap(DecodeListImports)},
  };
  return decoders.at(operation)(body);
}

/// A request, and the message of the error that it must give if it must give one.
struct Row {
  std::string operation;
  std::string body;
  std::string message;
};

/// The message for one broken constraint.
inline std::string Violation(const std::string& value, const std::string& path,
                             const std::string& constraint) {
  return "1 validation error detected: Value " + value + " at '" + path +
         "' failed to satisfy constraint: Member must " + constraint;
}

inline void ExpectErrors(Reason reason, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.operation + " " + row.body.substr(0, 300));
    const Status status = Decode(row.operation, row.body);
    ASSERT_FALSE(status.ok()) << "expected: " << row.message;
    EXPECT_EQ(ErrorEntryFor(status.error().reason()).exception, ErrorEntryFor(reason).exception);
    EXPECT_EQ(status.error().message(), row.message);
  }
}

inline void ExpectAccepted(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.operation + " " + row.body.substr(0, 300));
    const Status status = Decode(row.operation, row.body);
    EXPECT_TRUE(status.ok()) << status.error().message();
  }
}

}  // namespace tintype::tables::wire::testing
