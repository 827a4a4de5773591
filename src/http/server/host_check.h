#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tintype::http {

/// Which hosts a server answers for. A web page can give its own name our address (DNS rebinding):
/// then the browser takes this server for the page's, and sends it whatever the page wants. The
/// Host header tells, since it has that name. An IP address is nobody's to give away, and browsers
/// look up `localhost` nowhere: both are always right. Immutable, so thread-safe.
class HostCheck {
 public:
  struct Config {
    /// Names beside those, without ports: `photos.example.org`, `*.example.org` for all below it,
    /// or
    /// `*` for any.
    std::vector<std::string> names;
    /// The beginning of the addresses that people use, if there is one:
    /// `https://photos.example.org` with or without a path. Its host is one of the names.
    std::string public_url = {};
  };

  explicit HostCheck(const Config& config);

  /// Whether a Host header, with or without a port, is for this server.
  bool AllowsHost(std::string_view host) const;

  /// Whether a page with this Origin may send requests with this Host header: those of the same
  /// host and port, of the public URL, which a proxy may have replaced by another host, and of the
  /// names. `null`, the origin of pages that hide theirs, may not.
  bool AllowsOrigin(std::string_view origin, std::string_view host) const;

 private:
  bool IsNamed(std::string_view name) const;

  std::vector<std::string> names_;  // In lower case.
  std::string public_authority_;    // Host and port of the public URL. Empty: there is none.
};

}  // namespace tintype::http
