#include "net/http_client.h"

#include <curl/curl.h>

#include <utility>
#include <vector>

#include "base/mutex.h"
#include "net/internal/exchange.h"

namespace tintype::net {
namespace {

using internal::EasyHandle;
using internal::Exchange;

constexpr size_t kIdleMax = 32;

/// Keeps idle handles, and with them their connections. Each thread has one of its own while it
/// needs it.
class HttpPool : public HttpClient {
 public:
  explicit HttpPool(const HttpConfig& config) : config_(config) { internal::InitializeCurl(); }

  HttpOutcome Perform(const HttpRequest& request) override {
    Exchange exchange(config_, request, request.timeout, Take());
    HttpOutcome outcome = exchange.End(curl_easy_perform(exchange.easy()));
    const MutexLock lock(mutex_);
    if (idle_.size() < kIdleMax) {
      idle_.push_back(exchange.TakeHandle());
    }
    return outcome;
  }

 private:
  EasyHandle Take() {
    const MutexLock lock(mutex_);
    if (idle_.empty()) {
      return internal::NewEasyHandle();
    }
    EasyHandle handle = std::move(idle_.back());
    idle_.pop_back();
    return handle;
  }

  const HttpConfig config_;
  Mutex mutex_;
  std::vector<EasyHandle> idle_ GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<HttpClient> NewHttpClient(const HttpConfig& config) {
  return std::make_unique<HttpPool>(config);
}

}  // namespace tintype::net
