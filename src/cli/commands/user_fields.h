#pragma once

#include <string>

#include "cli/admin/message.h"
#include "flows/accounts/manage_accounts.h"

/// An account in what commands answer, and in what people read of that.
namespace tintype::cli {

AdminFields UserFieldsOf(const flows::ListedAccount& listed);

/// `ada (ada@example.com)`, of such fields.
std::string WhoText(const AdminFields& user);

}  // namespace tintype::cli
