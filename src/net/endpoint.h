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

/// kValidation when the text is not `http://` or `https://` with a host, and nothing behind it.
Result<Endpoint> ParseEndpoint(const std::string& text);

}  // namespace tintype::net
