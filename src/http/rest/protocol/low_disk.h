#pragma once

#include <string_view>

namespace tintype::http::rest {

/// Whether an operation goes on while the disk is nearly full: those that only look, that remove
/// something, and that one needs for either, such as logging in. They write little, which comes out
/// of what the tables keep back for it; so anything that may write more has to wait. `operation_id`
/// is the contract's.
bool GoesOnLowOnDisk(std::string_view method, std::string_view operation_id);

}  // namespace tintype::http::rest
