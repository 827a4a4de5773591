#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"
#include "tables/transfer/internal/record_json.h"
#include "tables/transfer/record_sealing.h"

namespace tintype::tables::transfer {

/// What is known of all exports, or of all imports: in memory, and a small file each
/// (docs/formats/export.md). Record is ExportRecord or ImportRecord. Thread-safe. After a crash
/// each is as it was last written.
template <typename Record>
class RecordStore {
 public:
  using Description = decltype(Record::description);
  /// By id, the newest first.
  using Records = std::map<std::string, Record, std::greater<>>;

  RecordStore(std::string folder, RecordSealing sealing)
      : folder_(std::move(folder)), sealing_(std::move(sealing)) {}

  /// Reads what is in the folder, which is created if there is none. A record that is damaged is
  /// logged and left out; one in plain is sealed, where records are. Before anything else. Errors:
  /// kIo.
  Status Load();

  Records Unfinished() const;
  std::optional<Record> Find(const std::string& id) const;
  std::optional<Description> FindByArn(const std::string& arn) const;

  struct TokenQuery {
    std::optional<std::string> token;
    std::string parameters;
    int64_t now_ms = 0;
  };
  /// What a request with this client token began, or nothing. Errors: `conflict` when it was
  /// another request.
  Result<std::optional<Description>> FindByToken(const TokenQuery& query,
                                                 const Error& conflict) const;

  /// Those of one table, or of all, from `next_token` on.
  template <typename Response, typename Request, typename Descriptions>
  Response List(const Request& request, Descriptions Response::*descriptions) const;

  /// Keeps the record of what begins, on disk and then in memory. Errors: kIo.
  Status Keep(const std::string& id, const Record& record);
  /// Keeps the record of what has ended: in memory at least.
  void KeepEnded(const std::string& id, const Record& record);
  /// Shows how far something has come, which is not written.
  void Show(const std::string& id, const Description& description);
  /// Forgets what ended long ago.
  void ForgetOld(int64_t now_ms);

 private:
  std::string PathOf(const std::string& id, bool sealed) const;
  Result<Record> ReadRecord(const std::string& path, bool sealed) const;
  Status Write(const std::string& id, const Record& record) const;

  const std::string folder_;
  const RecordSealing sealing_;
  mutable Mutex mutex_;
  Records records_ GUARDED_BY(mutex_);
};

template <typename Record>
template <typename Response, typename Request, typename Descriptions>
Response RecordStore<Record>::List(const Request& request,
                                   Descriptions Response::*descriptions) const {
  const MutexLock lock(mutex_);
  Response response;
  std::string last;
  auto it = request.next_token ? records_.upper_bound(*request.next_token) : records_.begin();
  for (; it != records_.end(); ++it) {
    const Description& description = it->second.description;
    if (request.table_arn && description.table_arn != *request.table_arn) {
      continue;
    }
    if ((response.*descriptions).size() == request.limit) {
      response.next_token = last;
      break;
    }
    (response.*descriptions).push_back(description);
    last = it->first;
  }
  return response;
}

}  // namespace tintype::tables::transfer
