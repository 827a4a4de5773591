#include "tables/transfer/internal/records.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "tables/wire/codec.h"

namespace tintype::tables::transfer {
namespace {

constexpr char kExportId[] = "01695353076000-a1b2c3d4";
constexpr char kImportId[] = "01695353076001-a1b2c3d4";

class RecordsTest : public ::testing::Test {
 protected:
  RecordsTest() : folder_(::testing::TempDir() + "records-" + RandomUuid()), files_(folder_) {}
  ~RecordsTest() override { std::filesystem::remove_all(folder_); }

  Records Read() {
    auto records = files_.ReadAll();
    EXPECT_TRUE(records.ok());
    return *std::move(records);
  }

  const std::string folder_;
  const RecordFiles files_;
};

// Everything a description shows is there after a restart, whatever the texts hold.
TEST_F(RecordsTest, RecordsReadBackAsTheyWere) {
  ASSERT_TRUE(Read().exports.empty());
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
  ASSERT_TRUE(files_.Write(kExportId, exported).ok());
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
  ASSERT_TRUE(files_.Write(kImportId, imported).ok());

  const Records records = Read();
  ASSERT_EQ(records.exports.size(), 1u);
  ASSERT_EQ(records.imports.size(), 1u);
  // Their encodings show all that there is, but for what completed ones alone show.
  EXPECT_EQ(wire::EncodeExport({records.exports.at(kExportId).description}),
            wire::EncodeExport({exported.description}));
  EXPECT_EQ(records.exports.at(kExportId).description.billed_bytes, 4);
  EXPECT_EQ(records.exports.at(kExportId).description.item_count, 5);
  EXPECT_EQ(records.exports.at(kExportId).parameters, "digest");
  EXPECT_EQ(wire::EncodeImport({records.imports.at(kImportId).description}),
            wire::EncodeImport({imported.description}));
  EXPECT_EQ(records.imports.at(kImportId).parameters, "other digest");

  files_.RemoveExport(kExportId);
  files_.RemoveImport(kImportId);
  EXPECT_TRUE(Read().exports.empty());
  EXPECT_TRUE(Read().imports.empty());
}

// A damaged record, and what is none, do not keep a server from starting.
TEST_F(RecordsTest, LeavesOutWhatIsDamaged) {
  ASSERT_TRUE(Read().exports.empty());
  ASSERT_TRUE(files_.Write(kExportId, ExportRecord{}).ok());
  const auto write = [this](const std::string& name, const std::string& content) {
    std::ofstream(folder_ + "/" + name) << content;
  };
  write("export-01695353076002-a1b2c3d4.json", "{");
  write("export-01695353076003-a1b2c3d4.json", "{}");
  write("import-01695353076003-a1b2c3d4.json", "{}");
  write("export-01695353076004-a1b2c3d4.json.tmp", "");
  write("export-x.json", "{}");
  write("notes.txt", "");
  const Records records = Read();
  EXPECT_EQ(records.exports.size(), 1u);
  EXPECT_TRUE(records.imports.empty());
}

}  // namespace
}  // namespace tintype::tables::transfer
