#include "contexts/identity/throttling/network.h"

#include "base/ip_address.h"
#include "base/strings.h"

namespace tintype::contexts::identity {

Network NetworkOf(std::string_view address) {
  // A link-local address may name its interface behind a `%`.
  const std::optional<IpAddress> parsed = IpAddress::Parse(address.substr(0, address.find('%')));
  if (!parsed) {
    constexpr size_t kTextMax = 64;  // Longer than any address.
    const std::string text(address.substr(0, kTextMax));
    return {text, text};
  }
  const auto masked = [&](int bits) { return StrCat(parsed->Masked(bits).text(), "/", bits); };
  return parsed->is_v4() ? Network{masked(32), masked(24)} : Network{masked(64), masked(48)};
}

}  // namespace tintype::contexts::identity
