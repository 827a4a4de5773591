#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "flows/product.h"

namespace tintype::cli {

struct ManageUsersArguments {
  std::string name;   ///< Whom it is about, by email or username.
  std::string email;  ///< Of the person invited. Empty: anyone who has the link.
  bool administrator = false;
  int64_t days = 0;   ///< How long an invitation is good.
  std::string role;   ///< `administrator` or `user`.
  std::string quota;  ///< See ParseQuota.
  bool yes = false;   ///< Whether to delete, and not only to say what would be.
  bool json = false;
};

/// The number of bytes that `20G`, `500M`, `1048576` or `none` is. Errors: kValidation for anything
/// else.
Result<int64_t> ParseQuota(std::string_view text);

// The commands `tintype users invite`, `disable`, `enable`, `role`, `quota`, `delete` and
// `password-link`.
// They ask the server that has the data directory open, or open it when none has.

/// Errors: kValidation, kInUse when there are too many invitations.
Status RunUsersInvite(const ManageUsersArguments& arguments, const ServeConfig& config);
/// Errors of these: kNotFound; identity::kAccountDeleting.
Status RunUsersDisable(const ManageUsersArguments& arguments, const ServeConfig& config);
Status RunUsersEnable(const ManageUsersArguments& arguments, const ServeConfig& config);
Status RunUsersRole(const ManageUsersArguments& arguments, const ServeConfig& config);
Status RunUsersQuota(const ManageUsersArguments& arguments, const ServeConfig& config);
Status RunUsersPasswordLink(const ManageUsersArguments& arguments, const ServeConfig& config);
/// Queues the deletion, which workers of a server do. Errors: kNotFound; kValidation without `yes`.
Status RunUsersDelete(const ManageUsersArguments& arguments, const ServeConfig& config);

// What a server does for them. The product must outlive them.
AdminCommand UsersInviteCommand(flows::Product& product);
AdminCommand UsersDisableCommand(flows::Product& product);
AdminCommand UsersEnableCommand(flows::Product& product);
AdminCommand UsersRoleCommand(flows::Product& product);
AdminCommand UsersQuotaCommand(flows::Product& product);
AdminCommand UsersPasswordLinkCommand(flows::Product& product);
AdminCommand UsersDeleteCommand(flows::Product& product);

}  // namespace tintype::cli
