#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"
#include "flows/product.h"
#include "flows/uploads/upload_limit.h"

namespace tintype::cli {

struct UsersArguments {
  std::string name;   ///< Whom it is about, by email or username; of a new one, the username.
  std::string email;  ///< Of a new one.
  std::string limit;  ///< See ParseLimit.
  bool all = false;   ///< Everybody but administrators, instead of one.
  /// Where the password is; `-` is standard input. Empty: one is made up.
  std::string password_file;
  bool json = false;
};

/// What `5`, `+5` and `none` do to a limit. Errors: kValidation for anything else.
Result<flows::LimitChange> ParseLimit(const std::string& text);

// The commands `tintype users list`, `create`, `limit` and `reset-password`. They ask the server
// that has the data directory open, or open it when none has. A password stays in the process that
// reads it or makes it up: the server gets its hash.

Status RunUsersList(const UsersArguments& arguments, const ServeConfig& config);
/// Errors: kValidation, kInUse when a name is taken.
Status RunUsersCreate(const UsersArguments& arguments, const ServeConfig& config);
/// Errors: kNotFound. REQUIRES: ParseLimit takes the limit.
Status RunUsersLimit(const UsersArguments& arguments, const ServeConfig& config);
/// Errors: kNotFound; kValidation for a password that is too short or too long.
Status RunUsersResetPassword(const UsersArguments& arguments, const ServeConfig& config);

// What a server does for them. The product must outlive them.
AdminCommand UsersListCommand(flows::Product& product);
AdminCommand UsersCreateCommand(const ProductHost& host);
AdminCommand UsersLimitCommand(flows::Product& product);
AdminCommand UsersResetPasswordCommand(const ProductHost& host);

}  // namespace tintype::cli
