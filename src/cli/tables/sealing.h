#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/sealed/sealing_keys.h"
#include "cli/settings/data_directory.h"
#include "cli/tables/tables.h"
#include "contexts/common/secrets.h"
#include "tables/transfer/record_sealing.h"

/// Files of a data directory beside its tables that are encrypted as they are.
namespace tintype::cli {

/// The keys of such files: `info` says of which. Null where the tables are not encrypted, or are
/// elsewhere, so that there are none here.
std::shared_ptr<const blobs::SealingKeys> SealingKeysOf(const EmbeddedTables* tables,
                                                        std::string_view info);

/// How records of exports and imports are kept beside these tables. Errors: kIo.
Result<tables::transfer::RecordSealing> TransferSealingOf(const DataDirectory& directory,
                                                          const EmbeddedTables& tables);

/// The random bytes that links, cursors, sealed keys and the audit's seals are made with: made up
/// at the first call, the same ever after. The file is sealed where there are keys, also one that
/// was not until now. Errors: kCorruption, naming the file, for one that is damaged, or sealed
/// under keys that are not here.
Result<std::string> SecretOf(const DataDirectory& directory, Tables& tables);

// What of the tables is sealed with a key of that secret: hashes of passwords, and the keys that
// all nodes sign with (contexts/identity/credentials/key_ring.h).
contexts::Key256 PasswordKeyOf(std::string_view secret);
contexts::Key256 RingSealingKeyOf(std::string_view secret);

}  // namespace tintype::cli
