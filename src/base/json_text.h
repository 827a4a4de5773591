#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tintype {

/// The text, with U+FFFD for each byte that is not part of valid UTF-8. Names of files, and
/// messages that hold them, can be any bytes; JSON cannot.
std::string ValidUtf8(std::string_view text);

/// How many characters (Unicode's code points) a text has. Each byte that is not part of valid
/// UTF-8 counts as one.
size_t CountCharacters(std::string_view text);

/// Appends a JSON string, with its quotes, on one line. Any bytes give valid JSON (see ValidUtf8).
/// For messages, records and the like; tables/wire makes the JSON of requests and answers.
void AppendJsonText(std::string& out, std::string_view text);

}  // namespace tintype
