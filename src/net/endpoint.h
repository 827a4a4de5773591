#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::net {

struct Endpoint {
  std::string url;  // With its path, which is `/`.
  std::string
      host;  // What the Host header says: the port is left out where it goes without saying.
};

/// The parts of a URL, as requests to it would take them. Empty where it has none.
struct UrlParts {
  std::string scheme;
  std::string user;
  std::string host;  // With the brackets of an IPv6 address.
  std::string port;
  std::string path;
  std::string query;
  std::string fragment;
};

/// Errors: kValidation for what is no absolute URL.
Result<UrlParts> ParseUrl(const std::string& text);

/// kValidation when the text is not `http://` or `https://` with a host, and nothing behind it.
Result<Endpoint> ParseEndpoint(const std::string& text);

}  // namespace tintype::net
