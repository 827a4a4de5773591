#include "cli/commands/bench_engine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cli/tables/tables.h"
#include "crypto/secret_key.h"
#include "tables/language/blocking_database.h"

namespace tintype::cli {
namespace {

using tables::Item;
using tables::Value;

constexpr const char* kTable = "Images";
constexpr const char* kIndex = "UserIndex";
constexpr size_t kPerUser = 100;
constexpr size_t kBatchItems = 25;
constexpr int64_t kNewest = 20;
constexpr size_t kReads = 200'000;
constexpr size_t kQueries = 20'000;
constexpr size_t kWrites = 5'000;

std::string ImageId(size_t number) {
  std::string digits = std::to_string(number);
  return StrCat("IMAGE#", std::string(12 - std::min<size_t>(12, digits.size()), '0'), digits);
}

std::string UserId(size_t number) { return StrCat("USER#user", number); }

Item Key(size_t number) {
  return Item::Of({{"PK", Value::String(ImageId(number))}, {"SK", Value::String("METADATA")}});
}

/// About 0.5 KB by DynamoDB's count, like the image service's records.
Item Image(size_t number) {
  const std::string id = ImageId(number);
  const std::string user = UserId(number / kPerUser);
  return Item::Of({{"PK", Value::String(id)},
                   {"SK", Value::String("METADATA")},
                   {"GSI1PK", Value::String(user)},
                   {"GSI1SK", Value::String(StrCat("UPLOADED#", id))},
                   {"mimeType", Value::String("image/jpeg")},
                   {"fileSize", Value::Integer(static_cast<int64_t>(number % 10'000'000))},
                   {"width", Value::Integer(4032)},
                   {"height", Value::Integer(3024)},
                   {"s3Key", Value::String(StrCat("images/", user, "/", id, ".webp"))},
                   {"processingStatus", Value::String("completed")},
                   {"description", Value::String(std::string(220, 'd'))}});
}

tables::TableDefinition Definition() {
  tables::TableDefinition table;
  table.name = kTable;
  for (const char* name : {"PK", "SK", "GSI1PK", "GSI1SK"}) {
    table.attributes.push_back({name, tables::Type::kString});
  }
  table.keys = {{"PK"}, {"SK"}};
  table.billing_mode = tables::BillingMode::kPayPerRequest;
  tables::IndexDefinition index;
  index.name = kIndex;
  index.keys = {{"GSI1PK"}, {"GSI1SK"}};
  table.global_indexes.push_back(std::move(index));
  return table;
}

Status Load(tables::BlockingDatabase& database, size_t items) {
  RETURN_IF_ERROR(database.CreateTable({.definition = Definition(), .tags = {}}));
  for (size_t first = 0; first < items; first += kBatchItems) {
    tables::BatchWriteItemRequest request;
    auto& actions = request.tables.emplace_back().actions;
    request.tables.back().table = kTable;
    for (size_t i = first; i < std::min(first + kBatchItems, items); ++i) {
      actions.emplace_back(tables::BatchWriteItemRequest::Put{Image(i)});
    }
    RETURN_IF_ERROR(database.BatchWriteItem(std::move(request)));
  }
  return OkStatus();
}

struct Measurement {
  std::string_view name;
  double median_us = 0;
  double p99_us = 0;
};

/// Runs `operation(i)` for each i below `count` and times each run.
template <typename Operation>
Result<Measurement> Measure(std::string_view name, size_t count, const Operation& operation) {
  using SteadyClock = std::chrono::steady_clock;
  std::vector<double> took_us;
  took_us.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const auto started = SteadyClock::now();
    RETURN_IF_ERROR(operation(i));
    took_us.push_back(
        std::chrono::duration<double, std::micro>(SteadyClock::now() - started).count());
  }
  std::sort(took_us.begin(), took_us.end());
  return Measurement{name, took_us[count / 2], took_us[count * 99 / 100]};
}

/// A get of something that must be there.
Status Get(tables::BlockingDatabase& database, size_t number) {
  tables::GetItemRequest request;
  request.table = kTable;
  request.key = Key(number);
  ASSIGN_OR_RETURN(const tables::GetItemResponse response, database.GetItem(std::move(request)));
  return response.item ? OkStatus() : Status(Error::Internal("a loaded item is missing"));
}

Status QueryNewest(tables::BlockingDatabase& database, size_t user) {
  tables::QueryRequest request;
  request.table = kTable;
  request.key_condition.terms.push_back(
      {.attribute = "GSI1PK", .values = {Value::String(UserId(user))}});
  request.forward = false;
  request.options.index = kIndex;
  request.options.limit = kNewest;
  ASSIGN_OR_RETURN(const tables::ReadResponse response, database.Query(std::move(request)));
  return response.count > 0 ? OkStatus() : Status(Error::Internal("a loaded user is missing"));
}

Status Put(tables::BlockingDatabase& database, Item item) {
  tables::PutItemRequest request;
  request.table = kTable;
  request.item = std::move(item);
  RETURN_IF_ERROR(database.PutItem(std::move(request)));
  return OkStatus();
}

Result<std::vector<Measurement>> MeasureAll(tables::BlockingDatabase& database, size_t items) {
  std::mt19937_64 random(1);
  std::vector<Measurement> all;
  const auto add = [&](std::string_view name, size_t count, const auto& operation) -> Status {
    ASSIGN_OR_RETURN(const Measurement measured, Measure(name, count, operation));
    all.push_back(measured);
    return OkStatus();
  };
  // One item again and again is what is cached for sure; the others are in memory or not as the
  // cache and the number of items have it.
  RETURN_IF_ERROR(add("get of a cached item", kReads, [&](size_t) { return Get(database, 7); }));
  RETURN_IF_ERROR(
      add("get at random", kReads, [&](size_t) { return Get(database, random() % items); }));
  const size_t users = (items + kPerUser - 1) / kPerUser;
  RETURN_IF_ERROR(add("query newest 20", kQueries,
                      [&](size_t) { return QueryNewest(database, random() % users); }));
  RETURN_IF_ERROR(
      add("durable put", kWrites, [&](size_t i) { return Put(database, Image(items + i)); }));
  return all;
}

void Print(const std::vector<Measurement>& all, const BenchEngineConfig& config) {
  if (config.json) {
    for (const Measurement& one : all) {
      std::printf(
          "{\"operation\": \"%s\", \"items\": %zu, \"median_us\": %.2f, \"p99_us\": %.2f}\n",
          std::string(one.name).c_str(), config.items, one.median_us, one.p99_us);
    }
    return;
  }
  std::printf("%-22s%12s%12s\n", "one thread", "median us", "p99 us");
  for (const Measurement& one : all) {
    std::printf("%-22s%12.2f%12.2f\n", std::string(one.name).c_str(), one.median_us, one.p99_us);
  }
}

/// Removes a directory when it goes out of scope.
class ScratchDirectory {
 public:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace

Status BenchEngine(const BenchEngineConfig& config) {
  std::string pattern = StrCat(config.scratch, "/tintype-bench-XXXXXX");
  if (mkdtemp(pattern.data()) == nullptr) {
    return Error::Io(StrCat("Cannot make a scratch directory in ", config.scratch,
                            ". Name another with --scratch-dir."));
  }
  const ScratchDirectory scratch(pattern);
  tables::engine::EngineConfig engine;
  engine.directory = scratch.path();
  if (config.encryption) {
    engine.master_key = crypto::SecretKey::Random();
  }
  ASSIGN_OR_RETURN(const auto opened, OpenEngine(std::move(engine)));
  tables::BlockingDatabase database(opened->embedded()->database());
  std::fprintf(stderr, "loading %zu items of about 0.5 KB ...\n", config.items);
  RETURN_IF_ERROR(Load(database, config.items));
  ASSIGN_OR_RETURN(const std::vector<Measurement> all, MeasureAll(database, config.items));
  Print(all, config);
  return OkStatus();
}

}  // namespace tintype::cli
