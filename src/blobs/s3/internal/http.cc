#include "blobs/s3/internal/http.h"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/mutex.h"
#include "base/strings.h"

namespace tintype::blobs::s3 {
namespace {

/// Enough for a page of 1,000 keys of 1,024 bytes, each escaped.
constexpr size_t kAnswerBytesMax = 8 << 20;
constexpr size_t kIdleMax = 32;
constexpr long kBufferBytes = 256 << 10;
/// What takes more than one buffer or so may take as long as bytes move.
constexpr uint64_t kLargeBytes = 1 << 20;

void InitCurlOnce() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(code == CURLE_OK);
}

template <typename Value>
void Set(CURL* easy, CURLoption option, Value value) {
  CHECK(curl_easy_setopt(easy, option, value) == CURLE_OK);
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Lines = std::unique_ptr<curl_slist, FreeList>;

Lines LinesOf(const sigv4::HeaderList& headers) {
  curl_slist* list = nullptr;
  const auto add = [&list](const std::string& line) {
    list = curl_slist_append(list, line.c_str());
    CHECK(list != nullptr);
  };
  for (const auto& [name, value] : headers) {
    add(StrCat(name, ": ", value));
  }
  // No asking before large bodies, which costs a round trip each, and nothing that curl would say
  // by itself.
  for (const char* unwanted : {"expect:", "accept:", "content-type:"}) {
    const std::string_view name(unwanted, std::strlen(unwanted) - 1);
    if (std::ranges::none_of(headers, [&](const auto& header) { return header.first == name; })) {
      add(unwanted);
    }
  }
  return Lines(list);
}

/// One request on its way.
struct Exchange {
  const HttpRequest& request;
  HttpAnswer answer{};
  uint64_t body_read = 0;
  std::string problem{};

  bool succeeded() const { return answer.status >= 200 && answer.status < 300; }

  static size_t ReadBody(char* buffer, size_t size, size_t count, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    const HttpBody& body = exchange.request.body;
    const auto wanted =
        static_cast<size_t>(std::min<uint64_t>(size * count, body.bytes() - exchange.body_read));
    if (body.file < 0) {
      std::memcpy(buffer, body.text.data() + exchange.body_read, wanted);
      exchange.body_read += wanted;
      return wanted;
    }
    ssize_t got = -1;
    do {
      got =
          ::pread(body.file, buffer, wanted, static_cast<off_t>(body.offset + exchange.body_read));
    } while (got < 0 && errno == EINTR);
    if (got < 0 || (got == 0 && wanted > 0)) {
      exchange.problem = "the file that is uploaded cannot be read";
      return CURL_READFUNC_ABORT;
    }
    exchange.body_read += static_cast<uint64_t>(got);
    return static_cast<size_t>(got);
  }

  bool Sink(std::string_view piece) {
    const HttpSink& sink = *request.into;
    if (piece.size() > sink.bytes() - answer.received) {
      problem = "the answer is larger than what was asked for";
      return false;
    }
    if (sink.file < 0) {
      std::memcpy(sink.memory.data() + answer.received, piece.data(), piece.size());
      answer.received += piece.size();
      return true;
    }
    while (!piece.empty()) {
      const ssize_t written = ::pwrite(sink.file, piece.data(), piece.size(),
                                       static_cast<off_t>(sink.offset + answer.received));
      if (written < 0 && errno != EINTR) {
        problem = StrCat("a temporary file cannot be written: ", std::strerror(errno));
        return false;
      }
      const size_t count = written > 0 ? static_cast<size_t>(written) : 0;
      answer.received += count;
      piece.remove_prefix(count);
    }
    return true;
  }

  static size_t WriteHeader(char* data, size_t size, size_t count, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    const std::string_view line(data, size * count);
    if (line.starts_with("HTTP/")) {
      // A status line: of the answer, or of one that only announced it.
      exchange.answer.headers.clear();
      const size_t space = std::min(line.find(' '), line.size());
      exchange.answer.status = std::atoi(std::string(line.substr(space)).c_str());
      return line.size();
    }
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      std::string name(line.substr(0, colon));
      std::ranges::transform(name, name.begin(), ToLower);
      exchange.answer.headers.emplace_back(std::move(name),
                                           Trim(line.substr(colon + 1), " \t\r\n"));
    }
    return line.size();
  }

  static size_t WriteBody(char* data, size_t size, size_t count, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    const size_t bytes = size * count;
    if (exchange.request.into && exchange.succeeded()) {
      return exchange.Sink({data, bytes}) ? bytes : 0;
    }
    if (bytes > kAnswerBytesMax - exchange.answer.body.size()) {
      exchange.problem = StrCat("the answer has more than ", kAnswerBytesMax, " bytes");
      return 0;  // Ends the transfer.
    }
    exchange.answer.body.append(data, bytes);
    return bytes;
  }
};

/// An easy handle with its connection.
class Handle {
 public:
  Handle() : easy_(curl_easy_init()) { CHECK(easy_ != nullptr); }
  ~Handle() { curl_easy_cleanup(easy_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  HttpOutcome Perform(const S3Config& config, const HttpRequest& request) {
    Exchange exchange{.request = request};
    char problem[CURL_ERROR_SIZE] = {};
    const Lines lines = LinesOf(request.headers);
    // Keeps the connection, and nothing else.
    curl_easy_reset(easy_);
    Set(easy_, CURLOPT_ERRORBUFFER, problem);
    Set(easy_, CURLOPT_HTTPHEADER, lines.get());
    SetConnection(config, request);
    SetBodies(request, exchange);
    const CURLcode code = curl_easy_perform(easy_);
    if (code == CURLE_OK) {
      return {.answer = std::move(exchange.answer)};
    }
    if (exchange.problem.empty()) {
      exchange.problem = problem[0] != '\0' ? problem : curl_easy_strerror(code);
    }
    return {.problem = std::move(exchange.problem)};
  }

 private:
  void SetConnection(const S3Config& config, const HttpRequest& request) {
    Set(easy_, CURLOPT_URL, request.url.c_str());
    Set(easy_, CURLOPT_PATH_AS_IS, 1L);
    Set(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
    Set(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    // Only settings of ours count, not what the environment says of proxies.
    Set(easy_, CURLOPT_PROXY, "");
    Set(easy_, CURLOPT_NOSIGNAL, 1L);
    Set(easy_, CURLOPT_BUFFERSIZE, kBufferBytes);
    Set(easy_, CURLOPT_UPLOAD_BUFFERSIZE, kBufferBytes);
    Set(easy_, CURLOPT_CONNECTTIMEOUT_MS,
        static_cast<long>(std::min(request.timeout, config.connect_timeout).count()));
    const uint64_t answer_bytes = request.into ? request.into->bytes() : 0;
    if (std::max(request.body.bytes(), answer_bytes) > kLargeBytes) {
      const auto stall = std::min(request.timeout, config.stall_timeout);
      Set(easy_, CURLOPT_LOW_SPEED_LIMIT, 1L);
      Set(easy_, CURLOPT_LOW_SPEED_TIME,
          static_cast<long>(std::max<int64_t>(1, stall.count() / 1000)));
    } else {
      Set(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
    }
    if (!config.ca_file.empty()) {
      Set(easy_, CURLOPT_CAINFO, config.ca_file.c_str());
    }
  }

  void SetBodies(const HttpRequest& request, Exchange& exchange) {
    Set(easy_, CURLOPT_HEADERFUNCTION, &Exchange::WriteHeader);
    Set(easy_, CURLOPT_HEADERDATA, &exchange);
    Set(easy_, CURLOPT_WRITEFUNCTION, &Exchange::WriteBody);
    Set(easy_, CURLOPT_WRITEDATA, &exchange);
    if (request.method == "HEAD") {
      Set(easy_, CURLOPT_NOBODY, 1L);
      return;
    }
    if (request.method == "PUT" || request.method == "POST") {
      // From a callback, which curl cannot rewind: what is sent again is for us to decide.
      Set(easy_, CURLOPT_UPLOAD, 1L);
      Set(easy_, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.body.bytes()));
      Set(easy_, CURLOPT_READFUNCTION, &Exchange::ReadBody);
      Set(easy_, CURLOPT_READDATA, &exchange);
    }
    Set(easy_, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }

  CURL* const easy_;
};

/// Keeps idle handles. Each thread has one of its own while it needs it.
class HttpPool : public Transport {
 public:
  explicit HttpPool(const S3Config& config) : config_(config) { InitCurlOnce(); }

  HttpOutcome Perform(const HttpRequest& request) override {
    std::unique_ptr<Handle> handle = Take();
    HttpOutcome outcome = handle->Perform(config_, request);
    const MutexLock lock(mutex_);
    if (idle_.size() < kIdleMax) {
      idle_.push_back(std::move(handle));
    }
    return outcome;
  }

 private:
  std::unique_ptr<Handle> Take() {
    const MutexLock lock(mutex_);
    if (idle_.empty()) {
      return std::make_unique<Handle>();
    }
    std::unique_ptr<Handle> handle = std::move(idle_.back());
    idle_.pop_back();
    return handle;
  }

  const S3Config config_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Handle>> idle_ GUARDED_BY(mutex_);
};

}  // namespace

std::string_view HttpAnswer::Header(std::string_view name) const {
  const auto found =
      std::ranges::find_if(headers, [&](const auto& header) { return header.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

int64_t HttpDateMs(std::string_view text) {
  const std::time_t seconds = curl_getdate(std::string(text).c_str(), nullptr);
  return seconds < 0 ? 0 : int64_t{seconds} * 1000;
}

std::unique_ptr<Transport> NewHttpTransport(const S3Config& config) {
  return std::make_unique<HttpPool>(config);
}

}  // namespace tintype::blobs::s3
