#include "http/rest/protocol/host_refusal.h"

#include <atomic>
#include <string>
#include <string_view>

#include "base/logging.h"
#include "base/strings.h"
#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {
namespace {

/// Enough of what a client sent to be recognised.
std::string Beginning(std::string_view text) {
  constexpr size_t kShownMax = 100;
  return std::string(text.substr(0, kShownMax));
}

void LogFirst(std::string_view what, std::string_view value, const Request& request) {
  static std::atomic<bool> logged = false;
  if (!logged.exchange(true)) {
    LogWarning("a request was refused, as further ones are, without a line for each",
               {{"why", what},
                {"value", Beginning(value)},
                {"address", request.address},
                {"settings", "--public-url, --allowed-hosts"}});
  }
}

}  // namespace

std::optional<Error> CheckHostAndOrigin(const HostCheck& hosts, const Request& request) {
  const std::string_view host = request.Header("host").value_or("");
  if (!hosts.AllowsHost(host)) {
    LogFirst("it is for another host", host, request);
    return Error(reasons::kUnknownHost,
                 StrCat("This server does not answer for the host '", Beginning(host),
                        "'. If that is one of its names, its operator has to set --public-url, "
                        "or add the name to --allowed-hosts."));
  }
  const auto origin = request.Header("origin");
  const bool is_safe = request.method == "GET" || request.method == "HEAD";
  if (origin && (!is_safe || request.Header("cookie")) && !hosts.AllowsOrigin(*origin, host)) {
    LogFirst("it comes from a page of another origin", *origin, request);
    return Error(reasons::kForeignOrigin,
                 StrCat("Pages of '", Beginning(*origin),
                        "' may not send this. If that is an address of this server, its operator "
                        "has to set --public-url, or add the host to --allowed-hosts."));
  }
  return std::nullopt;
}

}  // namespace tintype::http::rest
