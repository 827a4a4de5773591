#pragma once

#include <string>
#include <string_view>

#include "flows/config.h"

/// Addresses of the page that people are sent. The token stands behind `#`, so that no server logs
/// it.
namespace tintype::flows {

/// Where an account is made by an invitation.
std::string InvitationAddress(const ProductConfig& config, std::string_view token);
/// Where a password is set by a one-time link.
std::string PasswordLinkAddress(const ProductConfig& config, std::string_view token);

}  // namespace tintype::flows
