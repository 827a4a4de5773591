#include "oidc/testing/fake_issuer.h"

#include "base/base64.h"
#include "base/check.h"
#include "base/strings.h"

namespace tintype::oidc::testing {
namespace {

std::string_view NameOf(crypto::SignatureKind kind) {
  switch (kind) {
    case crypto::SignatureKind::kRs256:
      return "RS256";
    case crypto::SignatureKind::kPs256:
      return "PS256";
    case crypto::SignatureKind::kEs256:
      return "ES256";
  }
  return "";
}

}  // namespace

FakeIssuer::FakeIssuer() {
  AddKey("first", crypto::SignatureKind::kRs256, crypto::testing::KeyPair::Rsa());
}

void FakeIssuer::AddKey(const std::string& id, crypto::SignatureKind kind,
                        const crypto::testing::KeyPair& pair) {
  keys_.insert_or_assign(id, Key{kind, pair});
}

std::string FakeIssuer::Sign(std::string_view claims, const std::string& key,
                             std::string_view more_header) const {
  const auto found = keys_.find(key);
  CHECK(found != keys_.end());
  const auto& [kind, pair] = found->second;
  const std::string header =
      StrCat(R"({"alg":")", NameOf(kind), R"(","kid":")", key, R"(")", more_header, "}");
  const std::string text = StrCat(Base64Url(header), ".", Base64Url(claims));
  return StrCat(text, ".", Base64Url(pair.Sign(kind, text)));
}

std::string FakeIssuer::Jwks() const {
  std::string keys;
  for (const auto& [id, key] : keys_) {
    StrAppend(keys, keys.empty() ? "" : ",", R"({"kid":")", id, R"(","use":"sig","alg":")",
              NameOf(key.kind), R"(",)", key.pair.JwkMembers(), "}");
  }
  return StrCat(R"({"keys":[)", keys, "]}");
}

std::string FakeIssuer::Answer(const std::string& path) const {
  if (const auto own = bodies.find(path); own != bodies.end()) {
    return own->second;
  }
  if (path == "/.well-known/openid-configuration") {
    return StrCat(R"({"issuer":")", kUrl, R"(","authorization_endpoint":")", kUrl,
                  R"(/authorize","token_endpoint":")", kUrl, R"(/token","userinfo_endpoint":")",
                  kUrl, R"(/userinfo","jwks_uri":")", kUrl, R"(/jwks"})");
  }
  if (path == "/jwks") {
    return Jwks();
  }
  if (path == "/token") {
    return token_answer;
  }
  return path == "/userinfo" ? user_info : "";
}

net::HttpOutcome FakeIssuer::Perform(const net::HttpRequest& request) {
  urls.push_back(request.url);
  bodies_received.emplace_back(request.body.text);
  headers_received.push_back(request.headers);
  net::HttpOutcome outcome;
  if (unreachable) {
    outcome.kind = net::HttpOutcome::Kind::kNotSent;
    outcome.problem = "nobody is there";
    return outcome;
  }
  outcome.kind = net::HttpOutcome::Kind::kAnswered;
  outcome.answer.body =
      request.url.starts_with(kUrl) ? Answer(request.url.substr(kUrl.size())) : "";
  outcome.answer.status = outcome.answer.body.empty() ? 404 : status;
  if (user_info_status != 200 && request.url.ends_with("/userinfo")) {
    outcome.answer.status = user_info_status;
  }
  return outcome;
}

}  // namespace tintype::oidc::testing
