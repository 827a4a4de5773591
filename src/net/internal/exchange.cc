#include "net/internal/exchange.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::net::internal {

using std::chrono::milliseconds;

namespace {

constexpr long kBufferBytes = 256 << 10;
/// Transfers of more than one buffer or so may take as long as bytes move.
constexpr uint64_t kLargeBytes = 1 << 20;

template <typename Value>
void Set(CURL* easy, CURLoption option, Value value) {
  CHECK(curl_easy_setopt(easy, option, value) == CURLE_OK);
}

bool Succeeded(int status) { return status >= 200 && status < 300; }

}  // namespace

void InitializeCurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(code == CURLE_OK);
}

EasyHandle NewEasyHandle() {
  EasyHandle easy(curl_easy_init());
  CHECK(easy != nullptr);
  return easy;
}

Exchange::Exchange(const HttpConfig& config, const HttpRequest& request, milliseconds timeout,
                   EasyHandle easy)
    : request_(request), answer_bytes_max_(config.answer_bytes_max), easy_(std::move(easy)) {
  Set(easy_.get(), CURLOPT_ERRORBUFFER, curl_problem_);
  SetConnection(config, timeout);
  SetBodies();
  SetHeaders();
}

void Exchange::SetConnection(const HttpConfig& config, milliseconds timeout) {
  CURL* const easy = easy_.get();
  Set(easy, CURLOPT_URL, request_.url.c_str());
  Set(easy, CURLOPT_PATH_AS_IS, 1L);
  Set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  Set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  // Only settings of ours count, not what the environment says of proxies.
  Set(easy, CURLOPT_PROXY, "");
  Set(easy, CURLOPT_NOSIGNAL, 1L);
  Set(easy, CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::min(timeout, config.connect_timeout).count()));
  if (config.idle_max.count() > 0) {
    Set(easy, CURLOPT_MAXAGE_CONN, static_cast<long>(config.idle_max.count()));
  }
  const uint64_t answer_bytes = request_.into ? request_.into->bytes() : 0;
  const bool large = std::max(request_.body.bytes(), answer_bytes) > kLargeBytes;
  if (large) {
    Set(easy, CURLOPT_BUFFERSIZE, kBufferBytes);
    Set(easy, CURLOPT_UPLOAD_BUFFERSIZE, kBufferBytes);
  }
  if (large && config.stall_timeout.count() > 0) {
    const auto stall = std::min(timeout, config.stall_timeout);
    Set(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    Set(easy, CURLOPT_LOW_SPEED_TIME,
        static_cast<long>(std::max<int64_t>(1, stall.count() / 1000)));
  } else {
    Set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  }
  if (!config.ca_file.empty()) {
    Set(easy, CURLOPT_CAINFO, config.ca_file.c_str());
  }
}

void Exchange::SetBodies() {
  CURL* const easy = easy_.get();
  Set(easy, CURLOPT_HEADERFUNCTION, &WriteHeader);
  Set(easy, CURLOPT_HEADERDATA, this);
  Set(easy, CURLOPT_WRITEFUNCTION, &WriteBody);
  Set(easy, CURLOPT_WRITEDATA, this);
  if (request_.method == "HEAD") {
    Set(easy, CURLOPT_NOBODY, 1L);
    return;
  }
  if (request_.method == "PUT" || request_.method == "POST") {
    // When a kept connection breaks before an answer comes, libcurl sends the request again by
    // itself, unless it cannot rewind the body. Whether a write may be sent twice is for us to
    // decide, so the body comes from a callback, which it cannot rewind.
    Set(easy, CURLOPT_UPLOAD, 1L);
    Set(easy, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request_.body.bytes()));
    Set(easy, CURLOPT_READFUNCTION, &ReadBody);
    Set(easy, CURLOPT_READDATA, this);
  }
  Set(easy, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

void Exchange::SetHeaders() {
  curl_slist* list = nullptr;
  const auto add = [&list](const std::string& line) {
    list = curl_slist_append(list, line.c_str());
    CHECK(list != nullptr);
  };
  for (const auto& [name, value] : request_.headers) {
    add(StrCat(name, ": ", value));
  }
  // No asking before large bodies, which costs a round trip each, and nothing that libcurl would
  // say by itself.
  for (const std::string_view unwanted : {"expect", "accept", "content-type"}) {
    if (std::ranges::none_of(request_.headers,
                             [&](const auto& header) { return header.first == unwanted; })) {
      add(StrCat(unwanted, ":"));
    }
  }
  headers_.reset(list);
  Set(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
}

size_t Exchange::ReadBody(char* buffer, size_t size, size_t count, void* self) {
  auto& exchange = *static_cast<Exchange*>(self);
  const HttpBody& body = exchange.request_.body;
  const auto wanted =
      static_cast<size_t>(std::min<uint64_t>(size * count, body.bytes() - exchange.body_read_));
  if (body.file >= 0) {
    return exchange.ReadFile(buffer, wanted);
  }
  std::memcpy(buffer, body.text.data() + exchange.body_read_, wanted);
  exchange.body_read_ += wanted;
  return wanted;
}

size_t Exchange::ReadFile(char* buffer, size_t wanted) {
  const HttpBody& body = request_.body;
  ssize_t got = -1;
  do {
    got = ::pread(body.file, buffer, wanted, static_cast<off_t>(body.offset + body_read_));
  } while (got < 0 && errno == EINTR);
  if (got < 0 || (got == 0 && wanted > 0)) {
    problem_ = "the file that is uploaded cannot be read";
    return CURL_READFUNC_ABORT;
  }
  body_read_ += static_cast<uint64_t>(got);
  return static_cast<size_t>(got);
}

size_t Exchange::WriteHeader(char* data, size_t size, size_t count, void* self) {
  auto& answer = static_cast<Exchange*>(self)->answer_;
  const std::string_view line(data, size * count);
  if (line.starts_with("HTTP/")) {
    // A status line: of the answer, or of one that only announced it.
    answer.headers.clear();
    const size_t space = std::min(line.find(' '), line.size());
    answer.status = std::atoi(std::string(line.substr(space)).c_str());
    return line.size();
  }
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos) {
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(), ToLower);
    answer.headers.emplace_back(std::move(name), Trim(line.substr(colon + 1), " \t\r\n"));
  }
  return line.size();
}

size_t Exchange::WriteBody(char* data, size_t size, size_t count, void* self) {
  auto& exchange = *static_cast<Exchange*>(self);
  const size_t bytes = size * count;
  if (exchange.request_.into && Succeeded(exchange.answer_.status)) {
    return exchange.WriteToSink({data, bytes}) ? bytes : 0;
  }
  std::string& body = exchange.answer_.body;
  if (bytes > exchange.answer_bytes_max_ - body.size()) {
    exchange.too_large_ = true;
    exchange.problem_ = StrCat("the answer has more than ", exchange.answer_bytes_max_, " bytes");
    return 0;  // Ends the transfer.
  }
  body.append(data, bytes);
  return bytes;
}

bool Exchange::WriteToSink(std::string_view piece) {
  const HttpSink& sink = *request_.into;
  if (piece.size() > sink.bytes() - answer_.received) {
    problem_ = "the answer is larger than what was asked for";
    return false;
  }
  if (sink.file < 0) {
    std::memcpy(sink.memory.data() + answer_.received, piece.data(), piece.size());
    answer_.received += piece.size();
    return true;
  }
  while (!piece.empty()) {
    const ssize_t written = ::pwrite(sink.file, piece.data(), piece.size(),
                                     static_cast<off_t>(sink.offset + answer_.received));
    if (written < 0 && errno != EINTR) {
      problem_ = StrCat("a temporary file cannot be written: ", std::strerror(errno));
      return false;
    }
    const size_t count = written > 0 ? static_cast<size_t>(written) : 0;
    answer_.received += count;
    piece.remove_prefix(count);
  }
  return true;
}

HttpOutcome::Kind Exchange::KindOf(CURLcode code) const {
  if (code == CURLE_OK) {
    return HttpOutcome::Kind::kAnswered;
  }
  if (too_large_) {
    return HttpOutcome::Kind::kTooLarge;
  }
  if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE) {
    return HttpOutcome::Kind::kUntrusted;
  }
  // The header goes first and announces the body, so without any of it there is no request. A
  // request without a body may have been seen as soon as there was a connection.
  return request_.body.bytes() > 0 && body_read_ == 0 ? HttpOutcome::Kind::kNotSent
                                                      : HttpOutcome::Kind::kLost;
}

HttpOutcome Exchange::End(CURLcode code) {
  HttpOutcome outcome{.kind = KindOf(code), .answer = std::move(answer_)};
  if (!outcome.answered()) {
    if (problem_.empty()) {
      problem_ = curl_problem_[0] != '\0' ? curl_problem_ : curl_easy_strerror(code);
    }
    outcome.problem = std::move(problem_);
  }
  return outcome;
}

EasyHandle Exchange::TakeHandle() {
  // Keeps the connection, and nothing else.
  curl_easy_reset(easy_.get());
  return std::move(easy_);
}

}  // namespace tintype::net::internal
