#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/common/secrets.h"
#include "tables/language/values/value.h"

/// What the server signs so that it need not remember it.
namespace tintype::http::rest {

/// Keys derived from the server's secret.
struct SignatureKeys {
  contexts::Key256 cursors{};
  contexts::Key256 csrf{};

  static SignatureKeys From(std::string_view secret);
};

/// Where a list goes on, as text that clients can neither read nor change. Good for one list of one
/// account.
std::string SealCursor(const SignatureKeys& keys, std::string_view list,
                       std::string_view account_id, const tables::Item& key);
/// Errors: kValidation.
Result<tables::Item> OpenCursor(const SignatureKeys& keys, std::string_view list,
                                std::string_view account_id, std::string_view cursor);

/// The token that unsafe requests of a browser's session carry.
std::string CsrfToken(const SignatureKeys& keys, std::string_view session_id);

}  // namespace tintype::http::rest
