#include "cli/gallery/outside_sign_in.h"

#include <utility>

#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "net/endpoint.h"
#include "oidc/metadata.h"

namespace tintype::cli {
namespace {

net::HttpConfig HttpConfigOfIssuer() {
  net::HttpConfig http;
  http.connect_timeout = std::chrono::seconds(3);
  http.answer_bytes_max = oidc::kDocumentBytesMax;
  return http;
}

oidc::ClientConfig ClientConfigOf(const ServeConfig& config, const std::string& public_url) {
  oidc::ClientConfig client;
  client.issuer = config.oidc_issuer;
  client.client_id = config.oidc_client_id;
  client.client_secret = config.oidc_client_secret;
  client.scopes = config.oidc_scopes;
  client.redirect_url = StrCat(public_url, "/");
  client.audience = config.oidc_audience;
  client.roles_claim = config.oidc_roles_claim;
  return client;
}

std::string NameOf(const ServeConfig& config) {
  const auto url = net::ParseUrl(config.oidc_issuer);
  return config.oidc_name.empty() && url.ok() ? url->host : config.oidc_name;
}

}  // namespace

flows::SignUpMode SignUpModeOf(std::string_view text) {
  return text == "open"     ? flows::SignUpMode::kOpen
         : text == "closed" ? flows::SignUpMode::kClosed
                            : flows::SignUpMode::kInvitation;
}

OutsideSignIn::OutsideSignIn(const ServeConfig& config, const std::string& public_url,
                             std::string_view secret, const Clock& clock)
    : http_(net::NewHttpClient(HttpConfigOfIssuer())),
      client_(ClientConfigOf(config, public_url), *http_, clock),
      issuer_{client_, contexts::DeriveKey(secret, "outside sign-in"), NameOf(config),
              SignUpModeOf(config.oidc_sign_up), config.oidc_administrator_role} {}

}  // namespace tintype::cli
