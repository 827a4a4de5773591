#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "cli/tables/tables.h"

namespace tintype::cli {

/// The commands `tintype table export` and `tintype table import`. Each asks the server that has
/// the data directory open, or opens it when none has, shows progress on standard error and writes
/// its outcome to standard output; with `json` both are lines of admin/message.h on standard
/// output.

struct TableArguments {
  std::string table;
  std::string folder;  ///< To export to or import from.
  std::string time;    ///< Of an export, such as 2030-01-31T12:00:00Z; empty: now.
  bool json = false;
};

Status RunTableExport(const TableArguments& arguments, const ServeConfig& config);
/// Errors: kValidation when lines could not be imported, once all others are.
Status RunTableImport(const TableArguments& arguments, const ServeConfig& config);

/// False once the server is to stop.
using Serving = std::function<bool()>;

/// What a server does for them. The tables must outlive it. An export whose client has gone
/// removes what it has restored, and waits for that while the server is `serving`.
AdminCommand TableExportCommand(EmbeddedTables& tables, Serving serving);
AdminCommand TableImportCommand(EmbeddedTables& tables);

}  // namespace tintype::cli
