#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::oidc {

/// What an issuer says about itself (OpenID Connect Discovery 1.0), as far as it is used here.
struct Metadata {
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string userinfo_endpoint;  // Empty: it has none.
  std::string jwks_uri;
  /// Whether the token endpoint takes a client's secret in the body, and not by HTTP Basic, which
  /// is what issuers take that do not say.
  bool secret_in_body = false;
  /// Whether it names itself when it sends a browser back (RFC 9207).
  bool names_itself = false;
};

/// The most that any document of an issuer may have.
inline constexpr size_t kDocumentBytesMax = size_t{256} * 1024;

/// Whether an issuer, or one of its addresses, may be asked at all: https, or plain http at this
/// machine's loopback, where nobody listens in.
bool IsTrustworthyUrl(std::string_view url);

/// Where an issuer publishes it.
std::string MetadataUrl(std::string_view issuer);

/// Errors: kIssuerUnavailable for what is no such document, is one of another issuer, or names an
/// address that IsTrustworthyUrl refuses. Only an issuer at this machine by plain http may name
/// such addresses: another one's description would send requests to what else listens here.
Result<Metadata> ParseMetadata(std::string_view document, std::string_view issuer);

}  // namespace tintype::oidc
