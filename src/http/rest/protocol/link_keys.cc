#include "http/rest/protocol/link_keys.h"

#include <utility>

#include "base/base64.h"
#include "base/check.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::http::rest {
namespace {

std::string UrlSignature(const LinkKey& key, const SignedLink& link) {
  std::string text =
      StrCat(link.path, "\n", link.revision, "\n", link.expires, "\n", link.audience);
  if (!link.resizing.empty()) {
    StrAppend(text, "\n", link.resizing);
  }
  return Base64Url(crypto::Bytes(key.urls.Of(text)));
}

}  // namespace

LinkKey LinkKey::From(std::string_view secret) {
  const contexts::Key256 urls = contexts::DeriveKey(secret, "media urls");
  return {crypto::HmacKey({reinterpret_cast<const char*>(urls.data()), urls.size()}),
          contexts::DeriveKey(secret, "upload links")};
}

std::string SignUrl(const LinkKey& key, std::string_view url, const LinkTerms& terms) {
  constexpr std::string_view kRevision = "?revision=";
  const size_t path = url.rfind("/media/");
  const size_t query = url.find(kRevision);
  if (path == std::string_view::npos || query == std::string_view::npos || query < path) {
    return std::string(url);  // Not one of ours: somebody else wrote it into the table.
  }
  const std::string expires = std::to_string(terms.expires_s);
  const std::string signature = UrlSignature(key, {.path = url.substr(path, query - path),
                                                   .revision = url.substr(query + kRevision.size()),
                                                   .expires = expires,
                                                   .audience = terms.audience,
                                                   .resizing = terms.resizing});
  return StrCat(url, terms.resizing.empty() ? "" : "&", terms.resizing, "&expires=", expires,
                "&for=", terms.audience, "&signature=", signature);
}

LinkSigner::LinkSigner(std::shared_ptr<const LinkKey> key, int64_t expires_s,
                       std::string_view audience)
    : key_(std::move(key)), expires_(std::to_string(expires_s)), audience_(audience) {}

void LinkSigner::SetAudience(std::string_view audience) { audience_.assign(audience); }

std::string_view LinkSigner::Sign(std::string_view host, std::string_view key, int64_t revision) {
  url_.assign(host);
  StrAppend(url_, "/media/", key);
  signed_text_.assign(url_, host.size());
  StrAppend(signed_text_, "\n", revision, "\n", expires_, "\n", audience_);
  StrAppend(url_, "?revision=", revision, "&expires=", expires_, "&for=", audience_,
            "&signature=", Base64Url(crypto::Bytes(key_->urls.Of(signed_text_))));
  return url_;
}

std::string SignUpload(const LinkKey& key, std::string_view id, int64_t expires_s) {
  return Base64Url(contexts::Hmac(key.uploads, StrCat(id, "\n", expires_s)));
}

void LinkKeys::Take(const contexts::RingKeys& keys) {
  if (const auto before = known(); before != nullptr && before->ring == keys) {
    return;
  }
  auto taken = std::make_shared<Known>();
  taken->ring = keys;
  for (const contexts::RingKey& key : keys) {
    taken->keys.push_back(std::make_shared<const LinkKey>(LinkKey::From(key.secret)));
  }
  const MutexLock lock(mutex_);
  known_ = std::move(taken);
}

std::shared_ptr<const LinkKeys::Known> LinkKeys::known() const {
  const MutexLock lock(mutex_);
  return known_;
}

std::shared_ptr<const LinkKey> LinkKeys::Signing() const {
  const auto now = known();
  CHECK(now != nullptr);
  return now->keys[contexts::SigningPlace(now->ring, clock_.NowMs())];
}

template <typename Matches>
bool LinkKeys::AnyHonoured(Matches matches) const {
  const auto now = known();
  CHECK(now != nullptr);
  const int64_t now_ms = clock_.NowMs();
  for (size_t i = 0; i < now->keys.size(); ++i) {
    if (contexts::IsHonoured(now->ring[i], now_ms) && matches(*now->keys[i])) {
      return true;
    }
  }
  return false;
}

bool LinkKeys::VerifyUrl(const SignedLink& link, std::string_view signature) const {
  return AnyHonoured([&](const LinkKey& key) {
    return crypto::EqualInConstantTime(UrlSignature(key, link), signature);
  });
}

bool LinkKeys::VerifyUpload(std::string_view id, int64_t expires_s,
                            std::string_view signature) const {
  return AnyHonoured([&](const LinkKey& key) {
    return crypto::EqualInConstantTime(SignUpload(key, id, expires_s), signature);
  });
}

}  // namespace tintype::http::rest
