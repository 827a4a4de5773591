#include "net/endpoint.h"

#include <curl/curl.h>

#include <memory>

#include "base/strings.h"

namespace tintype::net {

namespace {

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

/// A part of the URL, empty if it does not have that part.
std::string Part(const Url& url, CURLUPart which) {
  char* text = nullptr;
  if (curl_url_get(url.get(), which, &text, 0) != CURLUE_OK) {
    return {};
  }
  std::string part(text);
  curl_free(text);
  return part;
}

}  // namespace

Result<Endpoint> ParseEndpoint(const std::string& text) {
  const Error wrong = Error::Validation(
      StrCat("The remote service's endpoint must be http:// or https:// and a host, with a port if "
             "need be, and nothing else, but is: ",
             text));
  const Url url(curl_url(), &curl_url_cleanup);
  if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) {
    return wrong;
  }
  const std::string scheme = Part(url, CURLUPART_SCHEME);
  const std::string host = Part(url, CURLUPART_HOST);
  const std::string port = Part(url, CURLUPART_PORT);
  const std::string path = Part(url, CURLUPART_PATH);
  if ((scheme != "http" && scheme != "https") || host.empty() || (path != "/" && !path.empty()) ||
      !Part(url, CURLUPART_QUERY).empty() || !Part(url, CURLUPART_FRAGMENT).empty() ||
      !Part(url, CURLUPART_USER).empty()) {
    return wrong;
  }
  const bool usual_port =
      port.empty() || (scheme == "http" && port == "80") || (scheme == "https" && port == "443");
  Endpoint endpoint;
  endpoint.host = usual_port ? host : StrCat(host, ':', port);
  endpoint.url = StrCat(scheme, "://", endpoint.host, '/');
  return endpoint;
}

}  // namespace tintype::net
