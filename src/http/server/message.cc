#include "http/server/message.h"

#include <unistd.h>

namespace tintype::http {

FileDescriptor::~FileDescriptor() { ::close(descriptor_); }

std::optional<std::string_view> Request::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) {
      return value;
    }
  }
  return std::nullopt;
}

BodyDecision Handler::TakeBody(const Request& /*head*/) { return {}; }

Response Handler::Refuse(int status, std::string_view reason) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain"}},
          .body = std::string(reason) + "\n"};
}

}  // namespace tintype::http
