#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/common/secrets.h"
#include "crypto/hmac_key.h"
#include "tables/language/values/value.h"

/// What the server signs so that it need not remember it.
namespace tintype::http::rest {

/// Keys derived from the server's secret.
struct SignatureKeys {
  crypto::HmacKey urls;
  contexts::Key256 cursors{};
  contexts::Key256 csrf{};
  contexts::Key256 uploads{};

  static SignatureKeys From(std::string_view secret);
};

/// What a link promises.
struct LinkTerms {
  int64_t expires_s = 0;
  /// For whom it was made, by a name of views::LinkAudience.
  std::string_view audience;
  /// What it asks for beside the stored bytes (delivery::ToQuery), if anything.
  std::string_view resizing = "";
};

/// Adds terms and a signature to the unsigned link of a medium (flows::MediaUrl).
std::string SignUrl(const SignatureKeys& keys, std::string_view url, const LinkTerms& terms);

/// Signs many links that expire at the same time, as SignUrl does without resizing. Not
/// thread-safe.
class LinkSigner {
 public:
  /// The keys outlive it. `audience` is as in LinkTerms.
  LinkSigner(const SignatureKeys& keys, int64_t expires_s, std::string_view audience);

  /// For whom the next links are.
  void SetAudience(std::string_view audience);
  /// The signed link to a key (flows::MediaUrl). Valid until the next call.
  std::string_view Sign(std::string_view host, std::string_view key, int64_t revision);

 private:
  const SignatureKeys& keys_;
  const std::string expires_;
  std::string audience_;
  std::string signed_text_;
  std::string url_;
};

/// What of a link is signed: never the host, which a proxy may change.
struct SignedLink {
  std::string_view path;  // `/media/...`, as it was sent.
  std::string_view revision;
  std::string_view expires;
  std::string_view audience;  // As above.
  std::string_view resizing;
};
bool VerifyUrl(const SignatureKeys& keys, const SignedLink& link, std::string_view signature);

/// The signature of a link to put the bytes of an upload to.
std::string SignUpload(const SignatureKeys& keys, std::string_view id, int64_t expires_s);

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
