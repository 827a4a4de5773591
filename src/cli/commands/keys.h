#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "access/keys/access_keys.h"
#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/master_key/rotate.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"

namespace tintype::cli {

struct KeysArguments {
  std::string name;     ///< The key, by name or id.
  std::string policy;   ///< `admin`, `read-only`, `tables`, or the file of a policy document.
  std::string expires;  ///< See ParseExpiry; empty: never.
  std::string overlap;  ///< How long a rotated key stays good, as `24h`.
  bool json = false;
};

/// A moment to come: `90d`, `12h`, `30m` from now on, or a time such as 2030-01-31T12:00:00Z. In
/// milliseconds. Errors: kValidation.
Result<int64_t> ParseExpiry(const std::string& text, int64_t now_ms);

// The `tintype keys` commands. Each asks the server that has the data directory open, or opens it
// when none has, and writes its answer to standard output.

/// One line per key, never with a secret.
Status RunKeysList(const KeysArguments& arguments, const ServeConfig& config);
/// Creates a random key and prints it as a profile of AWS's clients, the only time that the secret
/// is shown.
Status RunKeysCreate(const KeysArguments& arguments, const ServeConfig& config);
/// The same for a key that takes over from another of the same name.
Status RunKeysRotate(const KeysArguments& arguments, const ServeConfig& config);
Status RunKeysShow(const KeysArguments& arguments, const ServeConfig& config);
Status RunKeysPolicy(const KeysArguments& arguments, const ServeConfig& config);
Status RunKeysDisable(const KeysArguments& arguments, const ServeConfig& config);
Status RunKeysEnable(const KeysArguments& arguments, const ServeConfig& config);
Status RunKeysExpire(const KeysArguments& arguments, const ServeConfig& config);
Status RunKeysDelete(const KeysArguments& arguments, const ServeConfig& config);

/// The command `tintype rotate root`: puts another root key into the credentials file. Its secret
/// is in the file alone.
Status RunRotateRoot(const KeysArguments& arguments, const ServeConfig& config);

/// What a server does for them, by their names. The keys must outlive it. `credentials` is the file
/// that has the root key.
AdminCommands KeysCommands(access::AccessKeys& keys, const std::string& credentials);

/// What the policy `tables` keeps away from: the product's tables, whatever their stack and
/// environment are. Also without a gallery: another server may run one on these tables.
std::vector<std::string> ProtectedTables();

// Replace the master key, or add a data key (rotate.h), and have the audit know.
Status RotateMasterKey(const RotateMasterConfig& config);
Status RotateDataKey(const MasterKeyConfig& config);

}  // namespace tintype::cli
