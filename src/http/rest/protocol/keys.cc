#include "http/rest/protocol/keys.h"

#include "base/base64.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::http::rest {
namespace {

using contexts::Hmac;

std::string UrlSignature(const SignatureKeys& keys, const SignedLink& link) {
  std::string text =
      StrCat(link.path, "\n", link.revision, "\n", link.expires, "\n", link.audience);
  if (!link.resizing.empty()) {
    StrAppend(text, "\n", link.resizing);
  }
  return Base64Url(crypto::Bytes(keys.urls.Of(text)));
}

std::string CursorContext(std::string_view list, std::string_view account_id) {
  return StrCat(list, "\n", account_id);
}

}  // namespace

SignatureKeys SignatureKeys::From(std::string_view secret) {
  const contexts::Key256 urls = contexts::DeriveKey(secret, "media urls");
  return {crypto::HmacKey({reinterpret_cast<const char*>(urls.data()), urls.size()}),
          contexts::DeriveKey(secret, "list cursors"), contexts::DeriveKey(secret, "csrf tokens"),
          contexts::DeriveKey(secret, "upload links")};
}

std::string SignUrl(const SignatureKeys& keys, std::string_view url, const LinkTerms& terms) {
  constexpr std::string_view kRevision = "?revision=";
  const size_t path = url.rfind("/media/");
  const size_t query = url.find(kRevision);
  if (path == std::string_view::npos || query == std::string_view::npos || query < path) {
    return std::string(url);  // Not one of ours: somebody else wrote it into the table.
  }
  const std::string expires = std::to_string(terms.expires_s);
  const std::string signature =
      UrlSignature(keys, {.path = url.substr(path, query - path),
                          .revision = url.substr(query + kRevision.size()),
                          .expires = expires,
                          .audience = terms.audience,
                          .resizing = terms.resizing});
  return StrCat(url, terms.resizing.empty() ? "" : "&", terms.resizing, "&expires=", expires,
                "&for=", terms.audience, "&signature=", signature);
}

LinkSigner::LinkSigner(const SignatureKeys& keys, int64_t expires_s, std::string_view audience)
    : keys_(keys), expires_(std::to_string(expires_s)), audience_(audience) {}

void LinkSigner::SetAudience(std::string_view audience) { audience_.assign(audience); }

std::string_view LinkSigner::Sign(std::string_view host, std::string_view key, int64_t revision) {
  url_.assign(host);
  StrAppend(url_, "/media/", key);
  signed_text_.assign(url_, host.size());
  StrAppend(signed_text_, "\n", revision, "\n", expires_, "\n", audience_);
  StrAppend(url_, "?revision=", revision, "&expires=", expires_, "&for=", audience_,
            "&signature=", Base64Url(crypto::Bytes(keys_.urls.Of(signed_text_))));
  return url_;
}

bool VerifyUrl(const SignatureKeys& keys, const SignedLink& link, std::string_view signature) {
  return crypto::EqualInConstantTime(UrlSignature(keys, link), signature);
}

std::string SignUpload(const SignatureKeys& keys, std::string_view id, int64_t expires_s) {
  return Base64Url(Hmac(keys.uploads, StrCat(id, "\n", expires_s)));
}

std::string SealCursor(const SignatureKeys& keys, std::string_view list,
                       std::string_view account_id, const tables::Item& key) {
  return Base64Url(contexts::Seal(keys.cursors, CursorContext(list, account_id), key.payload()));
}

Result<tables::Item> OpenCursor(const SignatureKeys& keys, std::string_view list,
                                std::string_view account_id, std::string_view cursor) {
  const Error wrong = Error::Validation("`cursor` is not one that this list gave.");
  const std::optional<std::string> sealed = ParseBase64Url(cursor);
  if (!sealed) {
    return wrong;
  }
  const Result<std::string> payload =
      contexts::Unseal(keys.cursors, CursorContext(list, account_id), *sealed);
  if (!payload.ok() || !tables::CheckEncodedItem(*payload).ok()) {
    return wrong;
  }
  return tables::Item(*payload);
}

std::string CsrfToken(const SignatureKeys& keys, std::string_view session_id) {
  return Base64Url(Hmac(keys.csrf, session_id));
}

}  // namespace tintype::http::rest
