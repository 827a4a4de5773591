#include "tables/remote/internal/transfer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::tables::remote::internal {

namespace {

constexpr std::string_view kChecksumHeader = "x-amz-crc32";

template <typename Value>
void Set(CURL* easy, CURLoption option, Value value) {
  CHECK(curl_easy_setopt(easy, option, value) == CURLE_OK);
}

}  // namespace

HttpLoop::Transfer::Transfer(const RemoteConfig& config, const Endpoint& endpoint,
                             const Request& request, std::chrono::milliseconds timeout, Done done)
    : easy_(curl_easy_init()),
      body_(request.body),
      response_bytes_max_(config.response_bytes_max),
      done_(std::move(done)) {
  CURL* const easy = easy_.get();
  CHECK(easy != nullptr);
  Set(easy, CURLOPT_URL, endpoint.url.c_str());
  Set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  Set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  // Only settings of ours count, not what the environment says of proxies.
  Set(easy, CURLOPT_PROXY, "");
  Set(easy, CURLOPT_NOSIGNAL, 1L);
  Set(easy, CURLOPT_ERRORBUFFER, problem_);
  Set(easy, CURLOPT_MAXAGE_CONN, static_cast<long>(config.idle_max.count()));
  Set(easy, CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::min(timeout, config.connect_timeout).count()));
  Set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  if (!config.ca_file.empty()) {
    Set(easy, CURLOPT_CAINFO, config.ca_file.c_str());
  }
  // When a kept connection breaks before an answer comes, curl sends the request again by itself,
  // unless it cannot rewind the body. Whether a write may be sent twice is for us to decide, so the
  // body comes from a callback, which it cannot rewind.
  Set(easy, CURLOPT_POST, 1L);
  Set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body_.size()));
  Set(easy, CURLOPT_READFUNCTION, &ReadBody);
  Set(easy, CURLOPT_READDATA, this);
  Set(easy, CURLOPT_WRITEFUNCTION, &WriteBody);
  Set(easy, CURLOPT_WRITEDATA, this);
  Set(easy, CURLOPT_HEADERFUNCTION, &WriteHeader);
  Set(easy, CURLOPT_HEADERDATA, this);
  SetHeaders(*request.headers);
}

void HttpLoop::Transfer::SetHeaders(const sigv4::HeaderList& headers) {
  curl_slist* list = nullptr;
  const auto add = [&list](const std::string& line) {
    list = curl_slist_append(list, line.c_str());
    CHECK(list != nullptr);
  };
  for (const auto& [name, value] : headers) {
    add(StrCat(name, ": ", value));
  }
  // No asking before large bodies: a refusal costs less than a round trip for each. Nor a header
  // that curl would add by itself and that says nothing.
  add("expect:");
  add("accept:");
  headers_.reset(list);
  Set(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
}

size_t HttpLoop::Transfer::ReadBody(char* buffer, size_t size, size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view part = transfer.body_.substr(transfer.body_read_, size * count);
  std::memcpy(buffer, part.data(), part.size());
  transfer.body_read_ += part.size();
  return part.size();
}

size_t HttpLoop::Transfer::WriteBody(char* data, size_t size, size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  std::string& body = transfer.outcome_.body;
  if (size * count > transfer.response_bytes_max_ - body.size()) {
    transfer.too_large_ = true;
    return 0;  // Ends the transfer.
  }
  body.append(data, size * count);
  return size * count;
}

size_t HttpLoop::Transfer::WriteHeader(char* data, size_t size, size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view line(data, size * count);
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos && EqualsIgnoreCase(line.substr(0, colon), kChecksumHeader)) {
    transfer.outcome_.checksum = std::string(Trim(line.substr(colon + 1), " \t\r\n"));
  }
  return line.size();
}

HttpLoop::Outcome::Kind HttpLoop::Transfer::KindOf(CURLcode code) const {
  if (code == CURLE_OK) {
    return Outcome::Kind::kAnswered;
  }
  if (too_large_) {
    return Outcome::Kind::kTooLarge;
  }
  if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE) {
    return Outcome::Kind::kUntrusted;
  }
  // The header goes first and announces the body, so without any of it there is no request.
  return body_read_ == 0 ? Outcome::Kind::kNotSent : Outcome::Kind::kLost;
}

void HttpLoop::Transfer::Finish(CURLcode code) {
  outcome_.kind = KindOf(code);
  if (outcome_.kind != Outcome::Kind::kAnswered) {
    outcome_.problem = problem_[0] != '\0' ? problem_ : curl_easy_strerror(code);
  }
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  outcome_.status = static_cast<int>(status);
  done_(std::move(outcome_));
}

void HttpLoop::Transfer::Abandon() {
  outcome_.kind = Outcome::Kind::kStopped;
  outcome_.problem = "the client is being closed";
  done_(std::move(outcome_));
}

}  // namespace tintype::tables::remote::internal
