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

Result<UrlParts> ParseUrl(const std::string& text) {
  const Url url(curl_url(), &curl_url_cleanup);
  if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) {
    return Error::Validation(StrCat("This is no URL: ", text));
  }
  UrlParts parts;
  parts.scheme = Part(url, CURLUPART_SCHEME);
  parts.user = Part(url, CURLUPART_USER);
  parts.host = Part(url, CURLUPART_HOST);
  parts.port = Part(url, CURLUPART_PORT);
  parts.path = Part(url, CURLUPART_PATH);
  parts.query = Part(url, CURLUPART_QUERY);
  parts.fragment = Part(url, CURLUPART_FRAGMENT);
  return parts;
}

Result<Endpoint> ParseEndpoint(const std::string& text) {
  const Error wrong = Error::Validation(
      StrCat("The remote service's endpoint must be http:// or https:// and a host, with a port if "
             "need be, and nothing else, but is: ",
             text));
  const Result<UrlParts> url = ParseUrl(text);
  if (!url.ok() || (url->scheme != "http" && url->scheme != "https") || url->host.empty() ||
      (url->path != "/" && !url->path.empty()) || !url->query.empty() || !url->fragment.empty() ||
      !url->user.empty()) {
    return wrong;
  }
  const bool usual_port = url->port.empty() || (url->scheme == "http" && url->port == "80") ||
                          (url->scheme == "https" && url->port == "443");
  Endpoint endpoint;
  endpoint.host = usual_port ? url->host : StrCat(url->host, ':', url->port);
  endpoint.url = StrCat(url->scheme, "://", endpoint.host, '/');
  return endpoint;
}

}  // namespace tintype::net
