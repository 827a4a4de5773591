#include "flows/accounts/page_link.h"

#include "base/strings.h"

namespace tintype::flows {

std::string InvitationAddress(const ProductConfig& config, std::string_view token) {
  return StrCat(config.public_url, "/#invitation=", token);
}

std::string PasswordLinkAddress(const ProductConfig& config, std::string_view token) {
  return StrCat(config.public_url, "/#password=", token);
}

}  // namespace tintype::flows
