#include "tables/transfer/internal/record_store.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/logging.h"
#include "base/strings.h"
#include "tables/transfer/internal/export_names.h"

namespace tintype::tables::transfer {
namespace {

constexpr size_t kRecordBytesMax = size_t{4} << 20;
constexpr const char* kPlainEnding = ".json";
constexpr const char* kSealedEnding = ".sealed";
constexpr int64_t kHourMs = int64_t{60} * 60 * 1000;
constexpr int64_t kKeptMs = 90 * 24 * kHourMs;  // How long a description is.
constexpr int64_t kTokenMs = 8 * kHourMs;       // How long a client token is remembered.

/// What the names of files begin with.
template <typename Record>
constexpr std::string_view kKind;
template <>
constexpr std::string_view kKind<ExportRecord> = "export-";
template <>
constexpr std::string_view kKind<ImportRecord> = "import-";

}  // namespace

template <typename Record>
std::string RecordStore<Record>::PathOf(const std::string& id, bool sealed) const {
  return StrCat(folder_, "/", kKind<Record>, id, sealed ? kSealedEnding : kPlainEnding);
}

template <typename Record>
Result<Record> RecordStore<Record>::ReadRecord(const std::string& path, bool sealed) const {
  ASSIGN_OR_RETURN(std::string text, ReadFile(path, kRecordBytesMax));
  if (sealed && sealing_.open == nullptr) {
    return Error::Corruption("The record is encrypted, and the tables are not");
  }
  if (sealed) {
    ASSIGN_OR_RETURN(text, sealing_.open(text));
  }
  return ParseRecord<Record>(text);
}

template <typename Record>
Status RecordStore<Record>::Load() {
  RETURN_IF_ERROR(MakeFolders(folder_));
  std::map<std::string, bool> found;  // The ids of records; whether one is sealed, which counts.
  std::error_code error;
  std::filesystem::directory_iterator entries(folder_, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    const std::string stem = entries->path().stem().string();
    const bool sealed = entries->path().extension() == kSealedEnding;
    const bool is_record = sealed || entries->path().extension() == kPlainEnding;
    if (is_record && stem.starts_with(kKind<Record>) &&
        IsTransferId(stem.substr(kKind<Record>.size()))) {
      bool& any_sealed = found[stem.substr(kKind<Record>.size())];
      any_sealed = any_sealed || sealed;
    }
  }
  if (error) {
    return Error::Io(StrCat("Cannot list ", folder_, ": ", error.message()));
  }
  const MutexLock lock(mutex_);
  for (const auto& [id, sealed] : found) {
    auto record = ReadRecord(PathOf(id, sealed), sealed);
    if (!record.ok()) {
      // It only tells of an export or import.
      LogWarning("the record of an export or import cannot be read",
                 {{"file", PathOf(id, sealed)}, {"reason", record.error().message()}});
      continue;
    }
    if (sealed) {
      ::unlink(PathOf(id, /*sealed=*/false).c_str());  // Left behind by a crash, if it is there.
    } else if (sealing_.seal != nullptr) {
      RETURN_IF_ERROR(Write(id, *record));
    }
    records_.emplace(id, *std::move(record));
  }
  return OkStatus();
}

template <typename Record>
Status RecordStore<Record>::Write(const std::string& id, const Record& record) const {
  const std::string text = FormatRecord(record);
  if (sealing_.seal == nullptr) {
    return WriteFileAtomically(PathOf(id, /*sealed=*/false), text, 0600);
  }
  RETURN_IF_ERROR(WriteFileAtomically(PathOf(id, /*sealed=*/true), sealing_.seal(text), 0600));
  // One from before.
  ::unlink(PathOf(id, /*sealed=*/false).c_str());
  return OkStatus();
}

template <typename Record>
typename RecordStore<Record>::Records RecordStore<Record>::Unfinished() const {
  const MutexLock lock(mutex_);
  Records unfinished;
  for (const auto& [id, record] : records_) {
    if (record.description.status == TransferStatus::kInProgress) {
      unfinished.emplace(id, record);
    }
  }
  return unfinished;
}

template <typename Record>
std::optional<Record> RecordStore<Record>::Find(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto it = records_.find(id);
  return it != records_.end() ? std::optional(it->second) : std::nullopt;
}

template <typename Record>
std::optional<typename RecordStore<Record>::Description> RecordStore<Record>::FindByArn(
    const std::string& arn) const {
  const std::optional<Record> record = Find(arn.substr(arn.rfind('/') + 1));
  return record && record->description.arn == arn ? std::optional(record->description)
                                                  : std::nullopt;
}

template <typename Record>
Result<std::optional<typename RecordStore<Record>::Description>> RecordStore<Record>::FindByToken(
    const TokenQuery& query, const Error& conflict) const {
  const MutexLock lock(mutex_);
  for (const auto& [id, record] : records_) {
    const Description& description = record.description;
    if (query.token && description.client_token == query.token &&
        description.started_ms + kTokenMs > query.now_ms) {
      if (record.parameters != query.parameters) {
        return conflict;
      }
      return std::optional(description);
    }
  }
  return std::optional<Description>();
}

template <typename Record>
Status RecordStore<Record>::Keep(const std::string& id, const Record& record) {
  RETURN_IF_ERROR(Write(id, record));
  const MutexLock lock(mutex_);
  records_.insert_or_assign(id, record);
  return OkStatus();
}

template <typename Record>
void RecordStore<Record>::KeepEnded(const std::string& id, const Record& record) {
  const Status written = Keep(id, record);
  if (written.ok()) {
    return;
  }
  LogError("the record of an export or import was not written; the next start writes it again",
           {{"id", id}, {"reason", written.error().message()}});
  const MutexLock lock(mutex_);
  records_.insert_or_assign(id, record);
}

template <typename Record>
void RecordStore<Record>::Show(const std::string& id, const Description& description) {
  const MutexLock lock(mutex_);
  records_.at(id).description = description;
}

template <typename Record>
void RecordStore<Record>::ForgetOld(int64_t now_ms) {
  const MutexLock lock(mutex_);
  std::erase_if(records_, [&](const auto& entry) {
    const std::optional<int64_t> ended_ms = entry.second.description.ended_ms;
    const bool old = ended_ms && *ended_ms + kKeptMs < now_ms;
    if (old) {
      ::unlink(PathOf(entry.first, sealing_.seal != nullptr).c_str());
    }
    return old;
  });
}

template class RecordStore<ExportRecord>;
template class RecordStore<ImportRecord>;

}  // namespace tintype::tables::transfer
