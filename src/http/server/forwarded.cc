#include "http/server/forwarded.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"

namespace tintype::http {
namespace {

/// One proxy's word: who it got the request from, and how.
struct Hop {
  std::string_view from;
  std::string_view scheme;
};

constexpr size_t kHopsMax = 64;

/// All headers of a name as one list; empty when there is none.
std::string ListOf(const Headers& headers, std::string_view name) {
  std::string list;
  for (const auto& [key, value] : headers) {
    if (key == name) {
      StrAppend(list, list.empty() ? "" : ",", value);
    }
  }
  return list;
}

/// The part of `text` before the first `separator` outside of quotes, which is taken away from
/// `text` with it. Nothing when a quote does not end.
std::optional<std::string_view> TakePart(std::string_view& text, char separator) {
  bool quoted = false;
  size_t end = 0;
  for (; end < text.size() && (quoted || text[end] != separator); ++end) {
    if (text[end] == '"') {
      quoted = !quoted;
    } else if (quoted && text[end] == '\\') {
      ++end;
    }
  }
  if (quoted || end > text.size()) {
    return std::nullopt;
  }
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return Trim(part);
}

/// A value without its quotes. Nothing needs to be escaped in an address or a scheme, so that
/// backslashes may stay: what has them is neither.
std::string_view Unquoted(std::string_view value) {
  return value.size() >= 2 && value.starts_with('"') && value.ends_with('"')
             ? value.substr(1, value.size() - 2)
             : value;
}

/// Reads one element of Forwarded, `for=192.0.2.1;proto=https`. Nothing when it is malformed or
/// says something twice.
std::optional<Hop> ReadElement(std::string_view element) {
  Hop hop;
  bool has_from = false;
  bool has_scheme = false;
  while (!element.empty()) {
    const auto pair = TakePart(element, ';');
    if (!pair) {
      return std::nullopt;
    }
    if (pair->empty()) {
      continue;
    }
    const size_t equals = pair->find('=');
    if (equals == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string_view name = pair->substr(0, equals);
    const std::string_view value = Unquoted(pair->substr(equals + 1));
    if (EqualsIgnoreCase(name, "for")) {
      if (std::exchange(has_from, true)) {
        return std::nullopt;
      }
      hop.from = value;
    } else if (EqualsIgnoreCase(name, "proto")) {
      if (std::exchange(has_scheme, true)) {
        return std::nullopt;
      }
      hop.scheme = value;
    }
  }
  return hop;
}

/// The hops of a header `Forwarded`. None when any of it is malformed.
std::vector<Hop> ReadForwarded(std::string_view list) {
  std::vector<Hop> hops;
  while (!list.empty()) {
    const auto element = TakePart(list, ',');
    const auto hop = element ? ReadElement(*element) : std::nullopt;
    if (!hop) {
      return {};
    }
    hops.push_back(*hop);
  }
  return hops;
}

/// The hops of X-Forwarded-For. The nearest proxy's X-Forwarded-Proto is that of the last one:
/// nobody says which of several belongs to which address.
std::vector<Hop> ReadXForwarded(std::string_view list, std::string_view schemes) {
  std::vector<Hop> hops;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    hops.push_back({Trim(list.substr(0, comma)), {}});
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  if (!hops.empty()) {
    const size_t last = schemes.rfind(',');
    const std::string_view scheme =
        Trim(last == std::string_view::npos ? schemes : schemes.substr(last + 1));
    for (Hop& hop : hops) {
      hop.scheme = scheme;
    }
  }
  return hops;
}

/// Reads an address that may have a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. Nothing for names
/// and `unknown`.
std::optional<IpAddress> ReadNode(std::string_view text) {
  std::string_view port;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    port = text.substr(end + 1);
    text = text.substr(1, end - 1);
  } else if (const size_t colon = text.find(':');
             colon != std::string_view::npos &&
             text.find(':', colon + 1) == std::string_view::npos) {
    port = text.substr(colon);
    text = text.substr(0, colon);
  }
  if (!port.empty() && (!port.starts_with(':') || !ParseDigits<uint16_t>(port.substr(1)))) {
    return std::nullopt;
  }
  return IpAddress::Parse(text);
}

}  // namespace

bool TrustedProxies::Trusts(const IpAddress& address) const {
  return std::ranges::any_of(networks,
                             [&](const IpNetwork& network) { return network.Contains(address); });
}

RequestOrigin OriginOf(const Headers& headers, const RequestOrigin& connection,
                       const TrustedProxies& proxies) {
  if (!proxies.Trusts(connection.address)) {
    return connection;
  }
  const bool may_be_x = proxies.header != ProxyHeader::kForwarded;
  const std::string x_forwarded = may_be_x ? ListOf(headers, "x-forwarded-for") : "";
  const bool is_x = !x_forwarded.empty() || proxies.header == ProxyHeader::kXForwardedFor;
  const std::string other = ListOf(headers, is_x ? "x-forwarded-proto" : "forwarded");
  const std::vector<Hop> hops = is_x ? ReadXForwarded(x_forwarded, other) : ReadForwarded(other);

  RequestOrigin origin = connection;
  const size_t looked_at = std::min(hops.size(), kHopsMax);
  for (size_t i = 0; i < looked_at && proxies.Trusts(origin.address); ++i) {
    const Hop& hop = hops[hops.size() - 1 - i];
    const std::optional<IpAddress> from = ReadNode(hop.from);
    if (!from) {
      break;
    }
    origin.address = *from;
    if (!hop.scheme.empty()) {
      origin.https = EqualsIgnoreCase(hop.scheme, "https");
    }
  }
  return origin;
}

}  // namespace tintype::http
