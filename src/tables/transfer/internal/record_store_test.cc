#include "tables/transfer/internal/record_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/testing/temporary_directory.h"
#include "tables/language/errors.h"
#include "tables/wire/codec.h"

namespace tintype::tables::transfer {
namespace {

constexpr char kExportId[] = "01695353076000-a1b2c3d4";
constexpr char kOtherId[] = "01695353076000-a1b2c3d5";
constexpr char kImportId[] = "01695353076001-a1b2c3d4";

class RecordStoreTest : public ::testing::Test {
 protected:
  RecordStoreTest() { Restart(); }

  // Has what is on disk read anew.
  void Restart() {
    exports_.emplace(folder_.path(), sealing_);
    imports_.emplace(folder_.path(), sealing_);
    EXPECT_TRUE(exports_->Load().ok());
    EXPECT_TRUE(imports_->Load().ok());
  }

  const TemporaryDirectory folder_;
  RecordSealing sealing_;
  std::optional<RecordStore<ExportRecord>> exports_;
  std::optional<RecordStore<ImportRecord>> imports_;
};

// Everything a description shows is there after a restart, whatever the texts hold.
TEST_F(RecordStoreTest, RecordsReadBackAsTheyWere) {
  ExportRecord exported;
  exported.description = {.arn = "arn/export/1",
                          .status = TransferStatus::kFailed,
                          .table_arn = "arn",
                          .table_id = "id",
                          .time_ms = 3,
                          .started_ms = 1,
                          .ended_ms = 2,
                          .bucket = "bucket",
                          .prefix = "a\"\\\n\x01é",
                          .client_token = "token",
                          .manifest = "manifest",
                          .billed_bytes = 4,
                          .item_count = 5,
                          .failure_code = "code",
                          .failure_message = "message",
                          .bucket_owner = "123456789012"};
  exported.parameters = "digest";
  ASSERT_TRUE(exports_->Keep(kExportId, exported).ok());
  ImportRecord imported;
  imported.description.arn = "arn/import/1";
  imported.description.status = TransferStatus::kCompleted;
  imported.description.gzip = true;
  imported.description.table.name = "table";
  imported.description.table.attributes = {{"pk", Type::kString}, {"g", Type::kNumber}};
  imported.description.table.keys = {{"pk"}, {}};
  imported.description.table.billing_mode = BillingMode::kPayPerRequest;
  IndexDefinition index;
  index.name = "index";
  index.keys = {{"g"}, {}};
  imported.description.table.global_indexes = {index};
  imported.description.processed_bytes = 1;
  imported.description.processed_items = 2;
  imported.description.imported_items = 3;
  imported.description.error_count = 4;
  imported.parameters = "other digest";
  ASSERT_TRUE(imports_->Keep(kImportId, imported).ok());

  Restart();
  const ExportRecord read_export = exports_->Find(kExportId).value();
  const ImportRecord read_import = imports_->Find(kImportId).value();
  // Their encodings show all that there is, but for what completed ones alone show.
  EXPECT_EQ(wire::EncodeExport({read_export.description}),
            wire::EncodeExport({exported.description}));
  EXPECT_EQ(read_export.description.billed_bytes, 4);
  EXPECT_EQ(read_export.description.item_count, 5);
  EXPECT_EQ(read_export.parameters, "digest");
  EXPECT_EQ(wire::EncodeImport({read_import.description}),
            wire::EncodeImport({imported.description}));
  EXPECT_EQ(read_import.parameters, "other digest");
}

// Where records are sealed none is in plain, those from before included; without the key they are
// left out, and nothing of them is lost.
TEST_F(RecordStoreTest, SealsRecords) {
  ExportRecord before;
  before.description.bucket = "bucket-from-before";
  ASSERT_TRUE(exports_->Keep(kExportId, before).ok());
  const auto turn = [](std::string_view text) { return std::string(text.rbegin(), text.rend()); };
  sealing_.seal = turn;
  sealing_.open = [turn](std::string_view sealed) { return Result<std::string>(turn(sealed)); };
  Restart();
  EXPECT_EQ(exports_->Find(kExportId)->description.bucket, "bucket-from-before");
  ExportRecord after;
  after.description.bucket = "another-bucket";
  ASSERT_TRUE(exports_->Keep(kOtherId, after).ok());
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().extension(), ".sealed") << entry.path();
    EXPECT_EQ(ReadFile(entry.path().string())->find("bucket"), std::string::npos);
    ++files;
  }
  EXPECT_EQ(files, 2);
  Restart();
  EXPECT_EQ(exports_->Find(kOtherId)->description.bucket, "another-bucket");
  const RecordSealing sealing = std::exchange(sealing_, {});
  Restart();
  EXPECT_FALSE(exports_->Find(kExportId));
  sealing_ = sealing;
  Restart();
  EXPECT_TRUE(exports_->Find(kExportId));
}

// Exports that ended 90 days ago are forgotten, on disk as well; those that did not end never are.
TEST_F(RecordStoreTest, ForgetsWhatEndedLongAgo) {
  constexpr int64_t kDaysMs = int64_t{90} * 24 * 60 * 60 * 1000;
  ExportRecord ended;
  ended.description.status = TransferStatus::kCompleted;
  ended.description.ended_ms = 1000;
  ASSERT_TRUE(exports_->Keep(kExportId, ended).ok());
  ASSERT_TRUE(exports_->Keep(kOtherId, ExportRecord{}).ok());
  exports_->ForgetOld(1000 + kDaysMs);
  EXPECT_TRUE(exports_->Find(kExportId));
  exports_->ForgetOld(1001 + kDaysMs);
  EXPECT_FALSE(exports_->Find(kExportId));
  Restart();
  EXPECT_FALSE(exports_->Find(kExportId));
  EXPECT_TRUE(exports_->Find(kOtherId));
}

// A token stands for one request, for as long as it is remembered.
TEST_F(RecordStoreTest, FindsByToken) {
  constexpr int64_t kHoursMs = int64_t{8} * 60 * 60 * 1000;
  const Error conflict(tables::reasons::kExportConflict, "other");
  ExportRecord begun;
  begun.description.arn = "arn";
  begun.description.client_token = "token";
  begun.description.started_ms = 1000;
  begun.parameters = "digest";
  ASSERT_TRUE(exports_->Keep(kExportId, begun).ok());
  EXPECT_EQ((*exports_->FindByToken({"token", "digest", 1000}, conflict))->arn, "arn");
  EXPECT_EQ(exports_->FindByToken({"token", "x", 1000}, conflict).error().reason(),
            tables::reasons::kExportConflict);
  EXPECT_FALSE(exports_->FindByToken({"other", "digest", 1000}, conflict)->has_value());
  EXPECT_FALSE(exports_->FindByToken({std::nullopt, "digest", 1000}, conflict)->has_value());
  EXPECT_FALSE(exports_->FindByToken({"token", "x", 1000 + kHoursMs}, conflict)->has_value());
}

// A damaged record, and what is none, do not keep a server from starting.
TEST_F(RecordStoreTest, LeavesOutWhatIsDamaged) {
  ASSERT_TRUE(exports_->Keep(kExportId, ExportRecord{}).ok());
  const auto write = [this](const std::string& name, const std::string& content) {
    std::ofstream(folder_.path() + "/" + name) << content;
  };
  write("export-01695353076002-a1b2c3d4.json", "{");
  write("export-01695353076003-a1b2c3d4.json", "{}");
  write("import-01695353076003-a1b2c3d4.json", "{}");
  write("export-01695353076004-a1b2c3d4.json.tmp", "");
  write("export-x.json", "{}");
  write("notes.txt", "");
  Restart();
  EXPECT_EQ(exports_->Unfinished().size(), 1u);
  EXPECT_TRUE(exports_->Unfinished().contains(kExportId));
  EXPECT_TRUE(imports_->Unfinished().empty());
}

}  // namespace
}  // namespace tintype::tables::transfer
