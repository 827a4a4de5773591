#include "contexts/identity/credentials/device_tokens.h"

#include "base/base64.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::contexts::identity {

std::string DeviceTokens::Sign(std::string_view text) const { return Base64Url(Hmac(key_, text)); }

// `account.device.expiry.signature`: the ids of accounts and sessions have no dots.
std::string DeviceTokens::Issue(const Device& device) const {
  const int64_t expires_s = clock_.NowMs() / 1000 + std::chrono::seconds(kKept).count();
  std::string text = StrCat(device.account_id, ".", device.id, ".", expires_s);
  StrAppend(text, ".", Sign(text));
  return text;
}

std::optional<Device> DeviceTokens::Read(std::string_view token) const {
  constexpr size_t kTokenBytesMax = 256;
  const size_t account_end = token.find('.');
  const size_t signature = token.rfind('.');
  if (token.size() > kTokenBytesMax || account_end == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view text = token.substr(0, signature);
  const size_t device_end = text.rfind('.');
  if (device_end == std::string_view::npos || device_end <= account_end ||
      !crypto::EqualInConstantTime(Sign(text), token.substr(signature + 1))) {
    return std::nullopt;
  }
  const auto expires_s = ParseDigits<int64_t>(text.substr(device_end + 1));
  if (!expires_s || *expires_s < clock_.NowMs() / 1000) {
    return std::nullopt;
  }
  return Device{std::string(text.substr(0, account_end)),
                std::string(text.substr(account_end + 1, device_end - account_end - 1))};
}

}  // namespace tintype::contexts::identity
