#pragma once

#include <utility>

#include "http/dynamodb/testing/fake_answers.h"
#include "tables/language/backups.h"

namespace tintype::http::dynamodb::testing {

/// Backups of nothing.
class FakeBackups : public tables::Backups, public FakeAnswers {
 public:
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
};

}  // namespace tintype::http::dynamodb::testing
