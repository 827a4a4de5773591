#include "tables/engine/commit/tokens.h"

#include <memory>

#include "tables/engine/storage/meta_keys.h"
#include "tables/language/limits.h"

namespace tintype::tables::engine {

Status Tokens::Load(Storage& storage) {
  const std::unique_ptr<rocksdb::Iterator> it(
      storage.db().NewIterator(rocksdb::ReadOptions(), storage.meta()));
  const std::string first(1, meta::kToken);
  for (it->Seek(first); it->Valid() && it->key().starts_with(first); it->Next()) {
    const std::string_view key = ToView(it->key());
    if (key.size() < 9) {
      return Error::Corruption("A stored transaction token is damaged");
    }
    const auto expires_ms = static_cast<int64_t>(ReadBigEndian64(key.substr(1)));
    const std::string token(key.substr(9));
    entries_[token] = {it->value().ToString(), expires_ms};
    by_expiry_.emplace_back(expires_ms, token);
  }
  return it->status().ok() ? OkStatus() : Status(FromRocksDb(it->status()));
}

std::optional<std::string_view> Tokens::Find(const std::string& token, int64_t now_ms) const {
  const auto found = entries_.find(token);
  if (found == entries_.end() || found->second.expires_ms <= now_ms) {
    return std::nullopt;
  }
  return found->second.digest;
}

void Tokens::Add(const std::string& token, const std::string& digest, int64_t now_ms,
                 rocksdb::WriteBatch& batch, Storage& storage) {
  const int64_t expires_ms = now_ms + limits::kIdempotencyMs;
  entries_[token] = {digest, expires_ms};
  by_expiry_.emplace_back(expires_ms, token);
  batch.Put(storage.meta(), meta::TokenKey(expires_ms, token), digest).PermitUncheckedError();
}

void Tokens::TakeBack(const std::string& token) {
  CHECK(!by_expiry_.empty() && by_expiry_.back().second == token);
  by_expiry_.pop_back();
  entries_.erase(token);
}

void Tokens::Expire(int64_t now_ms, rocksdb::WriteBatch& batch, Storage& storage) {
  constexpr int kAtOnce = 1000;
  for (int i = 0; i < kAtOnce && !by_expiry_.empty() && by_expiry_.front().first <= now_ms; ++i) {
    const auto& [expires_ms, token] = by_expiry_.front();
    batch.Delete(storage.meta(), meta::TokenKey(expires_ms, token)).PermitUncheckedError();
    // The same token may have been used again since; then the newer entry stays.
    if (const auto found = entries_.find(token);
        found != entries_.end() && found->second.expires_ms == expires_ms) {
      entries_.erase(found);
    }
    by_expiry_.pop_front();
  }
}

}  // namespace tintype::tables::engine
