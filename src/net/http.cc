#include "net/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <ctime>

namespace tintype::net {

std::string_view HttpAnswer::Header(std::string_view name) const {
  const auto found =
      std::ranges::find_if(headers, [&](const auto& header) { return header.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

int64_t HttpDateMs(std::string_view text) {
  const std::time_t seconds = curl_getdate(std::string(text).c_str(), nullptr);
  return seconds < 0 ? 0 : int64_t{seconds} * 1000;
}

}  // namespace tintype::net
