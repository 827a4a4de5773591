#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

#include "base/mutex.h"
#include "base/strings.h"
#include "database_wrapper.h"
#include "tables/language/errors.h"

namespace tintype::product {

/// A Database as bad as a service may be on its worst day, by a seeded random generator. It refuses
/// requests before they do anything (throttling), cancels transactions because others are in their
/// way, does writes whose answers get lost, and answers queries of indexes as they were some time
/// ago. As any service guarantees, it never does half of a request, never loses what it answered,
/// and consistent reads are right. Thread-safe.
class UnreliableDatabase : public DatabaseWrapper<UnreliableDatabase> {
 public:
  /// How often each happens, in percent of the requests that it can happen to.
  struct Odds {
    uint32_t refused = 4;
    uint32_t conflict = 6;
    uint32_t lost_answer = 4;
    uint32_t stale = 30;
  };

  UnreliableDatabase(tables::Database& database, uint64_t seed, Odds odds)
      : database_(database), odds_(odds), random_(seed) {}

  /// From now on as good as the database behind it.
  void BecomeReliable() {
    const MutexLock lock(mutex_);
    odds_ = {0, 0, 0, 0};
    pages_.clear();
  }

  template <typename Request, typename Response>
  void Pass(void (tables::Database::*operation)(Request, Done<Response>), Request request,
            Done<Response> done) {
    if (Happens(&Odds::refused)) {
      std::move(done)(Error(ErrorKind::kOverloaded, "unreliable: refused"));
      return;
    }
    if constexpr (std::is_same_v<Request, tables::TransactWriteItemsRequest>) {
      if (Happens(&Odds::conflict)) {
        std::move(done)(Conflict(request));
        return;
      }
    }
    if constexpr (std::is_same_v<Request, tables::QueryRequest>) {
      if (request.options.index) {
        PassIndexQuery(std::move(request), std::move(done));
        return;
      }
    }
    if constexpr (kIsWrite<Request>) {
      if (Happens(&Odds::lost_answer)) {
        (database_.*operation)(std::move(request),
                               [done = std::move(done)](const Result<Response>&) mutable {
                                 std::move(done)(Error::Io("unreliable: the answer got lost"));
                               });
        return;
      }
    }
    (database_.*operation)(std::move(request), std::move(done));
  }

 private:
  template <typename Request>
  static constexpr bool kIsWrite = std::is_same_v<Request, tables::PutItemRequest> ||
                                   std::is_same_v<Request, tables::DeleteItemRequest> ||
                                   std::is_same_v<Request, tables::UpdateItemRequest> ||
                                   std::is_same_v<Request, tables::TransactWriteItemsRequest>;

  bool Happens(uint32_t Odds::*which) {
    const MutexLock lock(mutex_);
    return random_() % 100 < odds_.*which;
  }

  /// One of the actions met another transaction.
  Error Conflict(const tables::TransactWriteItemsRequest& request) {
    auto detail = std::make_shared<tables::CancellationDetail>();
    detail->reasons.resize(request.actions.size());
    const MutexLock lock(mutex_);
    detail->reasons[random_() % request.actions.size()].code = "TransactionConflict";
    return Error(tables::reasons::kTransactionCanceled, "unreliable: conflict")
        .WithDetail(std::move(detail));
  }

  /// Answers as it is now, and keeps that, or with what was kept of one of the last times.
  void PassIndexQuery(tables::QueryRequest request, Done<tables::ReadResponse> done) {
    const bool first_page = !request.options.exclusive_start_key;
    const std::string key = StrCat(request.table, " ", *request.options.index, " ",
                                   request.forward ? "up " : "down ", KeyText(request));
    if (first_page && Happens(&Odds::stale)) {
      std::optional<tables::ReadResponse> old = FindPage(key);
      if (old) {
        std::move(done)(*std::move(old));
        return;
      }
    }
    database_.Query(std::move(request), [this, key, first_page, done = std::move(done)](
                                            Result<tables::ReadResponse> page) mutable {
      if (page.ok() && first_page) {
        KeepPage(key, *page);
      }
      std::move(done)(std::move(page));
    });
  }

  /// What the query's conditions compare with; of a range the lower end, since the upper end is the
  /// time, which grows.
  static std::string KeyText(const tables::QueryRequest& request) {
    std::string text;
    for (const tables::KeyCondition::Term& term : request.key_condition.terms) {
      StrAppend(text, term.attribute, "=", term.values.front().encoded(), " ");
    }
    return text;
  }

  std::optional<tables::ReadResponse> FindPage(const std::string& key) {
    const MutexLock lock(mutex_);
    const auto found = pages_.find(key);
    if (found == pages_.end() || found->second.empty()) {
      return std::nullopt;
    }
    return found->second[random_() % found->second.size()];
  }
  void KeepPage(const std::string& key, const tables::ReadResponse& page) {
    constexpr size_t kKept = 4;
    const MutexLock lock(mutex_);
    std::deque<tables::ReadResponse>& kept = pages_[key];
    kept.push_back(page);
    if (kept.size() > kKept) {
      kept.pop_front();
    }
  }

  tables::Database& database_;
  Mutex mutex_;
  Odds odds_ GUARDED_BY(mutex_);
  std::mt19937_64 random_ GUARDED_BY(mutex_);
  std::map<std::string, std::deque<tables::ReadResponse>> pages_ GUARDED_BY(mutex_);
};

}  // namespace tintype::product
