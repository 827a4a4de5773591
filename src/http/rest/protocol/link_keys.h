#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "contexts/common/ring_keys.h"
#include "contexts/common/secrets.h"
#include "crypto/hmac_key.h"

/// What the server signs so that whoever has a link may follow it without an account.
namespace tintype::http::rest {

/// What links are signed with, made of one secret.
struct LinkKey {
  crypto::HmacKey urls;
  contexts::Key256 uploads{};

  static LinkKey From(std::string_view secret);
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
std::string SignUrl(const LinkKey& key, std::string_view url, const LinkTerms& terms);

/// Signs many links that expire at the same time, as SignUrl does without resizing. Not
/// thread-safe.
class LinkSigner {
 public:
  /// `audience` is as in LinkTerms.
  LinkSigner(std::shared_ptr<const LinkKey> key, int64_t expires_s, std::string_view audience);

  /// For whom the next links are.
  void SetAudience(std::string_view audience);
  /// The signed link to a key (flows::MediaUrl). Valid until the next call.
  std::string_view Sign(std::string_view host, std::string_view key, int64_t revision);

 private:
  const std::shared_ptr<const LinkKey> key_;
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

/// The signature of a link to put the bytes of an upload to.
std::string SignUpload(const LinkKey& key, std::string_view id, int64_t expires_s);

/// The keys that all nodes sign links with: one signs, those before it are still honoured for as
/// long as a link may last. Thread-safe; never blocks.
class LinkKeys {
 public:
  explicit LinkKeys(const Clock& clock) : clock_(clock) {}

  /// To be called before anything else, and when the keys were read again.
  void Take(const contexts::RingKeys& keys);

  std::shared_ptr<const LinkKey> Signing() const;
  bool VerifyUrl(const SignedLink& link, std::string_view signature) const;
  bool VerifyUpload(std::string_view id, int64_t expires_s, std::string_view signature) const;

 private:
  struct Known {
    contexts::RingKeys ring;
    std::vector<std::shared_ptr<const LinkKey>> keys;  // Of the same places in `ring`.
  };
  std::shared_ptr<const Known> known() const;
  /// Whether `matches` says so of a key that is honoured now.
  template <typename Matches>
  bool AnyHonoured(Matches matches) const;

  const Clock& clock_;
  mutable Mutex mutex_;
  std::shared_ptr<const Known> known_ GUARDED_BY(mutex_);
};

}  // namespace tintype::http::rest
