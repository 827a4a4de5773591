#include "http/rest/protocol/client_address.h"

namespace tintype::http::rest {

std::string AddressOf(const Request& request) {
  return request.peer.substr(0, request.peer.rfind(':'));
}

}  // namespace tintype::http::rest
