#include "tables/transfer/table_transfers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/strings.h"
#include "tables/engine/testing/engine_test.h"
#include "tables/language/await.h"
#include "tables/language/errors.h"
#include "tables/transfer/import_table.h"

// Exports and imports by time, limits and interruptions, on the embedded engine with a clock that
// the test turns.
namespace tintype::tables::transfer {
namespace {

namespace fs = std::filesystem;

class TableTransfersTest : public engine::EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    config_.root = directory_.path() + "/exports";
    config_.records = directory_.path() + "/transfers";
    Start();
    Create(Table("source"));
    const auto on =
        Call(&Backups::UpdateContinuousBackups, UpdateContinuousBackupsRequest{"source", true, {}});
    ASSERT_TRUE(on.ok());
  }
  void TearDown() override { transfers_.reset(); }

  void Start() {
    transfers_.reset();
    auto started = TableTransfers::Start(config_, *database_, *database_, clock_);
    ASSERT_TRUE(started.ok()) << started.error().message();
    transfers_ = *std::move(started);
  }

  ExportTableRequest ExportRequest(const std::string& token = "token") {
    ExportTableRequest request;
    request.table_arn = Description("source").arn;
    request.bucket = "bucket";
    request.client_token = token;
    return request;
  }
  Result<ExportResponse> Export(const ExportTableRequest& request) {
    return Await<Transfers>(*transfers_, &Transfers::ExportTableToPointInTime, request);
  }
  std::string Exported(const std::string& token) {
    const auto begun = Export(ExportRequest(token));
    EXPECT_TRUE(begun.ok()) << begun.error().message();
    std::string arn = begun.ok() ? begun->description.arn : "";
    EXPECT_TRUE(
        Eventually([&] { return DescribeExport(arn).status != TransferStatus::kInProgress; }));
    return arn;
  }
  ExportDescription DescribeExport(const std::string& arn) {
    const auto described =
        Await<Transfers>(*transfers_, &Transfers::DescribeExport, DescribeExportRequest{arn});
    return described.ok() ? described->description : ExportDescription{};
  }

  ImportTableRequest ImportRequest(const std::string& table, bool gzip = false) {
    ImportTableRequest request;
    request.bucket = "bucket";
    request.gzip = gzip;
    request.table = Table(table).definition;
    return request;
  }
  Result<ImportResponse> Import(const ImportTableRequest& request) {
    return Await<Transfers>(*transfers_, &Transfers::ImportTable, request);
  }
  ImportDescription DescribeImport(const std::string& arn) {
    const auto described =
        Await<Transfers>(*transfers_, &Transfers::DescribeImport, DescribeImportRequest{arn});
    return described.ok() ? described->description : ImportDescription{};
  }
  ImportDescription Imported(const ImportTableRequest& request) {
    const auto begun = Import(request);
    EXPECT_TRUE(begun.ok()) << begun.error().message();
    const std::string arn = begun.ok() ? begun->description.arn : "";
    EXPECT_TRUE(
        Eventually([&] { return DescribeImport(arn).status != TransferStatus::kInProgress; }));
    return DescribeImport(arn);
  }
  size_t CountExports() {
    return Await<Transfers>(*transfers_, &Transfers::ListExports, ListExportsRequest{})
        ->exports.size();
  }

  std::vector<fs::path> Files(const std::string& suffix) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(config_.root)) {
      if (entry.path().string().ends_with(suffix)) {
        found.push_back(entry.path());
      }
    }
    return found;
  }
  void WriteLines(int count, const std::function<std::string(int)>& line) {
    fs::create_directories(config_.root + "/bucket");
    std::ofstream file(config_.root + "/bucket/lines.json");
    for (int i = 0; i < count; ++i) {
      file << R"({"Item":)" << line(i) << "}\n";
    }
  }
  static std::string LineOf(int number) {
    return StrCat(R"({"pk":{"S":")", number, R"("},"n":{"N":")", number, R"("}})");
  }

  TransferConfig config_;
  std::unique_ptr<TableTransfers> transfers_;
};

// A token stands for its request for eight hours, and then for a new one.
TEST_F(TableTransfersTest, TokensAreForgottenAfterEightHours) {
  const std::string first = Exported("token");
  clock_.AdvanceMs(8 * engine::kHourMs - 1);
  EXPECT_EQ(Exported("token"), first);
  ExportTableRequest other = ExportRequest("token");
  other.prefix = "elsewhere";
  const auto conflict = Export(other);
  ASSERT_FALSE(conflict.ok());
  EXPECT_EQ(conflict.error().reason(), tables::reasons::kExportConflict);
  clock_.AdvanceMs(1);
  EXPECT_NE(Exported("token"), first);
}

// Descriptions are there for 90 days, restarts or not.
TEST_F(TableTransfersTest, DescriptionsAreKeptForNinetyDays) {
  const std::string first = Exported("1");
  clock_.AdvanceMs(90 * engine::kDayMs);
  Start();
  Exported("2");
  EXPECT_EQ(CountExports(), 2U);
  EXPECT_EQ(DescribeExport(first).status, TransferStatus::kCompleted);
  clock_.AdvanceMs(engine::kDayMs);
  Exported("3");
  EXPECT_EQ(CountExports(), 2U);
  Start();
  EXPECT_EQ(CountExports(), 2U);
  EXPECT_EQ(DescribeExport(first).arn, "");
}

// The number that may wait is bounded, and a refused export leaves no table.
TEST_F(TableTransfersTest, RefusesMoreThanMayWait) {
  config_.waiting_max = 0;
  Start();
  const auto refused = Export(ExportRequest());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), ErrorKind::kLimitExceeded);
  EXPECT_EQ(Import(ImportRequest("new")).error().kind(), ErrorKind::kLimitExceeded);
  EXPECT_EQ(Call(&Database::ListTables, ListTablesRequest{})->names,
            std::vector<std::string>{"source"});
}

// A large table is several files, with every item in one of them. An empty one is one file.
TEST_F(TableTransfersTest, SplitsExportsIntoFiles) {
  config_.file_bytes = 200'000;
  Start();
  EXPECT_EQ(DescribeExport(Exported("empty")).item_count, 0);
  EXPECT_EQ(Files(".json.gz").size(), 1U);
  EXPECT_EQ(Imported(ImportRequest("nothing", true)).status, TransferStatus::kCompleted);
  fs::remove_all(config_.root);
  for (int i = 0; i < 100; ++i) {
    Put("source", Item::Of({{"pk", Value::String(std::to_string(i))},
                            {"text", Value::String(std::string(10'000, 'x'))}}));
  }
  EXPECT_EQ(DescribeExport(Exported("full")).item_count, 100);
  EXPECT_EQ(Files(".json.gz").size(), 4U);
  EXPECT_TRUE(Files(".tmp").empty());
  const ImportDescription imported = Imported(ImportRequest("copy", true));
  EXPECT_EQ(imported.imported_items, 100);
  EXPECT_EQ(imported.processed_items, 100);
  EXPECT_EQ(Items("copy"), Items("source"));
}

// Of lines with the same key the last one wins, within a batch and across batches.
TEST_F(TableTransfersTest, LaterLinesWin) {
  WriteLines(1000, [](int i) {
    return StrCat(R"({"pk":{"S":")", i % 7, R"("},"n":{"N":")", i, R"("}})");
  });
  const ImportDescription imported = Imported(ImportRequest("new"));
  EXPECT_EQ(imported.imported_items, 1000);
  EXPECT_EQ(Items("new").size(), 7U);
  for (int i = 993; i < 1000; ++i) {
    EXPECT_EQ(Get("new", std::to_string(i % 7)), With(std::to_string(i % 7), "n", i));
  }
}

// A later line that is refused leaves the earlier one of its key where it is, and the counts say
// so.
TEST_F(TableTransfersTest, ARefusedDuplicateLeavesTheEarlierItem) {
  WriteLines(3, [](int i) {
    return StrCat(R"({"pk":{"S":"same"},"n":{")", i == 2 ? "S" : "N", R"(":")", i, R"("}})");
  });
  ImportTableRequest request = ImportRequest("new");
  request.table = IndexedTable("new").definition;  // Its key `n` must be a number.
  const ImportDescription imported = Imported(request);
  EXPECT_EQ(imported.imported_items, 2);
  EXPECT_EQ(imported.error_count, 1);
  EXPECT_EQ(Get("new", "same"), With("same", "n", 1));
}

/// Lets an import wait behind another, so that a test can do something meanwhile.
class WaitingImportTest : public TableTransfersTest {
 protected:
  std::string BeginWaiting() {
    WriteLines(100'000, LineOf);
    EXPECT_TRUE(Import(ImportRequest("before")).ok());
    ImportTableRequest request = ImportRequest("new");
    request.bucket = "missing";
    const auto begun = Import(request);
    EXPECT_TRUE(begun.ok());
    return begun.ok() ? begun->description.arn : "";
  }
  ImportDescription Ended(const std::string& arn) {
    EXPECT_EQ(DescribeImport(arn).status, TransferStatus::kInProgress) << "too late to prove it";
    EXPECT_TRUE(
        Eventually([&] { return DescribeImport(arn).status != TransferStatus::kInProgress; }));
    return DescribeImport(arn);
  }
};

// A table that got nothing goes with its import, but not what a client has put there.
TEST_F(WaitingImportTest, AFailedImportLeavesWhatClientsWrote) {
  const std::string arn = BeginWaiting();
  Put("new", With("mine", "n", 1));
  EXPECT_EQ(Ended(arn).failure_code, "S3NoSuchBucket");
  EXPECT_EQ(Items("new").size(), 1U);
}

// Another table of the same name is neither written to nor removed.
TEST_F(WaitingImportTest, AnImportLeavesATableThatIsNotItsOwn) {
  const std::string arn = BeginWaiting();
  ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"new"}).ok());
  ASSERT_TRUE(Eventually([&] { return Description("new").id.empty(); }));
  Create(Table("new"));
  const std::string id = Description("new").id;
  const ImportDescription failed = Ended(arn);
  EXPECT_EQ(failed.status, TransferStatus::kFailed);
  EXPECT_NE(failed.failure_message.value_or("").find("another of that name"), std::string::npos);
  EXPECT_EQ(Description("new").id, id);
}

// An import whose record cannot be written has ended all the same.
TEST_F(WaitingImportTest, AnUnwrittenRecordDoesNotKeepAnImportInProgress) {
  const std::string arn = BeginWaiting();
  fs::create_directories(
      StrCat(config_.records, "/import-", arn.substr(arn.rfind('/') + 1), ".json.tmp"));
  EXPECT_EQ(Ended(arn).status, TransferStatus::kFailed);
}

// An export that is whole stays, whatever its record says, and even if that cannot be written.
TEST_F(TableTransfersTest, AWholeExportIsNotRemovedAtAStart) {
  Put("source", With("a", "n", 1));
  const std::string arn = Exported("token");
  const ExportDescription before = DescribeExport(arn);
  transfers_.reset();
  const std::string record =
      StrCat(config_.records, "/export-", arn.substr(arn.rfind('/') + 1), ".json");
  std::stringstream text;
  text << std::ifstream(record).rdbuf();
  std::string changed = text.str();
  const std::string completed = "COMPLETED";
  ASSERT_NE(changed.find(completed), std::string::npos);
  changed.replace(changed.find(completed), completed.size(), "IN_PROGRESS");
  std::ofstream(record) << changed;
  fs::create_directories(record + ".tmp");
  ASSERT_NO_FATAL_FAILURE(Start());
  const ExportDescription after = DescribeExport(arn);
  EXPECT_EQ(after.status, TransferStatus::kCompleted);
  EXPECT_EQ(after.item_count, 1);
  EXPECT_EQ(after.manifest, before.manifest);
  EXPECT_EQ(after.billed_bytes, before.billed_bytes);
  EXPECT_EQ(Files(".json.gz").size(), 1U);
}

// A command whose client has gone leaves no table behind, though it was still being restored.
TEST_F(TableTransfersTest, ACancelledCommandRemovesItsScratchTable) {
  for (int i = 0; i < 200; ++i) {
    Put("source", Item::Of({{"pk", Value::String(std::to_string(i))},
                            {"text", Value::String(std::string(10'000, 'x'))}}));
  }
  const auto outcome =
      ExportTableTo(*database_, *database_, {"source", directory_.path() + "/out", {}}, clock_,
                    [](const ExportProgress&) { return false; });
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(Call(&Database::ListTables, ListTablesRequest{})->names,
            std::vector<std::string>{"source"});
}

/// A folder with an export by a command, and what may lie beside it.
class ImportFromTest : public TableTransfersTest {
 protected:
  void SetUp() override {
    TableTransfersTest::SetUp();
    Put("source", With("a", "n", 1));
    const auto exported = ExportTableTo(*database_, *database_, {"source", folder_, {}}, clock_,
                                        [](const ExportProgress&) { return true; });
    ASSERT_TRUE(exported.ok()) << exported.error().message();
    export_ = exported->folder;
  }
  Result<ImportOutcome> ImportFrom(const std::string& folder) {
    return ImportTableFrom(*database_, {"copy", folder},
                           [](const ImportProgress&) { return true; });
  }

  const std::string folder_ = directory_.path() + "/out";
  std::string export_;
};

// Files that the manifest does not name are not part of the export.
TEST_F(ImportFromTest, ReadsOnlyWhatTheManifestNames) {
  for (const std::string& stray : {folder_ + "/stray.json", export_ + "/data/stray.json"}) {
    std::ofstream(stray) << R"({"Item":{"pk":{"S":"stray"}}})";
  }
  const auto imported = ImportFrom(folder_);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  EXPECT_EQ(imported->files, 1U);
  EXPECT_EQ(Items("copy"), Items("source"));
}

// An export that was interrupted is named, and not taken for a whole one, nor one beside it for it.
TEST_F(ImportFromTest, RefusesAnUnfinishedExport) {
  const std::string unfinished = folder_ + "/AWSDynamoDB/01695353076000-a1b2c3d4";
  fs::copy(export_, unfinished, fs::copy_options::recursive);
  fs::remove(unfinished + "/manifest-summary.json");
  for (const std::string& folder : {folder_, unfinished, unfinished + "/data"}) {
    const auto refused = ImportFrom(folder);
    ASSERT_FALSE(refused.ok()) << folder;
    EXPECT_EQ(refused.error().kind(), ErrorKind::kValidation);
    EXPECT_NE(refused.error().message().find(unfinished + " is not finished"), std::string::npos)
        << refused.error().message();
  }
  EXPECT_TRUE(ImportFrom(export_).ok());
}

// Stopping does not wait for an import to end; the next start says what became of it.
TEST_F(TableTransfersTest, AnInterruptedImportIsFailed) {
  WriteLines(300'000, LineOf);
  const auto begun = Import(ImportRequest("new"));
  ASSERT_TRUE(begun.ok());
  const std::string& arn = begun->description.arn;
  ASSERT_TRUE(Eventually([&] { return DescribeImport(arn).imported_items > 0; }));
  transfers_->Stop();
  EXPECT_EQ(DescribeImport(arn).status, TransferStatus::kInProgress);
  const auto late = Export(ExportRequest());
  ASSERT_FALSE(late.ok());
  Start();
  const ImportDescription failed = DescribeImport(arn);
  EXPECT_EQ(failed.status, TransferStatus::kFailed);
  EXPECT_EQ(failed.failure_code, "Interrupted");
  EXPECT_GT(Description("new").item_count, 0);
  EXPECT_LT(Description("new").item_count, 300'000);
}

// Tables that exports left are removed at a start, and no others.
TEST_F(TableTransfersTest, RemovesScratchTablesAtAStart) {
  const std::string scratch = "tintype-export-01695353076000-a1b2c3d4";
  const std::string named_alike = "tintype-export-01695353076000-a1b2c3d5";
  Create(Table("tintype-export-mine"));
  Create(Table(named_alike));
  for (const std::string& name : {scratch, std::string("restored")}) {
    RestoreTableToPointInTimeRequest request;
    request.source_table = "source";
    request.target_table = name;
    ASSERT_TRUE(Call(&Backups::RestoreTableToPointInTime, request).ok());
  }
  ASSERT_TRUE(BecomesActive("restored"));
  Start();
  // An export waits for what was begun at the start.
  Exported("after");
  EXPECT_EQ(Call(&Database::ListTables, ListTablesRequest{})->names,
            (std::vector<std::string>{"restored", "source", named_alike, "tintype-export-mine"}));
}

/// An engine that syncs what it writes, so that answers take longer than reading the next file.
class DurableTableTransfersTest : public TableTransfersTest {
 protected:
  engine::EngineConfig Config() override {
    engine::EngineConfig config = EngineTest::Config();
    config.relaxed_durability = false;
    return config;
  }
};

// Items sent before a damaged file was met are counted, since they are in the table.
TEST_F(DurableTableTransfersTest, AFailedImportCountsWhatItWrote) {
  for (int i = 0; i < 30; ++i) {
    Put("source", With(std::to_string(i), "n", i));
  }
  Exported("token");
  std::ofstream(config_.root + "/bucket/damaged.json.gz") << "plain";
  const ImportDescription failed = Imported(ImportRequest("new", true));
  EXPECT_EQ(failed.status, TransferStatus::kFailed);
  EXPECT_EQ(failed.imported_items, 25);
  EXPECT_EQ(Items("new").size(), 25U);
}

/// An engine that takes two writes at a time.
class BusyTableTransfersTest : public TableTransfersTest {
 protected:
  engine::EngineConfig Config() override {
    engine::EngineConfig config = EngineTest::Config();
    config.commit_queue_limit = 2;
    config.housekeeping_interval = std::chrono::hours(1);  // Its writes would be in the way.
    return config;
  }
};

// A database that has too much to do delays an import, no more.
TEST_F(BusyTableTransfersTest, ImportsWaitForABusyDatabase) {
  WriteLines(2000, LineOf);
  const ImportDescription imported = Imported(ImportRequest("new"));
  EXPECT_EQ(imported.status, TransferStatus::kCompleted) << imported.failure_message.value_or("");
  EXPECT_EQ(imported.imported_items, 2000);
  EXPECT_EQ(imported.error_count, 0);
  EXPECT_EQ(Description("new").item_count, 2000);
}

}  // namespace
}  // namespace tintype::tables::transfer
