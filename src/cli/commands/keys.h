#pragma once

#include <string>

#include "base/result.h"

namespace tintype::cli {

/// The `tintype keys` commands. Each works on the credentials file of an existing data directory,
/// also while a server runs on it, and writes its answer to standard output.

/// One line per key: profile and access key id, never the secret.
Status ListKeys(const std::string& data_dir);

/// Creates a random key and prints its profile section, the only time the secret is shown.
Status CreateKey(const std::string& data_dir, const std::string& profile,
                 const std::string& region);

/// Removes a key by its profile or its id.
Status DeleteKey(const std::string& data_dir, const std::string& profile_or_id);

}  // namespace tintype::cli
