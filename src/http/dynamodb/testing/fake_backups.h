#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/language/backups.h"

namespace tintype::http::dynamodb::testing {

/// Backups of nothing: notes which operation was asked for and answers each with an empty response,
/// or with `error` if one is set. Answers at once, on the calling thread. Not thread-safe.
class FakeBackups : public tables::Backups {
 public:
  std::vector<std::string> calls;
  std::optional<Error> error;

  void CreateBackup(tables::CreateBackupRequest,
                    tables::Done<tables::CreateBackupResponse> done) override {
    Answer("CreateBackup", std::move(done));
  }
  void DescribeBackup(tables::DescribeBackupRequest,
                      tables::Done<tables::BackupResponse> done) override {
    Answer("DescribeBackup", std::move(done));
  }
  void DeleteBackup(tables::DeleteBackupRequest,
                    tables::Done<tables::BackupResponse> done) override {
    Answer("DeleteBackup", std::move(done));
  }
  void ListBackups(tables::ListBackupsRequest,
                   tables::Done<tables::ListBackupsResponse> done) override {
    Answer("ListBackups", std::move(done));
  }
  void RestoreTableFromBackup(tables::RestoreTableFromBackupRequest,
                              tables::Done<tables::TableResponse> done) override {
    Answer("RestoreTableFromBackup", std::move(done));
  }
  void UpdateContinuousBackups(tables::UpdateContinuousBackupsRequest,
                               tables::Done<tables::ContinuousBackupsResponse> done) override {
    Answer("UpdateContinuousBackups", std::move(done));
  }
  void DescribeContinuousBackups(tables::DescribeContinuousBackupsRequest,
                                 tables::Done<tables::ContinuousBackupsResponse> done) override {
    Answer("DescribeContinuousBackups", std::move(done));
  }
  void RestoreTableToPointInTime(tables::RestoreTableToPointInTimeRequest,
                                 tables::Done<tables::TableResponse> done) override {
    Answer("RestoreTableToPointInTime", std::move(done));
  }

 private:
  template <typename Response>
  void Answer(std::string operation, tables::Done<Response> done) {
    calls.push_back(std::move(operation));
    if (error) {
      done(*error);
    } else {
      done(Response{});
    }
  }
};

}  // namespace tintype::http::dynamodb::testing
