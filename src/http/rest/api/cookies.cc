#include "http/rest/api/cookies.h"

#include <algorithm>
#include <chrono>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

constexpr std::string_view kRefreshPath = "/api/v1/auth";
constexpr std::string_view kOutsidePath = "/api/v1/auth/outside";
constexpr int kRefreshSeconds = 30 * 24 * 60 * 60;

void AddCookie(Response& response, std::string_view name, std::string_view value,
               std::string_view path, int max_age, bool secure) {
  response.headers.emplace_back("Set-Cookie",
                                StrCat(name, "=", value, "; Path=", path, "; Max-Age=", max_age,
                                       "; HttpOnly; SameSite=Strict", secure ? "; Secure" : ""));
}

}  // namespace

std::optional<std::string> FindCookie(const Request& request, std::string_view name) {
  for (const auto& [header, text] : request.headers) {
    if (header != "cookie") {
      continue;
    }
    std::string_view rest = text;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(';'), rest.size());
      std::string_view pair = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      while (!pair.empty() && pair.front() == ' ') {
        pair.remove_prefix(1);
      }
      const size_t equals = pair.find('=');
      if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
        return std::string(pair.substr(equals + 1));
      }
    }
  }
  return std::nullopt;
}

void AddSessionCookies(Response& response, const flows::SignedIn& signed_in, bool secure) {
  // The access token ends by itself; its cookie stays, so that the server can say so.
  AddCookie(response, kAccessCookie, signed_in.access_token, "/", kRefreshSeconds, secure);
  AddCookie(response, kRefreshCookie, signed_in.refresh_token, kRefreshPath, kRefreshSeconds,
            secure);
  constexpr int kDeviceSeconds =
      std::chrono::duration_cast<std::chrono::seconds>(contexts::identity::DeviceTokens::kKept)
          .count();
  AddCookie(response, kDeviceCookie, signed_in.device_token, kRefreshPath, kDeviceSeconds, secure);
}

void RemoveSessionCookies(Response& response, bool secure) {
  AddCookie(response, kAccessCookie, "", "/", 0, secure);
  AddCookie(response, kRefreshCookie, "", kRefreshPath, 0, secure);
}

void AddOutsideCookie(Response& response, const flows::OutsideRedirect& redirect, bool secure) {
  AddCookie(response, kOutsideCookie, redirect.sealed_state, kOutsidePath,
            static_cast<int>(std::chrono::seconds(flows::kOutsideSignInMax).count()), secure);
}

void RemoveOutsideCookie(Response& response, bool secure) {
  AddCookie(response, kOutsideCookie, "", kOutsidePath, 0, secure);
}

std::optional<std::string> DeviceTokenOf(const Request& request) {
  if (const auto header = request.Header("x-device-token")) {
    return std::string(*header);
  }
  return FindCookie(request, kDeviceCookie);
}

}  // namespace tintype::http::rest
