#pragma once

#include <string>

#include "base/result.h"

/// Entries of the audit for people, from the JSON lines in which a server gives them.
namespace tintype::cli {

/// One entry on one line, without anything that a terminal would obey.
Result<std::string> EntryText(const std::string& json_line);

/// Whether an entry was written after `positions` (access/audit/reader.h) were asked for. Not if
/// they are empty.
Result<bool> IsBehind(const std::string& json_line, const std::string& positions);

/// What verifying found of a chain, from its message.
Result<std::string> ChainText(const std::string& message_line);

}  // namespace tintype::cli
