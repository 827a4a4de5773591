#include "http/rest/api/sign_in_door.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "contexts/identity/network.h"
#include "http/rest/api/cookies.h"

namespace tintype::http::rest {
namespace {

constexpr std::array<std::string_view, 6> kPaths = {"/api/v1/auth/login",    "/api/v1/auth/signup",
                                                    "/api/v1/auth/password", "/api/v1/me/password",
                                                    "/api/v1/me/deletion",   "/api/v1/users"};

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
      strangers_(kPool) {}

bool SignInDoor::IsFor(std::string_view method, std::string_view path) {
  return method == "POST" && std::ranges::find(kPaths, path) != kPaths.end();
}

std::unique_ptr<SignInDoor::Admission> SignInDoor::Admit(const Request& request) {
  const auto token = DeviceTokenOf(request);
  if (const auto device = token ? devices_.Read(*token) : std::nullopt) {
    auto admission = std::make_unique<Admission>(Admission{members_});
    return Take(by_account_, device->account_id, admission->tickets) ? std::move(admission)
                                                                     : nullptr;
  }
  const contexts::identity::Network network = contexts::identity::NetworkOf(request.address);
  auto admission = std::make_unique<Admission>(Admission{strangers_});
  const bool admitted = Take(by_network_, network.near, admission->tickets) &&
                        Take(by_wide_network_, network.wide, admission->tickets);
  return admitted ? std::move(admission) : nullptr;
}

void SignInDoor::Stop() {
  members_.Stop();
  strangers_.Stop();
}

}  // namespace tintype::http::rest
