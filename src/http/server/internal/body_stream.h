#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "http/server/message.h"

namespace tintype::http::internal {

/// A body on its way into a sink, with the piece that the sink has at the moment. The connection
/// shares it with the `next` of that piece: a sink that is still busy when the connection ends
/// keeps both until it is done.
struct BodyStream {
  std::unique_ptr<BodySink> sink;
  std::string piece;
  // How fast it comes: the connection's business alone.
  uint64_t received_bytes = 0;
  std::chrono::steady_clock::time_point waited_since = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point handed_over_at = waited_since;
};

}  // namespace tintype::http::internal
