#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "cli/settings/serve_settings.h"

// Settings about who is on the other side of the listeners.
namespace tintype::cli {
namespace {

/// Calls `use` with each part of a list with commas, without blanks around it. False as soon as
/// that is, or when a part is empty.
template <typename Use>
bool EachOfList(std::string_view list, Use use) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view part = Trim(list.substr(0, comma));
    const bool ends_with_comma = comma + 1 == list.size();
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (part.empty() || ends_with_comma || !use(part)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Status ParseTrustedProxies(const SettingText& text, ServeConfig& config) {
  config.trusted_proxies.clear();
  const bool valid = EachOfList(text.value, [&](std::string_view part) {
    const auto network = IpNetwork::Parse(part);
    if (network) {
      config.trusted_proxies.push_back(*network);
    }
    return network.has_value();
  });
  if (!valid) {
    return InvalidSetting(text,
                          "addresses or networks with commas between them, such as "
                          "127.0.0.1,10.0.0.0/8,2001:db8::/32");
  }
  return OkStatus();
}

Status ParseProxyHeader(const SettingText& text, ServeConfig& config) {
  if (text.value != "either" && text.value != "x-forwarded-for" && text.value != "forwarded") {
    return InvalidSetting(text, "either, x-forwarded-for or forwarded");
  }
  config.proxy_header = text.value;
  return OkStatus();
}

Status ParseAllowedHosts(const SettingText& text, ServeConfig& config) {
  constexpr std::string_view kOfNames =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  config.allowed_hosts.clear();
  const bool valid = EachOfList(text.value, [&](std::string_view part) {
    std::string_view name = part;
    if (name.starts_with("*.")) {
      name.remove_prefix(2);
    }
    config.allowed_hosts.emplace_back(part);
    return part == "*" || (!name.empty() && !name.starts_with('.') &&
                           name.find_first_not_of(kOfNames) == std::string_view::npos);
  });
  if (!valid) {
    return InvalidSetting(text,
                          "names without ports, with commas between them, such as "
                          "photos.lan,*.example.org");
  }
  return OkStatus();
}

}  // namespace tintype::cli
