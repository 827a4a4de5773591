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

/// Keeps other processes out of a directory whose tables are at `url`, while the descriptor is
/// open. Notes the address if none is noted. Errors: kValidation when the directory has tables of
/// its own; kAlreadyOpen; kIo.
Result<Descriptor> HoldForTablesAt(const DataDirectory& directory, const std::string& url);

/// Notes that the tables are at `url`, which may be another address than before, since services
/// move. REQUIRES: the directory is held, and the tables there are those of its gallery.
Status NoteTablesAt(const DataDirectory& directory, const std::string& url);

/// The address that is noted; empty when there is none.
Result<std::string> FindTablesAddress(const DataDirectory& directory);

/// The error for a directory that another process has open.
Error DirectoryInUse(const DataDirectory& directory);

}  // namespace tintype::cli
