#include "flows/accounts/api_keys.h"

#include "contexts/identity/credentials/api_keys.h"

namespace tintype::flows {

using contexts::identity::ApiKey;
using contexts::identity::ApiKeys;
using contexts::identity::CreatedApiKey;
using contexts::identity::NewApiKey;

Result<CreatedApiKey> CreateApiKey(const ApiKeyParts& parts, const Account& account,
                                   const NewApiKey& key) {
  return ApiKeys(parts.database, parts.clock).Create(account, key);
}

Result<std::vector<ApiKey>> ListApiKeys(const ApiKeyParts& parts, const Account& account) {
  return ApiKeys(parts.database, parts.clock).List(account.id);
}

Status DeleteApiKey(const ApiKeyParts& parts, const Account& account, std::string_view id) {
  return ApiKeys(parts.database, parts.clock).Delete(account, id);
}

}  // namespace tintype::flows
