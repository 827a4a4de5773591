#include "oidc/claims.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "json/jwt.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

/// OpenID Connect gives subjects 255 characters; other claims are cut to what is of use.
constexpr size_t kSubjectBytesMax = 255;
constexpr size_t kTextBytesMax = 400;
constexpr size_t kRolesMax = 1000;

Error Invalid(std::string why) {
  return Error(kInvalidToken, "The token of the other issuer is not valid here.")
      .WithNote(std::move(why));
}

std::string ShortTextOf(const json::Value& claims, std::string_view name) {
  std::string text = TextOf(claims, name);
  return text.size() <= kTextBytesMax ? text : "";
}

/// `true`, which some issuers write as a text.
bool FlagOf(const json::Value& claims, std::string_view name) {
  const json::Value* member = claims.Find(name);
  return member != nullptr && (member->boolean().value_or(false) || TextOf(claims, name) == "true");
}

/// Whether `aud` is that audience, or has it among others.
bool HasAudience(const json::Value& claims, std::string_view audience) {
  const json::Value* member = claims.Find("aud");
  if (member == nullptr || audience.empty()) {
    return false;
  }
  if (const std::string* one = member->text()) {
    return *one == audience;
  }
  const json::Value::Array* several = member->array();
  return several != nullptr && std::ranges::any_of(*several, [&](const json::Value& one) {
           return one.text() != nullptr && *one.text() == audience;
         });
}

/// The claim of that name, or at that path.
const json::Value* FindClaim(const json::Value& claims, std::string_view name) {
  if (const json::Value* claim = claims.Find(name)) {
    return claim;
  }
  const size_t dot = name.find('.');
  const json::Value* outer =
      dot == std::string_view::npos ? nullptr : claims.Find(name.substr(0, dot));
  return outer == nullptr ? nullptr : FindClaim(*outer, name.substr(dot + 1));
}

std::optional<std::vector<std::string>> RolesOf(const json::Value& claims, std::string_view name) {
  const json::Value* claim = name.empty() ? nullptr : FindClaim(claims, name);
  if (claim == nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> roles;
  if (const std::string* one = claim->text()) {
    roles.push_back(*one);
  } else if (const json::Value::Array* several = claim->array()) {
    for (const json::Value& role : *several) {
      if (role.text() != nullptr && roles.size() < kRolesMax) {
        roles.push_back(*role.text());
      }
    }
  }
  return roles;
}

/// What is read alike wherever it is said.
Claims ReadPerson(const json::Value& claims, const ClaimRules& rules) {
  Claims person;
  person.subject = TextOf(claims, "sub");
  if (std::string email = ShortTextOf(claims, "email"); !email.empty()) {
    person.email = std::move(email);
    person.email_verified = FlagOf(claims, "email_verified");
    person.says_email_verified = claims.Find("email_verified") != nullptr;
  }
  person.username = ShortTextOf(claims, "preferred_username");
  if (person.username.empty()) {
    person.username = ShortTextOf(claims, "cognito:username");
  }
  person.name = ShortTextOf(claims, "name");
  person.roles = RolesOf(claims, rules.roles_claim);
  return person;
}

Result<Claims> ReadToken(const json::Value& claims, const ClaimRules& rules, int64_t now_s) {
  if (TextOf(claims, "iss") != rules.issuer) {
    return Invalid(StrCat("its issuer is ", TextOf(claims, "iss")));
  }
  Claims token = ReadPerson(claims, rules);
  if (token.subject.empty() || token.subject.size() > kSubjectBytesMax) {
    return Invalid("it has no subject");
  }
  // Security events and logout tokens are signed by the same keys, and let nobody in. A token that
  // is bound to a key of its client is no bearer token.
  if (claims.Find("events") != nullptr || claims.Find("cnf") != nullptr) {
    return Invalid("it tells of an event, or is bound to a key");
  }
  token.expires_s = IntegerOf(claims, "exp");
  if (token.expires_s <= now_s - kClockLeewayS) {
    return Invalid(StrCat("it expired at ", token.expires_s));
  }
  for (const std::string_view name : {"iat", "nbf"}) {
    if (IntegerOf(claims, name) > now_s + kClockLeewayS) {
      return Invalid(StrCat("its ", name, " is in the future"));
    }
  }
  return token;
}

/// Whether it is an ID token of this client.
bool IsIdToken(const json::Value& claims, const ClaimRules& rules) {
  const std::string use = TextOf(claims, "token_use");
  const std::string party = TextOf(claims, "azp");
  return HasAudience(claims, rules.client_id) && (use.empty() || use == "id") &&
         (party.empty() || party == rules.client_id);
}

/// Whether it is an access token for this server: Cognito's say so by `token_use` and name the
/// client, and have no audience; those of others have the audience that was agreed on.
bool IsAccessToken(const json::Value& claims, const ClaimRules& rules) {
  const std::string use = TextOf(claims, "token_use");
  if (use == "access" && claims.Find("aud") == nullptr) {
    return TextOf(claims, "client_id") == rules.client_id;
  }
  return (use.empty() || use == "access") && HasAudience(claims, rules.audience);
}

}  // namespace

Result<Claims> ReadIdToken(const json::Value& claims, const ClaimRules& rules,
                           std::string_view nonce, int64_t now_s) {
  ASSIGN_OR_RETURN(Claims token, ReadToken(claims, rules, now_s));
  if (!IsIdToken(claims, rules)) {
    return Invalid("it is no ID token for this client");
  }
  if (TextOf(claims, "nonce") != nonce) {
    return Invalid("it is of another sign-in");
  }
  return token;
}

Result<Claims> ReadBearerToken(const json::Value& claims, const ClaimRules& rules, int64_t now_s) {
  ASSIGN_OR_RETURN(Claims token, ReadToken(claims, rules, now_s));
  if (IsIdToken(claims, rules)) {
    return token;
  }
  if (!IsAccessToken(claims, rules)) {
    return Invalid("it is for another audience");
  }
  token.of_access_token = true;
  return token;
}

Result<Claims> ReadUserInfo(const json::Value& claims, const ClaimRules& rules,
                            std::string_view subject) {
  Claims person = ReadPerson(claims, rules);
  if (person.subject != subject) {
    return Invalid("userinfo speaks of another subject");
  }
  return person;
}

}  // namespace tintype::oidc
