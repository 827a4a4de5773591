#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "cli/settings/data_directory.h"

/// Where the tables of a data directory are: in its folder `tables`, or at the service that its
/// file `TABLES` names. A directory belongs to the tables that it was first used with: its photos
/// are known to those alone.
namespace tintype::cli {

/// Refuses a directory whose tables are elsewhere. Errors: kValidation, with what to do.
Status CheckTablesAreHere(const DataDirectory& directory);

/// Notes that the tables are at `url`, and keeps other processes out of the directory while the
/// descriptor is open. Another address than before is noted, since services move. Errors:
/// kValidation when the directory has tables of its own; kAlreadyOpen; kIo.
Result<Descriptor> HoldForTablesAt(const DataDirectory& directory, const std::string& url);

/// The error for a directory that another process has open.
Error DirectoryInUse(const DataDirectory& directory);

}  // namespace tintype::cli
