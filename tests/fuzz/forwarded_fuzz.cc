// Headers of proxies: strangers are not believed, and what a client wrote before the proxy changes
// nothing about where the proxy says that it comes from.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "http/server/forwarded.h"
#include "input.h"

namespace tintype::http {
namespace {

const IpAddress kProxy = *IpAddress::Parse("10.0.0.1");
const IpAddress kStranger = *IpAddress::Parse("192.0.2.1");

void Check(std::string_view name, std::string_view value, ProxyHeader header) {
  const TrustedProxies proxies{{*IpNetwork::Parse("10.0.0.0/8")}, header};
  const Headers headers = {{std::string(name), std::string(value)}};
  CHECK(OriginOf(headers, {kStranger, false}, proxies).address == kStranger);
  const RequestOrigin origin = OriginOf(headers, {kProxy, false}, proxies);
  CHECK(IpAddress::Parse(origin.address.text()) == origin.address);
  if (proxies.Trusts(origin.address)) {
    return;
  }
  // As a client would try to hide: an address of its choice before the proxy's.
  const std::string forged = name == "forwarded" ? "for=198.51.100.1" : "198.51.100.1";
  const RequestOrigin same =
      OriginOf({{std::string(name), forged}, headers.front()}, {kProxy, false}, proxies);
  CHECK(same.address == origin.address && same.https == origin.https);
}

}  // namespace
}  // namespace tintype::http

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::http;
  tintype::fuzz::Input input(data, size);
  const bool forwarded = input.Byte() % 2 == 1;
  Check(forwarded ? "forwarded" : "x-forwarded-for", input.Rest(),
        forwarded ? ProxyHeader::kForwarded : ProxyHeader::kEither);
  return 0;
}
