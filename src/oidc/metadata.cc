#include "oidc/metadata.h"

#include <algorithm>

#include "base/ip_address.h"
#include "base/strings.h"
#include "json/jwt.h"
#include "json/value.h"
#include "net/endpoint.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

Error BadMetadata(std::string_view issuer, std::string_view what) {
  return {kIssuerUnavailable, StrCat("The answer of ", MetadataUrl(issuer), " ", what, ".")};
}

/// `host` is as URLs have it.
bool IsLoopback(std::string_view host) {
  if (host == "localhost") {
    return true;
  }
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  const auto address = IpAddress::Parse(host);
  return address && address->IsLoopback();
}

bool IsHttps(std::string_view url) {
  constexpr std::string_view kScheme = "https:";
  return EqualsIgnoreCase(url.substr(0, kScheme.size()), kScheme);
}

/// Whether the issuer takes the secret of a client in the body alone.
bool WantsSecretInBody(const json::Value& description) {
  const json::Value* methods = description.Find("token_endpoint_auth_methods_supported");
  const json::Value::Array* listed = methods == nullptr ? nullptr : methods->array();
  return listed != nullptr && std::ranges::none_of(*listed, [](const json::Value& method) {
           return method.text() != nullptr && *method.text() == "client_secret_basic";
         });
}

}  // namespace

bool IsTrustworthyUrl(std::string_view url) {
  for (const char c : url) {
    // Nothing that would end a line or a quotation where the URL is written.
    if (c <= ' ' || c == 127 || c == '"' || c == '<' || c == '>' || c == '\\') {
      return false;
    }
  }
  const auto parts = net::ParseUrl(std::string(url));
  if (!parts.ok() || !parts->user.empty() || !parts->fragment.empty()) {
    return false;
  }
  return (parts->scheme == "https" && !parts->host.empty()) ||
         (parts->scheme == "http" && IsLoopback(parts->host));
}

std::string MetadataUrl(std::string_view issuer) {
  return StrCat(issuer, issuer.ends_with('/') ? "" : "/", ".well-known/openid-configuration");
}

Result<Metadata> ParseMetadata(std::string_view document, std::string_view issuer) {
  const Result<json::Value> parsed = json::Parse(document, kDocumentBytesMax);
  if (!parsed.ok() || !parsed->is_object()) {
    return BadMetadata(issuer, "is no JSON object");
  }
  if (const std::string named = TextOf(*parsed, "issuer"); named != issuer) {
    return BadMetadata(issuer, StrCat("is of the issuer \"", named, "\", not of \"", issuer,
                                      "\": the two have to be the same to the letter"));
  }
  Metadata metadata;
  struct Row {
    std::string_view name;
    std::string& url;
    bool required = true;
  };
  for (const Row& row :
       {Row{"authorization_endpoint", metadata.authorization_endpoint},
        Row{"token_endpoint", metadata.token_endpoint}, Row{"jwks_uri", metadata.jwks_uri},
        Row{"userinfo_endpoint", metadata.userinfo_endpoint, false}}) {
    row.url = TextOf(*parsed, row.name);
    if (row.url.empty() && !row.required) {
      continue;
    }
    if (!IsTrustworthyUrl(row.url) || (IsHttps(issuer) && !IsHttps(row.url))) {
      return BadMetadata(issuer, StrCat("has no `", row.name, "` with https"));
    }
  }
  const json::Value* names = parsed->Find("authorization_response_iss_parameter_supported");
  metadata.names_itself = names != nullptr && names->boolean().value_or(false);
  metadata.secret_in_body = WantsSecretInBody(*parsed);
  return metadata;
}

}  // namespace tintype::oidc
