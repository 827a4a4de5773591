#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/settings/data_directory.h"

/// Files with secrets, which are not taken where others could have read them.
namespace tintype::cli {

/// Who beside its owner may read a file: nobody, or a group, as with secrets that are mounted.
enum class SecretReaders { kOwner, kGroup };

/// Refuses a file that more people may read; `what` names it. Pipes and devices are fine, and a
/// file that is not there is left to whoever opens it. Errors: kValidation, with the command that
/// closes the file; kIo.
Status CheckSecretFile(const std::string& path, SecretReaders readers, std::string_view what);

/// The same for all such files of a data directory.
Status CheckSecretFiles(const DataDirectory& directory);

}  // namespace tintype::cli
