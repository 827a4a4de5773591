#include "http/server/host_check.h"

#include <algorithm>

#include "base/ip_address.h"
#include "base/strings.h"

namespace tintype::http {
namespace {

/// The host of `host:port`, as browsers and people write it: without the dot that may end it.
/// Brackets stay.
std::string_view HostOf(std::string_view authority) {
  if (authority.starts_with('[')) {
    return authority.substr(0, authority.find(']') + 1);
  }
  std::string_view name = authority.substr(0, authority.find(':'));
  if (name.ends_with('.')) {
    name.remove_suffix(1);
  }
  return name;
}

bool IsAddress(std::string_view host) {
  if (host.starts_with('[')) {
    return host.ends_with(']') && IpAddress::Parse(host.substr(1, host.size() - 2)).has_value();
  }
  return IpAddress::Parse(host).has_value();
}

/// Whether `name` is below `domain`.
bool IsBelow(std::string_view name, std::string_view domain) {
  return name.size() > domain.size() + 1 && name[name.size() - domain.size() - 1] == '.' &&
         EqualsIgnoreCase(name.substr(name.size() - domain.size()), domain);
}

/// Host and port of a URL. Empty when it has no scheme that a browser would use here.
std::string_view AuthorityOf(std::string_view url) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (url.size() > scheme.size() && EqualsIgnoreCase(url.substr(0, scheme.size()), scheme)) {
      url.remove_prefix(scheme.size());
      return url.substr(0, url.find('/'));
    }
  }
  return {};
}

}  // namespace

HostCheck::HostCheck(const Config& config)
    : names_(config.names), public_authority_(AuthorityOf(config.public_url)) {
  if (!public_authority_.empty()) {
    names_.emplace_back(HostOf(public_authority_));
  }
}

bool HostCheck::IsNamed(std::string_view name) const {
  return std::ranges::any_of(names_, [name](std::string_view each) {
    return each == "*" || EqualsIgnoreCase(each, name) ||
           (each.starts_with("*.") && IsBelow(name, each.substr(2)));
  });
}

bool HostCheck::AllowsHost(std::string_view host) const {
  constexpr std::string_view kThisMachine = "localhost";
  const std::string_view name = HostOf(host);
  return IsAddress(name) || EqualsIgnoreCase(name, kThisMachine) || IsBelow(name, kThisMachine) ||
         IsNamed(name);
}

bool HostCheck::AllowsOrigin(std::string_view origin, std::string_view host) const {
  const std::string_view authority = AuthorityOf(origin);
  if (authority.empty()) {
    return false;
  }
  return EqualsIgnoreCase(authority, host) || EqualsIgnoreCase(authority, public_authority_) ||
         IsNamed(HostOf(authority));
}

}  // namespace tintype::http
