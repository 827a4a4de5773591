#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "cli/backup/create.h"
#include "cli/backup/directory.h"
#include "cli/backup/restore.h"
#include "cli/backup/verify.h"
#include "crypto/secret_key.h"
#include "tables/language/blocking_database.h"

namespace tintype::cli {

inline bool GoOn(const ProgressStep& /*step*/) { return true; }

inline crypto::SecretKey MasterKey() { return *crypto::SecretKey::FromBytes(std::string(32, 'm')); }

inline std::unique_ptr<Tables> OpenTables(const std::string& data_dir) {
  tables::engine::EngineConfig config;
  config.master_key = MasterKey();
  config.relaxed_durability = true;  // Power stays on.
  config.directory = data_dir + "/tables";
  config.write_buffer_bytes = size_t{64} << 10;  // Small, so that items reach sorted files.
  config.ballast_bytes = 1 << 20;
  auto opened = OpenEngine(std::move(config));
  EXPECT_TRUE(opened.ok()) << opened.error().message();
  return *std::move(opened);
}

/// A data directory with tables in it, and a place for its backups.
class BackupTest : public ::testing::Test {
 protected:
  BackupTest() {
    std::filesystem::create_directory(data_);
    Write("FORMAT", "tintype\n");
    Write("secret", "secret\n");
    Write("credentials", "the root key\n");
    Write("backups/one/part", std::string(3 << 20, 'p'));
    Write("master.key", "the master key");
    Write("master.key.0123", "the master key before");
    Write("my.key", "the master key elsewhere");
    Write("keys/old.key", std::string(64, 'e') + "\n");  // A master key by its looks.
    Write("backups/two.new/part", "half");
    Write("half.tmp", "half");
    Write("exports/bucket/data.json", "readable");
    Write("cache/resized/00/picture", "made again");
    Write("NODE", "another\n");
    tables_ = OpenTables(data_);
    tables::CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = tables::BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", tables::Type::kNumber}};
    request.definition.keys = {{"pk"}, {}};
    EXPECT_TRUE(tables::BlockingDatabase(tables_->as_server()).CreateTable(request).ok());
  }

  void Write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = std::filesystem::path(data_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }

  void Put(int from, int to) {
    for (int i = from; i < to; ++i) {
      tables::PutItemRequest request;
      request.table = "t";
      request.item = tables::Item::Of(
          {{"pk", tables::Value::Integer(i)}, {"x", tables::Value::String(std::string(900, 'x'))}});
      ASSERT_TRUE(tables::BlockingDatabase(tables_->as_server()).PutItem(request).ok());
    }
  }

  static size_t Count(const std::string& data_dir) {
    const auto tables = OpenTables(data_dir);
    tables::ScanRequest request;
    request.table = "t";
    return static_cast<size_t>(tables::BlockingDatabase(tables->as_server()).Scan(request)->count);
  }

  Result<BackupOutcome> Create(uint32_t keep = 0, const ProgressReport& report = GoOn) {
    return CreateBackup(*tables_->embedded(), {data_, to_, keep, data_ + "/my.key"}, clock_,
                        report);
  }

  Result<VerifyOutcome> Verify(uint32_t id) {
    return VerifyBackup(to_, id, {MasterKey(), true}, GoOn);
  }

  std::vector<uint32_t> Ids() {
    std::vector<uint32_t> ids;
    const auto backups = ListBackups({to_});
    for (const ListedBackup& backup : *backups) {
      ids.push_back(backup.id);
    }
    return ids;
  }

  /// Restores backup `id` to a new directory and returns its path.
  std::string Restore(uint32_t id) {
    std::string to = StrCat(temporary_.path(), "/restored", ++restored_);
    const auto outcome = RestoreBackup({to_, id, to}, GoOn);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message();
    return to;
  }

  /// Files below a folder, relative to it.
  static std::vector<std::string> FilesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        names.push_back(std::filesystem::relative(entry.path(), folder).string());
      }
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Expects that the backup directory has no file which no manifest names.
  void ExpectNothingElse() {
    std::set<std::string> expected{"FORMAT", "LOCK"};
    for (const uint32_t id : Ids()) {
      expected.insert(StrCat("manifests/", id));
      const BackupManifest manifest = *FindBackup({to_}, id);
      for (const BackupFile& file : manifest.files) {
        expected.insert(file.stored);
      }
    }
    EXPECT_EQ(FilesIn(to_), std::vector<std::string>(expected.begin(), expected.end()));
  }

  static void Flip(const std::string& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(0, std::ios::end);
    const std::streamoff at = file.tellg() / 2;
    file.seekg(at);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(at);
    file.put(byte);
    ASSERT_TRUE(file.good()) << path;
  }

  TemporaryDirectory temporary_;
  const std::string data_ = temporary_.path() + "/data";
  const std::string to_ = temporary_.path() + "/backup";
  FakeClock clock_{1'700'000'000'000};
  std::unique_ptr<Tables> tables_;
  int restored_ = 0;
};

}  // namespace tintype::cli
