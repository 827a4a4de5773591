#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "net/http_client.h"
#include "oidc/jwks.h"
#include "oidc/metadata.h"

namespace tintype::oidc {

/// An issuer of tokens, as it describes itself. Its description is fetched when it is first needed
/// and kept for kKeptMs; when the issuer cannot be reached then, the one that is known goes on to
/// hold for kStaleMs. A key that is not known makes it ask again, but not more than once in
/// kAskAgainMs, whatever strangers write into their tokens; after a failure it waits kRetryMs. One
/// thread asks, which may block for twice kTimeout; others go on with what is known, or wait for
/// kPatience. Thread-safe; nothing survives it.
class Issuer {
 public:
  static constexpr int64_t kKeptMs = int64_t{60} * 60 * 1000;
  static constexpr int64_t kStaleMs = 24 * kKeptMs;
  static constexpr int64_t kAskAgainMs = int64_t{30} * 1000;
  static constexpr int64_t kRetryMs = int64_t{5} * 1000;
  static constexpr std::chrono::seconds kTimeout{5};
  static constexpr std::chrono::seconds kPatience{2};
  /// How many threads wait at once; more are refused at once, so that requests of others go on.
  static constexpr int kWaitingMax = 4;

  /// `url` is the issuer's name, to the letter. The client and the clock outlive it.
  Issuer(std::string url, net::HttpClient& http, const Clock& clock)
      : url_(std::move(url)), http_(http), clock_(clock) {}

  const std::string& url() const { return url_; }

  /// Errors: kIssuerUnavailable.
  Result<Metadata> Describe();
  /// The key that a token names and that can make such signatures; for a token that names none,
  /// the only one that there is. Nothing when there is none. Errors: kIssuerUnavailable.
  Result<std::optional<crypto::PublicKey>> FindKey(std::string_view id, crypto::SignatureKind kind);
  /// When the keys that are known were fetched; 0 when none are. Does not block.
  int64_t FetchedMs();

 private:
  struct Known {
    Metadata metadata;
    std::vector<IssuerKey> keys;
    int64_t fetched_ms = 0;
  };
  using KnownPointer = std::shared_ptr<const Known>;  // Readers keep it while it is replaced.

  /// What is known, asked for anew if it is older than `age_ms_max`.
  Result<KnownPointer> Know(int64_t age_ms_max);
  /// What is known, if that will do. Nothing: it is this thread's turn to ask.
  Result<std::optional<KnownPointer>> TakeTurn(int64_t age_ms_max);
  bool IsYoung(const KnownPointer& known, int64_t age_ms_max) const;
  Result<KnownPointer> Fetch();
  Result<std::string> Get(const std::string& url);

  const std::string url_;
  net::HttpClient& http_;
  const Clock& clock_;
  Mutex mutex_;
  CondVar answered_;
  bool asking_ GUARDED_BY(mutex_) = false;
  int waiting_ GUARDED_BY(mutex_) = 0;
  KnownPointer known_ GUARDED_BY(mutex_);
  std::optional<Error> failure_ GUARDED_BY(mutex_);  // Of the last time that somebody asked.
  int64_t failed_ms_ GUARDED_BY(mutex_) = 0;
};

}  // namespace tintype::oidc
