#include "oidc/issuer.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"
#include "base/strings.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

Error NoAnswer() {
  return {kIssuerUnavailable,
          "The service that you sign in with does not answer. Try again later."};
}

}  // namespace

Result<Metadata> Issuer::Describe() {
  ASSIGN_OR_RETURN(const KnownPointer known, Know(kKeptMs));
  return known->metadata;
}

Result<std::optional<crypto::PublicKey>> Issuer::FindKey(std::string_view id,
                                                         crypto::SignatureKind kind) {
  const auto find = [&](const Known& known) {
    std::optional<crypto::PublicKey> found;
    for (const IssuerKey& key : known.keys) {
      if (!key.Fits(kind) || (!id.empty() && key.id != id)) {
        continue;
      }
      if (found) {
        return std::optional<crypto::PublicKey>();  // Which one it is, nobody can tell.
      }
      found = key.key;
    }
    return found;
  };
  ASSIGN_OR_RETURN(KnownPointer known, Know(kKeptMs));
  std::optional<crypto::PublicKey> key = find(*known);
  if (!key) {
    // It may be newer than what is known. An issuer that cannot be asked has no such key.
    const Result<KnownPointer> again = Know(kAskAgainMs);
    key = again.ok() ? find(**again) : std::nullopt;
  }
  return key;
}

int64_t Issuer::FetchedMs() {
  const MutexLock lock(mutex_);
  return known_ == nullptr ? 0 : known_->fetched_ms;
}

bool Issuer::IsYoung(const KnownPointer& known, int64_t age_ms_max) const {
  const int64_t age_ms = known == nullptr ? -1 : clock_.NowMs() - known->fetched_ms;
  // The clock may have been put back.
  return age_ms >= 0 && age_ms <= age_ms_max;
}

Result<std::optional<Issuer::KnownPointer>> Issuer::TakeTurn(int64_t age_ms_max) {
  const auto patience_ends = std::chrono::steady_clock::now() + kPatience;
  const MutexLock lock(mutex_);
  while (true) {
    if (IsYoung(known_, age_ms_max)) {
      return std::optional(known_);
    }
    const int64_t since_failure_ms = clock_.NowMs() - failed_ms_;
    const bool failed_lately = failure_ && since_failure_ms >= 0 && since_failure_ms < kRetryMs;
    if (!asking_ && !failed_lately) {
      asking_ = true;
      return std::optional<KnownPointer>();
    }
    // Slightly old data is better than a wait, unless a newer key is looked for.
    if (age_ms_max >= kKeptMs && IsYoung(known_, kStaleMs)) {
      return std::optional(known_);
    }
    if (failed_lately) {
      return *failure_;
    }
    // A made-up key name must hold up nobody but the one who asks.
    if (age_ms_max < kKeptMs && known_ != nullptr) {
      return std::optional(known_);
    }
    const auto left = patience_ends - std::chrono::steady_clock::now();
    if (left <= left.zero() || waiting_ == kWaitingMax) {
      return NoAnswer();
    }
    ++waiting_;
    answered_.WaitFor(mutex_, left);
    --waiting_;
  }
}

Result<Issuer::KnownPointer> Issuer::Know(int64_t age_ms_max) {
  ASSIGN_OR_RETURN(auto known, TakeTurn(age_ms_max));
  if (known) {
    return *std::move(known);
  }
  Result<KnownPointer> fetched = Fetch();
  const MutexLock lock(mutex_);
  asking_ = false;
  answered_.SignalAll();
  if (fetched.ok()) {
    known_ = *fetched;
    failure_.reset();
    return fetched;
  }
  LogWarning(
      "outside_issuer_failed",
      {{"issuer", url_}, {"error", fetched.error().message()}, {"note", fetched.error().note()}});
  failure_ = fetched.error();
  failed_ms_ = clock_.NowMs();
  return IsYoung(known_, kStaleMs) ? Result<KnownPointer>(known_) : std::move(fetched);
}

Result<Issuer::KnownPointer> Issuer::Fetch() {
  auto known = std::make_shared<Known>();
  known->fetched_ms = clock_.NowMs();
  ASSIGN_OR_RETURN(const std::string description, Get(MetadataUrl(url_)));
  ASSIGN_OR_RETURN(known->metadata, ParseMetadata(description, url_));
  ASSIGN_OR_RETURN(const std::string keys, Get(known->metadata.jwks_uri));
  ASSIGN_OR_RETURN(known->keys, ParseJwks(keys));
  return KnownPointer(std::move(known));
}

Result<std::string> Issuer::Get(const std::string& url) {
  net::HttpRequest request;
  request.method = "GET";
  request.url = url;
  request.headers = {{"Accept", "application/json"}};
  request.timeout = kTimeout;
  net::HttpOutcome outcome = http_.Perform(request);
  if (!outcome.answered() || outcome.answer.status != 200) {
    const std::string problem =
        outcome.answered() ? StrCat("it answered ", outcome.answer.status) : outcome.problem;
    return NoAnswer().WithNote(StrCat(url, ": ", problem));
  }
  return std::move(outcome.answer.body);
}

}  // namespace tintype::oidc
