#pragma once

#include <string_view>

namespace tintype::tables::transfer {

/// Takes the first of JSON objects that follow one another, up to its closing brace, or all of
/// `rest` if that is not there. White space in front is passed over. Whether it is JSON is for its
/// reader to find out.
std::string_view TakeObject(std::string_view& rest);

}  // namespace tintype::tables::transfer
