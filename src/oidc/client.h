#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/recent_cache.h"
#include "base/result.h"
#include "net/http_client.h"
#include "oidc/claims.h"
#include "oidc/issuer.h"

namespace tintype::oidc {

struct ClientConfig {
  /// The issuer's name, to the letter, from which its description is found.
  std::string issuer;
  std::string client_id;
  /// Empty: a public client, which has PKCE alone.
  std::string client_secret;
  /// What is asked for: `openid` among them, with blanks between.
  std::string scopes = "openid email profile";
  /// Where the issuer sends browsers back to.
  std::string redirect_url;
  /// As in ClaimRules.
  std::string audience;
  std::string roles_claim;
};

/// A sign-in that has begun: where the browser goes, and what has to be known when it is back.
struct SignInBegun {
  std::string url;
  std::string state;
  std::string nonce;
  std::string verifier;  // Of PKCE.
};

/// What the browser brought back.
struct SignInReturn {
  std::string code;
  std::string issuer;  // `iss`; empty when it is not there.
};

/// This server as a client of one issuer: the authorization code flow with PKCE, and bearer tokens.
/// Owned by the program's wiring. Thread-safe; may block as Issuer does, and once more for its own
/// requests.
class Client {
 public:
  static constexpr int64_t kVerifiedKeptMs = Issuer::kKeptMs;
  static constexpr int64_t kUserInfoKeptMs = int64_t{30} * 1000;
  static constexpr int kUserInfoAtOnce = 2;

  /// The HTTP client and the clock outlive it.
  Client(ClientConfig config, net::HttpClient& http, const Clock& clock);

  const std::string& issuer() const { return config_.issuer; }

  /// Errors: kIssuerUnavailable.
  Result<SignInBegun> Begin();
  /// Exchanges the code for an ID token, which it verifies, and asks the userinfo endpoint, if
  /// there is one, for the address, whether it is verified, and the roles, if the token does not
  /// say: OpenID Connect lets issuers tell them there alone. Errors: kIssuerRefused, kInvalidToken,
  /// kIssuerUnavailable.
  Result<Claims> Finish(const SignInReturn& back, std::string_view nonce,
                        std::string_view verifier);

  /// Whether a bearer token calls itself one of the issuer's. Says nothing of its truth. Does not
  /// block.
  bool LooksLikeOurs(std::string_view token) const;
  /// What a bearer token says, if it is good. A token that was verified is remembered until it
  /// expires, the issuer's keys are fetched anew, or kVerifiedKeptMs have passed. Errors:
  /// kInvalidToken, kIssuerUnavailable.
  Result<Claims> VerifyBearer(std::string_view token);
  /// Asks the issuer who somebody is, by their access token, since that does not say it. Errors:
  /// kInvalidToken, kIssuerUnavailable; kIssuerRefused when it does not take the token, or has no
  /// userinfo endpoint. Its answer is remembered for kUserInfoKeptMs.
  Result<Claims> AskUserInfo(std::string_view access_token, std::string_view subject);

 private:
  /// What a token says whose signature is good.
  struct SignedClaims {
    json::Value claims;
    bool of_access_token = false;  // By its header.
  };
  /// What a code was exchanged for. There need not be an access token.
  struct CodeTokens {
    std::string id;
    std::string access;
  };

  /// Errors: kInvalidToken, kIssuerUnavailable.
  Result<SignedClaims> VerifySignature(std::string_view token);
  Result<CodeTokens> ExchangeCode(const Metadata& metadata, std::string_view code,
                                  std::string_view verifier);
  /// What an ID token says, and what it leaves to the userinfo endpoint, which may be none.
  Result<Claims> AddUserInfo(Claims claims, const std::string& endpoint,
                             std::string_view access_token);
  /// Errors: kIssuerRefused when the issuer does not take the token; kIssuerUnavailable for any
  /// other answer that says nothing of a person; kInvalidToken.
  Result<Claims> FetchUserInfo(const std::string& endpoint, std::string_view access_token,
                               std::string_view subject);
  int64_t NowSeconds() const { return clock_.NowMs() / 1000; }

  const ClientConfig config_;
  const ClaimRules rules_;
  net::HttpClient& http_;
  const Clock& clock_;
  Issuer issuer_;
  struct Verified {
    Claims claims;
    int64_t verified_ms = 0;
    int64_t keys_fetched_ms = 0;  // Of the keys that were known then.
  };
  struct UserInfo {
    Result<Claims> person;
    int64_t asked_ms = 0;
  };

  RecentCache<Verified> verified_{10'000};
  RecentCache<UserInfo> user_infos_{1'000};
  std::atomic<int> asking_user_info_ = 0;
};

}  // namespace tintype::oidc
