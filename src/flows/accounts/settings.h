#pragma once

#include <optional>

#include "base/result.h"
#include "contexts/analysis/ai_options.h"
#include "flows/parts.h"

/// What people choose for themselves, beside what they tell of themselves (profile.h).
namespace tintype::flows {

/// What is looked for in an account's uploads that do not say; nothing when it has not chosen.
std::optional<contexts::analysis::AiOptions> AiOptionsOf(const Account& account);

/// Chooses that, or leaves it to the server again. Answers the account as it is then. Errors:
/// identity::kAccountDeleting.
Result<Account> SetAiOptions(const Uses<DatabasePart>& parts, const Account& account,
                             const std::optional<contexts::analysis::AiOptions>& options);

}  // namespace tintype::flows
