#include "http/rest/protocol/keys.h"

#include "base/base64.h"
#include "base/strings.h"

namespace tintype::http::rest {
namespace {

using contexts::Hmac;

std::string CursorContext(std::string_view list, std::string_view account_id) {
  return StrCat(list, "\n", account_id);
}

}  // namespace

SignatureKeys SignatureKeys::From(std::string_view secret) {
  return {contexts::DeriveKey(secret, "list cursors"), contexts::DeriveKey(secret, "csrf tokens")};
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
