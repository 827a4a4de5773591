#pragma once

#include <optional>

#include "base/error.h"
#include "http/server/host_check.h"
#include "http/server/message.h"

namespace tintype::http::rest {

/// Why a request is not for this server, or not from a page that may send it; nothing when it is.
/// The Host header has to be right for all of them. An Origin is looked at where it could do harm:
/// when the request may change something, or comes with a session in cookies. The first refusal is
/// logged, with the setting that helps: an operator may have forgotten a name.
std::optional<Error> CheckHostAndOrigin(const HostCheck& hosts, const Request& request);

}  // namespace tintype::http::rest
