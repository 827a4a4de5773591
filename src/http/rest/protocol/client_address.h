#pragma once

#include <string>

#include "http/server/message.h"

namespace tintype::http::rest {

/// The client's address without its port, since every connection has another. Clients behind one
/// proxy share it.
std::string AddressOf(const Request& request);

}  // namespace tintype::http::rest
