#include "tables/language/records.h"

#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/storage/meta_keys.h"

namespace tintype::tables::engine {
namespace {

std::string MetaKey(std::string_view name) { return StrCat(meta::kRecord, name); }

Status CheckName(std::string_view name) {
  if (name.empty() || name.size() > kRecordNameBytesMax) {
    return Error::Validation(
        StrCat("A record's name has 1 to ", kRecordNameBytesMax, " bytes, not ", name.size()));
  }
  return OkStatus();
}

Status Check(const ChangeRecordsRequest& request) {
  for (const auto& [name, value] : request.puts) {
    RETURN_IF_ERROR(CheckName(name));
    if (value.size() > kRecordBytesMax) {
      return Error::Validation(
          StrCat("The record ", name, " has more than ", kRecordBytesMax, " bytes"));
    }
  }
  for (const std::string& name : request.removals) {
    RETURN_IF_ERROR(CheckName(name));
  }
  return OkStatus();
}

}  // namespace

Result<std::map<std::string, std::string>> ReadRecords(Core& core, std::string_view prefix) {
  std::map<std::string, std::string> found;
  const std::string first = MetaKey(prefix);
  const std::unique_ptr<rocksdb::Iterator> it(
      core.storage->db().NewIterator(rocksdb::ReadOptions(), core.storage->meta()));
  for (it->Seek(first); it->Valid() && it->key().starts_with(first); it->Next()) {
    found.emplace(ToView(it->key()).substr(1), ToView(it->value()));
  }
  if (!it->status().ok()) {
    return FromRocksDb(it->status());
  }
  return found;
}

void ChangeRecords(Core& core, ChangeRecordsRequest request, Done<EmptyResponse> done) {
  if (Status checked = Check(request); !checked.ok()) {
    done(std::move(checked).error());
    return;
  }
  const Space space = SpaceOf(!request.puts.empty(), ChangeOrigin::kServer);
  SubmitTableChange<EmptyResponse>(
      core, space,
      [request = std::move(request)](CommitGroup& group) -> Result<EmptyResponse> {
        rocksdb::ColumnFamilyHandle* const family = group.core().storage->meta();
        for (const std::string& name : request.removals) {
          group.batch().Delete(family, MetaKey(name)).PermitUncheckedError();
        }
        for (const auto& [name, value] : request.puts) {
          group.batch().Put(family, MetaKey(name), value).PermitUncheckedError();
        }
        return EmptyResponse{};
      },
      std::move(done));
}

}  // namespace tintype::tables::engine
