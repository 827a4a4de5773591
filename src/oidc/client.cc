#include "oidc/client.h"

#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/logging.h"
#include "base/percent.h"
#include "base/random.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "json/jwt.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

/// Tokens with many groups are long; no header of a request is longer than this.
constexpr size_t kTokenBytesMax = size_t{16} * 1024;
constexpr size_t kSecretBytes = 32;

Error InvalidToken(std::string why) {
  return Error(kInvalidToken, "The token of the other issuer is not valid here.")
      .WithNote(std::move(why));
}

/// Names and values as HTML forms send them: the bodies and queries of OAuth.
using Form = std::vector<std::pair<std::string_view, std::string_view>>;

std::string FormOf(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form) {
    StrAppend(text, text.empty() ? "" : "&", name, "=");
    AppendPercentEncoded(text, value);
  }
  return text;
}

std::string HashOf(std::string_view text) {
  return std::string(crypto::Bytes(crypto::Sha256(text)));
}

/// Whether the header's `typ` says that it is an access token (RFC 9068).
bool IsTypeOfAccessTokens(std::string_view type) {
  return EqualsIgnoreCase(type, "at+jwt") || EqualsIgnoreCase(type, "application/at+jwt");
}

/// The kinds of tokens that let somebody in, by the header's `typ`. It may be missing.
bool IsTypeOfTokens(std::string_view type) {
  return type.empty() || EqualsIgnoreCase(type, "JWT") || IsTypeOfAccessTokens(type);
}

/// What the issuer says of a code that it does not take, for the log.
std::string ProblemIn(const std::string& body) {
  const Result<json::Value> answer = json::Parse(body, kDocumentBytesMax);
  return answer.ok() ? StrCat(TextOf(*answer, "error"), " ", TextOf(*answer, "error_description"))
                     : "";
}

Error Unavailable(std::string note) {
  return Error(kIssuerUnavailable,
               "The service that you sign in with does not answer. Try again later.")
      .WithNote(std::move(note));
}

/// Of an access token that the userinfo endpoint does not take.
Error NotTold() { return {kIssuerRefused, "The other issuer does not tell whose token this is."}; }

}  // namespace

Client::Client(ClientConfig config, net::HttpClient& http, const Clock& clock)
    : config_(std::move(config)),
      rules_{config_.issuer, config_.client_id, config_.audience, config_.roles_claim},
      http_(http),
      clock_(clock),
      issuer_(config_.issuer, http, clock) {}

Result<SignInBegun> Client::Begin() {
  ASSIGN_OR_RETURN(const Metadata metadata, issuer_.Describe());
  SignInBegun begun;
  begun.state = Base64Url(RandomBytes(kSecretBytes));
  begun.nonce = Base64Url(RandomBytes(kSecretBytes));
  begun.verifier = Base64Url(RandomBytes(kSecretBytes));
  const std::string& endpoint = metadata.authorization_endpoint;
  begun.url = StrCat(endpoint, endpoint.find('?') == std::string::npos ? '?' : '&',
                     FormOf({{"response_type", "code"},
                             {"client_id", config_.client_id},
                             {"redirect_uri", config_.redirect_url},
                             {"scope", config_.scopes},
                             {"state", begun.state},
                             {"nonce", begun.nonce},
                             {"code_challenge", Base64Url(HashOf(begun.verifier))},
                             {"code_challenge_method", "S256"}}));
  return begun;
}

Result<Claims> Client::Finish(const SignInReturn& back, std::string_view nonce,
                              std::string_view verifier) {
  ASSIGN_OR_RETURN(const Metadata metadata, issuer_.Describe());
  // A code of another issuer must not be shown to this one (RFC 9207).
  if (back.issuer.empty() ? metadata.names_itself : back.issuer != config_.issuer) {
    return Error(kIssuerRefused, "Another service sent you back than the one that you went to.");
  }
  ASSIGN_OR_RETURN(const CodeTokens tokens, ExchangeCode(metadata, back.code, verifier));
  ASSIGN_OR_RETURN(const SignedClaims said, VerifySignature(tokens.id));
  ASSIGN_OR_RETURN(Claims claims, ReadIdToken(said.claims, rules_, nonce, NowSeconds()));
  return AddUserInfo(std::move(claims), metadata.userinfo_endpoint, tokens.access);
}

Result<Claims> Client::AddUserInfo(Claims claims, const std::string& endpoint,
                                   std::string_view access_token) {
  const bool email_known = claims.email && claims.says_email_verified;
  const bool complete = email_known && (rules_.roles_claim.empty() || claims.roles);
  if (complete || endpoint.empty() || access_token.empty()) {
    return claims;
  }
  // Anything that keeps the issuer from answering ends the sign-in: its silence must not pass for
  // an answer, such as that somebody has no role.
  ASSIGN_OR_RETURN(Claims person, FetchUserInfo(endpoint, access_token, claims.subject));
  if (!email_known && person.email) {
    claims.email = std::move(person.email);
    claims.email_verified = person.email_verified;
  }
  if (!claims.roles) {
    claims.roles = std::move(person.roles);
  }
  if (claims.username.empty()) {
    claims.username = std::move(person.username);
  }
  if (claims.name.empty()) {
    claims.name = std::move(person.name);
  }
  return claims;
}

Result<Client::CodeTokens> Client::ExchangeCode(const Metadata& metadata, std::string_view code,
                                                std::string_view verifier) {
  const std::string& endpoint = metadata.token_endpoint;
  Form form = {{"grant_type", "authorization_code"},
               {"code", code},
               {"redirect_uri", config_.redirect_url},
               {"code_verifier", verifier}};
  net::HttpRequest request;
  request.method = "POST";
  request.url = endpoint;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                     {"Accept", "application/json"}};
  if (config_.client_secret.empty()) {
    form.emplace_back("client_id", config_.client_id);
  } else if (metadata.secret_in_body) {
    form.emplace_back("client_id", config_.client_id);
    form.emplace_back("client_secret", config_.client_secret);
  } else {
    // RFC 6749, section 2.3.1: both are encoded as in a form before they are joined.
    request.headers.emplace_back(
        "Authorization", StrCat("Basic ", Base64(StrCat(PercentEncoded(config_.client_id), ":",
                                                        PercentEncoded(config_.client_secret)))));
  }
  const std::string body = FormOf(form);
  request.body.text = body;
  request.timeout = Issuer::kTimeout;
  const net::HttpOutcome outcome = http_.Perform(request);
  constexpr int kTooManyRequests = 429;
  if (!outcome.answered() || outcome.answer.status >= 500 ||
      outcome.answer.status == kTooManyRequests) {
    return Unavailable(
        StrCat(endpoint, ": ",
               outcome.answered() ? std::to_string(outcome.answer.status) : outcome.problem));
  }
  if (outcome.answer.status != 200) {
    // The operator has to see this: it may be a wrong secret.
    const std::string problem = ProblemIn(outcome.answer.body);
    LogWarning(
        "outside_sign_in_refused",
        {{"issuer", config_.issuer}, {"status", outcome.answer.status}, {"problem", problem}});
    return Error(kIssuerRefused,
                 "The service that you signed in with did not confirm it. Try again.")
        .WithNote(problem);
  }
  const Result<json::Value> answer = json::Parse(outcome.answer.body, kDocumentBytesMax);
  CodeTokens tokens;
  if (answer.ok()) {
    tokens = {TextOf(*answer, "id_token"), TextOf(*answer, "access_token")};
  }
  if (tokens.id.empty()) {
    return Unavailable(StrCat(endpoint, " answered without an ID token"));
  }
  return tokens;
}

Result<Client::SignedClaims> Client::VerifySignature(std::string_view token) {
  Result<json::Jwt> jwt = json::ParseJwt(token, kTokenBytesMax);
  if (!jwt.ok()) {
    return InvalidToken(jwt.error().message());
  }
  const std::string algorithm = TextOf(jwt->header, "alg");
  const auto kind = SignatureKindOf(algorithm);
  const std::string type = TextOf(jwt->header, "typ");
  if (!kind || jwt->header.Find("crit") != nullptr || !IsTypeOfTokens(type)) {
    return InvalidToken(StrCat("its header is not accepted: ", algorithm, " ", type));
  }
  ASSIGN_OR_RETURN(const auto key, issuer_.FindKey(TextOf(jwt->header, "kid"), *kind));
  if (!key || !key->Verify(*kind, jwt->signed_text, jwt->signature)) {
    return InvalidToken(key ? "its signature is wrong" : "its key is not known");
  }
  return SignedClaims{std::move(jwt->claims), IsTypeOfAccessTokens(type)};
}

bool Client::LooksLikeOurs(std::string_view token) const {
  const Result<json::Jwt> jwt = json::ParseJwt(token, kTokenBytesMax);
  return jwt.ok() && TextOf(jwt->claims, "iss") == config_.issuer;
}

Result<Claims> Client::VerifyBearer(std::string_view token) {
  const std::string name = HashOf(token);
  const int64_t now_ms = clock_.NowMs();
  // Asked before the keys are used: if they are fetched meanwhile, it is verified once too often.
  const int64_t keys_fetched_ms = issuer_.FetchedMs();
  if (auto known = verified_.Find(name); known && known->keys_fetched_ms == keys_fetched_ms &&
                                         now_ms >= known->verified_ms &&
                                         now_ms - known->verified_ms < kVerifiedKeptMs) {
    if (known->claims.expires_s <= NowSeconds() - kClockLeewayS) {
      return InvalidToken("it has expired");
    }
    return std::move(known->claims);
  }
  ASSIGN_OR_RETURN(const SignedClaims said, VerifySignature(token));
  ASSIGN_OR_RETURN(Claims claims, ReadBearerToken(said.claims, rules_, NowSeconds()));
  // Some issuers give access tokens the audience of ID tokens.
  claims.of_access_token = claims.of_access_token || said.of_access_token;
  verified_.Add(name, {claims, now_ms, keys_fetched_ms});
  return claims;
}

Result<Claims> Client::AskUserInfo(std::string_view access_token, std::string_view subject) {
  const std::string name = HashOf(access_token);
  const int64_t now_ms = clock_.NowMs();
  if (auto known = user_infos_.Find(name);
      known && now_ms >= known->asked_ms && now_ms - known->asked_ms < kUserInfoKeptMs) {
    return std::move(known->person);
  }
  ASSIGN_OR_RETURN(const Metadata metadata, issuer_.Describe());
  if (metadata.userinfo_endpoint.empty()) {
    return NotTold();
  }
  // Requests of others go on while it is slow to answer.
  if (asking_user_info_.fetch_add(1) >= kUserInfoAtOnce) {
    --asking_user_info_;
    return Unavailable("too many ask for userinfo at once");
  }
  Result<Claims> person = FetchUserInfo(metadata.userinfo_endpoint, access_token, subject);
  --asking_user_info_;
  if (person.ok() || !person.error().Is(kIssuerUnavailable)) {
    user_infos_.Add(name, {person, now_ms});
  }
  return person;
}

Result<Claims> Client::FetchUserInfo(const std::string& endpoint, std::string_view access_token,
                                     std::string_view subject) {
  net::HttpRequest request;
  request.method = "GET";
  request.url = endpoint;
  request.headers = {{"Authorization", StrCat("Bearer ", access_token)},
                     {"Accept", "application/json"}};
  request.timeout = Issuer::kTimeout;
  const net::HttpOutcome outcome = http_.Perform(request);
  if (!outcome.answered()) {
    return Unavailable(StrCat(endpoint, ": ", outcome.problem));
  }
  const int status = outcome.answer.status;
  if (status == 401 || status == 403) {
    return NotTold();
  }
  const Result<json::Value> answer = json::Parse(outcome.answer.body, kDocumentBytesMax);
  if (status != 200 || !answer.ok() || !answer->is_object()) {
    return Unavailable(StrCat(endpoint, ": ", status, ", or no JSON object"));
  }
  return ReadUserInfo(*answer, rules_, subject);
}

}  // namespace tintype::oidc
