#include "tables/transfer/import_table.h"

#include <chrono>
#include <deque>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/logging.h"
#include "base/mutex.h"
#include "base/strings.h"
#include "tables/language/await.h"
#include "tables/language/limits.h"
#include "tables/transfer/internal/json_objects.h"
#include "tables/transfer/internal/line_reader.h"
#include "tables/transfer/internal/paths.h"
#include "tables/wire/item_json.h"

namespace tintype::tables::transfer {
namespace {

/// An item is 400 KB at the most, its JSON much more: a number that is stored in three bytes can
/// have over a hundred digits.
constexpr size_t kLineBytesMax = size_t{32} << 20;
constexpr size_t kBatchBytes = size_t{512} << 10;
constexpr size_t kBatchesInFlight = 16;
constexpr int64_t kLoggedLines = 10;
constexpr std::chrono::milliseconds kOverloadPause{10};
constexpr int kOverloadAttempts = 6000;

struct Pending {
  Item item;
  std::string key;  // Its key attributes, as they are stored.
  const SourceFile* file = nullptr;
  uint64_t line = 0;
  bool superseded = false;  // A later line of the batch has the same key.
};
using Batch = std::vector<Pending>;

/// The batches that the database has been given. Outlives its callbacks: see WaitForAll.
class BatchesInFlight {
 public:
  explicit BatchesInFlight(Database& database) : database_(database) {}
  ~BatchesInFlight() { WaitForAll(); }
  BatchesInFlight(const BatchesInFlight&) = delete;
  BatchesInFlight& operator=(const BatchesInFlight&) = delete;

  void Send(BatchWriteItemRequest request, Batch batch) {
    {
      const MutexLock lock(mutex_);
      ++in_flight_;
    }
    // Shared with nobody: callbacks take what can be moved, and this can.
    auto sent = std::make_unique<Batch>(std::move(batch));
    database_.BatchWriteItem(
        std::move(request),
        [this, sent = std::move(sent)](Result<BatchWriteItemResponse> outcome) mutable {
          const MutexLock lock(mutex_);
          answered_.push_back(
              {std::move(*sent), outcome.ok() ? OkStatus() : Status(std::move(outcome).error())});
          --in_flight_;
          changed_.SignalAll();
        });
  }

  struct Answer {
    Batch batch;
    Status status;
  };
  /// The oldest answer, once there is one; nothing when less than `in_flight_min` are waited for.
  std::optional<Answer> Take(size_t in_flight_min) {
    const MutexLock lock(mutex_);
    while (answered_.empty() && in_flight_ >= in_flight_min && in_flight_ > 0) {
      changed_.Wait(mutex_);
    }
    if (answered_.empty()) {
      return std::nullopt;
    }
    Answer answer = std::move(answered_.front());
    answered_.pop_front();
    return answer;
  }

 private:
  void WaitForAll() {
    const MutexLock lock(mutex_);
    while (in_flight_ > 0) {
      changed_.Wait(mutex_);
    }
  }

  Database& database_;
  Mutex mutex_;
  CondVar changed_;
  size_t in_flight_ GUARDED_BY(mutex_) = 0;
  std::deque<Answer> answered_ GUARDED_BY(mutex_);
};

class Import {
 public:
  Import(Database& database, const ImportTask& task, const ImportReport& report,
         ImportProgress& progress)
      : database_(database),
        task_(task),
        report_(report),
        progress_(progress),
        batches_(database) {}

  Status Run() {
    progress_ = {};
    for (const SourceFile& file : task_.files) {
      progress_.total_bytes += file.bytes;
    }
    Status status = ReadAll();
    if (!status.ok()) {
      CountAnswers();
      return status;
    }
    report_(progress_);
    return OkStatus();
  }

 private:
  Status ReadAll() {
    for (const SourceFile& file : task_.files) {
      RETURN_IF_ERROR(Read(file));
    }
    Send();
    return Settle(1);
  }

  Status Read(const SourceFile& file) {
    const uint64_t before = progress_.done_bytes;
    ASSIGN_OR_RETURN(const auto reader,
                     LineReader::Open(file.path, {file.key, file.gzip, kLineBytesMax}));
    for (;;) {
      ASSIGN_OR_RETURN(const std::optional<Line> line, reader->Next());
      progress_.done_bytes = before + reader->file_bytes();
      if (!line) {
        return OkStatus();
      }
      Take(file, *line);
      if (batch_.size() >= limits::kBatchWriteActions || batch_bytes_ >= kBatchBytes) {
        Send();
        RETURN_IF_ERROR(Settle(kBatchesInFlight));
        if (!report_(progress_)) {
          return Error(ErrorKind::kUnavailable, "The import was given up before it was finished");
        }
      }
    }
  }

  void Take(const SourceFile& file, const Line& line) {
    if (line.text.find_first_not_of(" \t") == std::string_view::npos && !line.too_long) {
      return;
    }
    if (line.too_long) {
      ++progress_.items;
      NoteBadLine(file, line.number, StrCat("longer than ", kLineBytesMax, " bytes"));
      return;
    }
    auto item = wire::DecodeItemLine(line.text);
    if (item.ok()) {
      TakeItem(file, line.number, std::move(item));
      return;
    }
    // Items may follow one another without the end of a line between them.
    std::string_view rest = line.text;
    while (!rest.empty()) {
      if (const std::string_view object = TakeObject(rest); !object.empty()) {
        TakeItem(file, line.number, wire::DecodeItemLine(object));
      }
    }
  }

  void TakeItem(const SourceFile& file, uint64_t line, Result<Item> item) {
    ++progress_.items;
    if (!item.ok()) {
      NoteBadLine(file, line, item.error().message());
      return;
    }
    Pending pending{*std::move(item), {}, &file, line};
    for (const std::string& attribute : task_.keys.All()) {
      const auto value = pending.item.Find(attribute);
      if (!value) {
        NoteBadLine(file, line, StrCat("the key attribute ", attribute, " is missing"));
        return;
      }
      pending.key.append(value->encoded());
    }
    // A batch must not name a key twice. The earlier one is kept nevertheless: it is the one that
    // counts if this one turns out to be refused.
    for (Pending& other : batch_) {
      other.superseded = other.superseded || other.key == pending.key;
    }
    batch_bytes_ += pending.item.payload().size();
    batch_.push_back(std::move(pending));
  }

  void Send() {
    if (!batch_.empty()) {
      BatchWriteItemRequest request = RequestFor(batch_);
      batches_.Send(std::move(request), std::exchange(batch_, {}));
      batch_bytes_ = 0;
    }
  }

  // Deals with answers until less than `in_flight_max` batches are waited for.
  Status Settle(size_t in_flight_max) {
    while (auto answer = batches_.Take(in_flight_max)) {
      if (answer->status.ok()) {
        progress_.imported += static_cast<int64_t>(answer->batch.size());
      } else {
        RETURN_IF_ERROR(SendAgain(answer->batch, std::move(answer->status).error()));
      }
    }
    return OkStatus();
  }

  // After an error: waits for what was sent, and tries nothing again.
  void CountAnswers() {
    while (const auto answer = batches_.Take(1)) {
      if (answer->status.ok()) {
        progress_.imported += static_cast<int64_t>(answer->batch.size());
      }
    }
  }

  BatchWriteItemRequest RequestFor(const Batch& batch) const {
    BatchWriteItemRequest request;
    request.tables.push_back({task_.table, {}});
    for (const Pending& pending : batch) {
      if (!pending.superseded) {
        request.tables.back().actions.emplace_back(BatchWriteItemRequest::Put{pending.item});
      }
    }
    return request;
  }

  // A batch is refused as a whole for one item in it, or because there is too much to do.
  Status SendAgain(const Batch& batch, Error why) {
    if (why.kind() == ErrorKind::kOverloaded) {
      const auto written =
          Patiently([&] { return Await(database_, &Database::BatchWriteItem, RequestFor(batch)); });
      if (written.ok()) {
        progress_.imported += static_cast<int64_t>(batch.size());
        return OkStatus();
      }
      why = written.error();
    }
    if (!IsOfItem(why)) {
      return why;
    }
    for (const Pending& pending : batch) {
      const auto written = Patiently([&] {
        return Await(database_, &Database::PutItem, PutItemRequest{task_.table, pending.item, {}});
      });
      if (written.ok()) {
        ++progress_.imported;
      } else if (IsOfItem(written.error())) {
        NoteBadLine(*pending.file, pending.line, written.error().message());
      } else {
        return written.error();
      }
    }
    return OkStatus();
  }

  // Calls it again and again while there is too much to do.
  template <typename Call>
  std::invoke_result_t<Call> Patiently(Call call) {
    auto outcome = call();
    for (int i = 0; i < kOverloadAttempts && !outcome.ok() &&
                    outcome.error().kind() == ErrorKind::kOverloaded && report_(progress_);
         ++i) {
      std::this_thread::sleep_for(kOverloadPause);
      outcome = call();
    }
    return outcome;
  }

  static bool IsOfItem(const Error& error) { return error.kind() == ErrorKind::kValidation; }

  void NoteBadLine(const SourceFile& file, uint64_t line, const std::string& why) {
    if (progress_.bad_lines == 0) {
      progress_.first_error = StrCat(file.key, ", line ", line, ": ", why);
    }
    if (++progress_.bad_lines <= kLoggedLines) {
      LogWarning("a line was not imported",
                 {{"table", task_.table}, {"file", file.key}, {"line", line}, {"reason", why}});
    }
  }

  Database& database_;
  const ImportTask& task_;
  const ImportReport& report_;
  ImportProgress& progress_;
  Batch batch_;
  size_t batch_bytes_ = 0;
  BatchesInFlight batches_;
};

}  // namespace

Status RunImport(Database& database, const ImportTask& task, const ImportReport& report,
                 ImportProgress& progress) {
  return Import(database, task, report, progress).Run();
}

}  // namespace tintype::tables::transfer
