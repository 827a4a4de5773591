#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "cli/settings/serve_settings.h"
#include "flows/accounts/outside_sign_in.h"
#include "net/http_client.h"
#include "oidc/client.h"

namespace tintype::cli {

/// The mode that a setting names.
flows::SignUpMode SignUpModeOf(std::string_view text);

/// The other issuer by which people sign in, with what it takes to talk to it.
class OutsideSignIn {
 public:
  /// `public_url` is where browsers come back to; `secret` is the server's.
  OutsideSignIn(const ServeConfig& config, const std::string& public_url, std::string_view secret,
                const Clock& clock);

  flows::OutsideIssuer& issuer() { return issuer_; }

 private:
  const std::unique_ptr<net::HttpClient> http_;
  oidc::Client client_;
  flows::OutsideIssuer issuer_;
};

}  // namespace tintype::cli
