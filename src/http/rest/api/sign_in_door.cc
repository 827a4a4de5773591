#include "http/rest/api/sign_in_door.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "base/strings.h"
#include "contexts/identity/throttling/network.h"
#include "http/rest/api/cookies.h"
#include "http/rest/protocol/url.h"

namespace tintype::http::rest {
namespace {

constexpr std::array<std::string_view, 6> kPasswordPaths = {
    "/api/v1/auth/login",  "/api/v1/auth/signup", "/api/v1/auth/password",
    "/api/v1/me/password", "/api/v1/me/deletion", "/api/v1/users"};
constexpr std::array<std::string_view, 3> kOtherIssuerPaths = {
    "/api/v1/auth/outside", "/api/v1/auth/outside/return", "/api/v1/me/identities"};

// A few more threads than passwords are hashed at once, for what is refused without hashing.
constexpr Pool::Config kPool{.threads = 6, .waiting_max = 64, .patience = std::chrono::seconds(5)};

// A network may be a school or a company, whose people arrive together; one that is wide has at
// most half of the room.
constexpr size_t kAccountMax = 4;
constexpr size_t kNetworkMax = 8;
constexpr size_t kWideNetworkMax = 32;

/// Adds a ticket; false when there is none.
bool Take(InFlight& in_flight, const std::string& name, std::vector<InFlight::Ticket>& tickets) {
  std::optional<InFlight::Ticket> ticket = in_flight.Enter(name);
  if (!ticket) {
    return false;
  }
  tickets.push_back(*std::move(ticket));
  return true;
}

}  // namespace

SignInDoor::SignInDoor(const contexts::identity::DeviceTokens& devices)
    : devices_(devices),
      by_account_(kAccountMax),
      by_network_(kNetworkMax),
      by_wide_network_(kWideNetworkMax),
      members_(kPool),
      strangers_(kPool),
      other_issuer_(kPool) {}

std::optional<SignInDoor::For> SignInDoor::PurposeOf(std::string_view method,
                                                     std::string_view target) {
  // Routes do not care about empty parts, nor about how letters are written.
  const auto segments =
      method == "POST" ? ParsePath(target.substr(0, target.find('?'))) : std::nullopt;
  if (!segments) {
    return std::nullopt;
  }
  std::string path;
  for (const std::string& segment : *segments) {
    StrAppend(path, "/", segment);
  }
  if (std::ranges::find(kPasswordPaths, path) != kPasswordPaths.end()) {
    return For::kPassword;
  }
  return std::ranges::find(kOtherIssuerPaths, path) != kOtherIssuerPaths.end()
             ? std::optional(For::kOtherIssuer)
             : std::nullopt;
}

std::unique_ptr<SignInDoor::Admission> SignInDoor::Admit(const Request& request, For purpose) {
  const auto token = DeviceTokenOf(request);
  if (const auto device = token ? devices_.Read(*token) : std::nullopt) {
    auto admission = std::make_unique<Admission>(
        Admission{purpose == For::kPassword ? members_ : other_issuer_});
    return Take(by_account_, device->account_id, admission->tickets) ? std::move(admission)
                                                                     : nullptr;
  }
  const contexts::identity::Network network = contexts::identity::NetworkOf(request.address);
  auto admission = std::make_unique<Admission>(
      Admission{purpose == For::kPassword ? strangers_ : other_issuer_});
  const bool admitted = Take(by_network_, network.near, admission->tickets) &&
                        Take(by_wide_network_, network.wide, admission->tickets);
  return admitted ? std::move(admission) : nullptr;
}

void SignInDoor::Stop() {
  members_.Stop();
  strangers_.Stop();
  other_issuer_.Stop();
}

}  // namespace tintype::http::rest
