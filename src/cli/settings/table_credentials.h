#pragma once

#include <optional>
#include <string_view>

#include "access/keys/access_keys.h"
#include "access/tables/table_access.h"
#include "base/clock.h"
#include "cli/settings/credential_store.h"
#include "sigv4/sigv4.h"

namespace tintype::cli {

/// The keys that the DynamoDB endpoint takes: the root key in the credentials file, and those that
/// are kept beside the tables. Keys that lie in the file beside the root key are from before keys
/// had policies; they may still do everything that a key can be allowed. Thread-safe; everything it
/// is given outlives it.
class TableCredentials : public sigv4::CredentialStore, public access::TableCallers {
 public:
  TableCredentials(const FileCredentialStore& file, const access::AccessKeys& keys,
                   const Clock& clock)
      : file_(file), keys_(keys), clock_(clock) {}

  std::optional<sigv4::AccessKeySecret> SecretFor(std::string_view access_key_id) const override;
  std::optional<access::TableCaller> CallerOf(std::string_view access_key_id) const override;

 private:
  const FileCredentialStore& file_;
  const access::AccessKeys& keys_;
  const Clock& clock_;
};

}  // namespace tintype::cli
