#pragma once

#include <string>

#include "base/result.h"

namespace tintype::cli {

/// A password for somebody else to type: 20 letters and digits that nobody takes for each other, in
/// groups of five, which are 100 bits of chance.
std::string MakeUpPassword();

/// The password in a file of one line, or typed or piped into standard input, which `-` names; one
/// typed at a terminal is not shown. Errors: kNotFound, kIo, kValidation for more than a line.
Result<std::string> ReadGivenPassword(const std::string& file);

}  // namespace tintype::cli
