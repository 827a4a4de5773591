#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"

namespace tintype::net::internal {

/// Once for the process, and never undone: others may use libcurl too.
void InitializeCurl();

struct EasyCleanup {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
/// libcurl's handle of one request at a time; it may keep a connection.
using EasyHandle = std::unique_ptr<CURL, EasyCleanup>;
EasyHandle NewEasyHandle();

/// One request on its way over libcurl: the handle with all that is set on it, and what has come
/// back. Of one thread. The request must stay as it is meanwhile.
class Exchange {
 public:
  Exchange(const HttpConfig& config, const HttpRequest& request, std::chrono::milliseconds timeout,
           EasyHandle easy);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  CURL* easy() const { return easy_.get(); }

  /// What became of it. REQUIRES: libcurl is done with it. Only once.
  HttpOutcome End(CURLcode code);
  /// The handle without anything of this request, but with its connection.
  EasyHandle TakeHandle();

 private:
  struct ListCleanup {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  static size_t ReadBody(char* buffer, size_t size, size_t count, void* self);
  static size_t WriteBody(char* data, size_t size, size_t count, void* self);
  static size_t WriteHeader(char* data, size_t size, size_t count, void* self);

  void SetConnection(const HttpConfig& config, std::chrono::milliseconds timeout);
  void SetBodies();
  void SetHeaders();
  size_t ReadFile(char* buffer, size_t wanted);
  bool WriteToSink(std::string_view piece);
  HttpOutcome::Kind KindOf(CURLcode code) const;

  const HttpRequest& request_;
  const size_t answer_bytes_max_;
  std::unique_ptr<curl_slist, ListCleanup> headers_;  // Outlives the handle that uses it.
  EasyHandle easy_;
  uint64_t body_read_ = 0;  // How much of it libcurl took.
  HttpAnswer answer_;
  bool too_large_ = false;
  std::string problem_;  // Ours, before libcurl's.
  char curl_problem_[CURL_ERROR_SIZE] = {};
};

}  // namespace tintype::net::internal
