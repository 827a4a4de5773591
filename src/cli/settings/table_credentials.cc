#include "cli/settings/table_credentials.h"

namespace tintype::cli {

std::optional<sigv4::AccessKeySecret> TableCredentials::SecretFor(
    std::string_view access_key_id) const {
  if (const auto ready = keys_.Find(access_key_id)) {
    if (!ready->key.IsActive(clock_.NowMs())) {
      return std::nullopt;
    }
    return sigv4::AccessKeySecret{ready->key.secret, std::nullopt};
  }
  const std::optional<FileKey> found = file_.Find(access_key_id);
  return found ? std::optional(found->secret) : std::nullopt;
}

std::optional<access::TableCaller> TableCredentials::CallerOf(
    std::string_view access_key_id) const {
  access::TableCaller caller;
  caller.principal.kind = access::PrincipalKind::kAccessKey;
  caller.principal.id = access_key_id;
  if (const auto ready = keys_.Find(access_key_id)) {
    caller.name = ready->key.name;
    caller.policy = ready->policy;
    return caller;
  }
  std::optional<FileKey> found = file_.Find(access_key_id);
  if (!found) {
    return std::nullopt;
  }
  caller.name = std::move(found->profile);
  if (found->root) {
    caller.principal.kind = access::PrincipalKind::kRootKey;
  }
  return caller;
}

}  // namespace tintype::cli
