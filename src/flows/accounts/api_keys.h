#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/identity/credentials/api_key.h"
#include "flows/parts.h"

/// The API keys of an account, by its owner.
namespace tintype::flows {

using ApiKeyParts = Uses<DatabasePart, ClockPart>;

/// Errors: identity::kTooManyApiKeys.
Result<contexts::identity::CreatedApiKey> CreateApiKey(const ApiKeyParts& parts,
                                                       const Account& account,
                                                       const contexts::identity::NewApiKey& key);
/// Newest first. On other services the list may be a moment behind.
Result<std::vector<contexts::identity::ApiKey>> ListApiKeys(const ApiKeyParts& parts,
                                                            const Account& account);
/// Errors: kNotFound when the account has no such key.
Status DeleteApiKey(const ApiKeyParts& parts, const Account& account, std::string_view id);

}  // namespace tintype::flows
