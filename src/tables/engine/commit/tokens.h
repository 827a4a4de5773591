#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/result.h"
#include "tables/engine/storage/storage.h"

namespace tintype::tables::engine {

/// Client tokens of transactions that were applied in the last ten minutes, so that a repeated
/// request changes nothing. Kept in memory and, in the same batch as the transaction, in `meta`.
/// Used by the commit thread alone.
class Tokens {
 public:
  Status Load(Storage& storage);

  /// The digest of the parameters that the token was used with, if it was and still counts.
  std::optional<std::string_view> Find(const std::string& token, int64_t now_ms) const;

  void Add(const std::string& token, const std::string& digest, int64_t now_ms,
           rocksdb::WriteBatch& batch, Storage& storage);

  /// Undoes the latest Add, of which nothing was written.
  void TakeBack(const std::string& token);

  /// Forgets those past their time, a bounded number per call.
  void Expire(int64_t now_ms, rocksdb::WriteBatch& batch, Storage& storage);

 private:
  struct Entry {
    std::string digest;
    int64_t expires_ms = 0;
  };
  std::unordered_map<std::string, Entry> entries_;
  std::deque<std::pair<int64_t, std::string>> by_expiry_;
};

}  // namespace tintype::tables::engine
