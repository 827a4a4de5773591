#include "blobs/s3/internal/client.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/percent.h"
#include "base/retry.h"
#include "base/strings.h"
#include "blobs/s3/internal/errors.h"

namespace tintype::blobs::s3 {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds kBackoffFirst{50};
constexpr milliseconds kBackoffMost{5'000};
/// A slow service copies and puts together that much in a second.
constexpr uint64_t kWorkBytesPerSecond = 16 << 20;

}  // namespace

Client::Client(S3Config config, const Clock& clock, std::unique_ptr<net::HttpClient> http)
    : config_(std::move(config)), clock_(clock), scheme_("https"), http_(std::move(http)) {
  const size_t slashes = config_.endpoint.find("://");
  if (slashes != std::string::npos) {
    scheme_ = config_.endpoint.substr(0, slashes);
    host_ = config_.endpoint.substr(slashes + 3);
    while (host_.ends_with('/')) {
      host_.pop_back();
    }
    // As clients will say it in their header, which links are signed with.
    std::ranges::transform(host_, host_.begin(), ToLower);
    const std::string_view port = scheme_ == "https" ? ":443" : ":80";
    if (host_.ends_with(port)) {
      host_.resize(host_.size() - port.size());
    }
  }
}

sigv4::HeaderList Client::WithEncryption(const BlobKey& target, ObjectUse use,
                                         sigv4::HeaderList headers) const {
  if (left_alone_.contains(target.bucket)) {
    return headers;
  }
  for (auto& header : EncryptionHeaders(config_.encryption, use)) {
    headers.push_back(std::move(header));
  }
  return headers;
}

sigv4::HeaderList Client::WithOwnKey(ObjectUse use, sigv4::HeaderList headers) const {
  StorageEncryption own = config_.encryption;
  own.kind = StorageEncryption::Kind::kOwnKey;
  for (auto& header : EncryptionHeaders(own, use)) {
    headers.push_back(std::move(header));
  }
  return headers;
}

Client::Place Client::PlaceOf(const BlobKey& target) const {
  const std::string key = PercentEncoded(target.key, /*keep_slash=*/true);
  if (!host_.empty()) {
    return {host_, StrCat("/", target.bucket, key.empty() ? "" : "/", key)};
  }
  // A name with a dot would not fit the certificate.
  if (target.bucket.find('.') != std::string::npos) {
    return {StrCat("s3.", config_.region, ".amazonaws.com"),
            StrCat("/", target.bucket, key.empty() ? "" : "/", key)};
  }
  return {StrCat(target.bucket, ".s3.", config_.region, ".amazonaws.com"), StrCat("/", key)};
}

net::HttpRequest Client::SignedRequest(const Call& call, milliseconds timeout) {
  const Place place = PlaceOf(call.target);
  net::HttpRequest request{.method = call.method,
                           .url = StrCat(scheme_, "://", place.host, place.path,
                                         call.query.empty() ? "" : "?", call.query),
                           .headers = call.headers,
                           .body = call.body,
                           .into = call.into,
                           .timeout = timeout};
  request.headers.emplace_back("host", place.host);
  const sigv4::HeaderList added =
      sigv4::Sign({.method = call.method,
                   .path = place.path,
                   .query = call.query,
                   .headers = request.headers,
                   .body = call.body.text},
                  config_.credentials,
                  {.region = config_.region,
                   .service = "s3",
                   .now_ms = clock_.NowMs(),
                   .path_encoding = sigv4::PathEncoding::kOnce,
                   .add_payload_header = true,
                   .payload_hash = call.checksums ? call.checksums->sha256_hex : std::string()},
                  keys_);
  request.headers.insert(request.headers.end(), added.begin(), added.end());
  return request;
}

Result<net::HttpAnswer> Client::Send(const Call& call) {
  const milliseconds work(call.work_bytes * 1000 / kWorkBytesPerSecond);
  const auto deadline =
      SteadyClock::now() + (call.once ? config_.connect_timeout : config_.call_timeout) + work;
  for (int attempts = 1;; ++attempts) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now()) + milliseconds(1);
    // A connection may be dead without saying so: there is to be time for another.
    const milliseconds most = call.work_bytes > 0 ? left : std::min(left, config_.stall_timeout);
    // Signed anew each time: a signature is good for minutes only.
    net::HttpOutcome outcome = http_->Perform(SignedRequest(call, std::max(most, milliseconds(1))));
    if (outcome.answered() && call.error_in_body && outcome.answer.status == 200 &&
        IsErrorDocument(outcome.answer.body)) {
      outcome.answer.status = 500;
    }
    if (outcome.answered() && !ShouldRetry(outcome.answer)) {
      return std::move(outcome.answer);
    }
    const milliseconds wait = BackoffWait(kBackoffFirst, kBackoffMost, attempts);
    if (call.once || SteadyClock::now() + wait >= deadline) {
      const std::string what = StrCat(call.method, " ", call.target.bucket, "/", call.target.key);
      return outcome.answered() ? ErrorOf(outcome.answer, what)
                                : Unreachable(outcome.problem, what);
    }
    std::this_thread::sleep_for(wait);
  }
}

Result<net::HttpAnswer> Client::SendExpectingSuccess(const Call& call) {
  ASSIGN_OR_RETURN(net::HttpAnswer answer, Send(call));
  if (answer.status < 200 || answer.status > 299) {
    return ErrorOf(answer, StrCat(call.method, " ", call.target.bucket, "/", call.target.key));
  }
  return answer;
}

std::string Client::Presign(std::string_view method, const BlobKey& target, std::string_view query,
                            sigv4::HeaderList headers, int64_t expires_s) {
  const Place place = PlaceOf(target);
  headers.emplace_back("host", place.host);
  return StrCat(
      scheme_, "://", place.host, place.path, "?",
      sigv4::PresignS3(
          {.method = method, .path = place.path, .query = query, .headers = headers, .body = ""},
          config_.credentials,
          {.region = config_.region, .now_ms = clock_.NowMs(), .expires_s = expires_s}, keys_));
}

}  // namespace tintype::blobs::s3
