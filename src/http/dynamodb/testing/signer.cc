#include "http/dynamodb/testing/signer.h"

#include "base/strings.h"

namespace tintype::http::dynamodb::testing {

Headers Signer::SignOperation(std::string_view operation, std::string_view body,
                              std::string_view host, int64_t now_ms) {
  return SignTarget(StrCat("DynamoDB_20120810.", operation), body, host, now_ms);
}

Headers Signer::SignTarget(std::string_view target, std::string_view body, std::string_view host,
                           int64_t now_ms) {
  Headers headers = {{"host", std::string(host)},
                     {"content-type", "application/x-amz-json-1.0"},
                     {"x-amz-target", std::string(target)}};
  sigv4::SignOptions options;
  options.region = region_;
  options.service = "dynamodb";
  options.now_ms = now_ms;
  const Headers added =
      sigv4::Sign({.method = "POST", .path = "/", .query = "", .headers = headers, .body = body},
                  credentials_, options, cache_);
  headers.insert(headers.end(), added.begin(), added.end());
  return headers;
}

}  // namespace tintype::http::dynamodb::testing
