#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "blobs/blob_key.h"
#include "blobs/s3/config.h"
#include "blobs/s3/internal/checksums.h"
#include "blobs/s3/internal/encryption.h"
#include "net/http_client.h"
#include "sigv4/sigv4.h"

namespace tintype::blobs::s3 {

/// One operation of S3. All that we use can be sent twice.
struct Call {
  std::string method;
  BlobKey target;       // Without a key: the bucket itself.
  std::string query{};  // Encoded.
  sigv4::HeaderList headers{};
  net::HttpBody body{};
  /// Those of the body, when it is a file's. REQUIRED then.
  std::optional<Checksums> checksums{};
  std::optional<net::HttpSink> into{};
  /// The service works on it before it answers, in proportion to so many bytes.
  uint64_t work_bytes = 0;
  /// An answer with status 200 may be an error all the same: it began before the work was done.
  bool error_in_body = false;
  /// Tried once and not for long: nobody minds if it fails.
  bool once = false;
};

/// Signs calls, sends them, and sends them again while the service is not well. Thread-safe.
class Client {
 public:
  /// REQUIRES: config.Validate().ok().
  Client(S3Config config, const Clock& clock, std::unique_ptr<net::HttpClient> http);

  const S3Config& config() const { return config_; }

  /// What a call about an object has to say of encryption, beside `headers`.
  sigv4::HeaderList WithEncryption(const BlobKey& target, ObjectUse use,
                                   sigv4::HeaderList headers = {}) const;
  /// What a call that reads has to say where it needs the own key, whatever is written with.
  sigv4::HeaderList WithOwnKey(ObjectUse use, sigv4::HeaderList headers = {}) const;
  /// Nothing is said of encryption to that bucket any more, or again. To be called before others
  /// have this.
  void LeaveEncryptionTo(const std::string& bucket) { left_alone_.insert(bucket); }
  void AskForEncryption(const std::string& bucket) { left_alone_.erase(bucket); }

  const Clock& clock() const { return clock_; }

  /// The answer, whatever its status, unless that says to try again: then, and when there is none,
  /// until the time is up. Errors: kUnavailable.
  Result<net::HttpAnswer> Send(const Call& call);

  /// As Send, and errors for every status but 200 to 299, see ErrorOf.
  Result<net::HttpAnswer> SendExpectingSuccess(const Call& call);

  /// A link that carries its signature: the whole URL.
  std::string Presign(std::string_view method, const BlobKey& target, std::string_view query,
                      sigv4::HeaderList headers, int64_t expires_s);

 private:
  struct Place {
    std::string host;
    std::string path;
  };
  Place PlaceOf(const BlobKey& target) const;
  net::HttpRequest SignedRequest(const Call& call, std::chrono::milliseconds timeout);

  const S3Config config_;
  std::set<std::string> left_alone_;  // Buckets that encrypt as they do by themselves.
  const Clock& clock_;
  std::string scheme_;
  std::string host_;  // Empty: AWS's, which depends on the bucket.
  const std::unique_ptr<net::HttpClient> http_;
  sigv4::SigningKeyCache keys_;
};

}  // namespace tintype::blobs::s3
