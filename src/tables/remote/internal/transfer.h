#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

#include "tables/remote/internal/http_loop.h"

namespace tintype::tables::remote::internal {

/// One request on its way over libcurl. Of the loop's thread.
class HttpLoop::Transfer {
 public:
  Transfer(const RemoteConfig& config, const Endpoint& endpoint, const Request& request,
           std::chrono::milliseconds timeout, Done done);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* easy() const { return easy_.get(); }

  /// Calls back with what became of it. REQUIRES: curl is done with it.
  void Finish(CURLcode code);
  /// Calls back with kStopped. REQUIRES: it was taken from curl.
  void Abandon();

 private:
  struct EasyCleanup {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct ListCleanup {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  static size_t ReadBody(char* buffer, size_t size, size_t count, void* self);
  static size_t WriteBody(char* data, size_t size, size_t count, void* self);
  static size_t WriteHeader(char* data, size_t size, size_t count, void* self);

  void SetHeaders(const sigv4::HeaderList& headers);
  Outcome::Kind KindOf(CURLcode code) const;

  std::unique_ptr<curl_slist, ListCleanup> headers_;  // Outlives the handle that uses it.
  std::unique_ptr<CURL, EasyCleanup> easy_;
  const std::string_view body_;
  size_t body_read_ = 0;  // How much of it curl took.
  const size_t response_bytes_max_;
  Outcome outcome_;
  bool too_large_ = false;
  char problem_[CURL_ERROR_SIZE] = {};
  Done done_;
};

}  // namespace tintype::tables::remote::internal
