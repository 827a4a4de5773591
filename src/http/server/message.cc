#include "http/server/message.h"

#include "base/strings.h"

namespace tintype::http {

std::optional<std::string_view> Request::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) {
      return value;
    }
  }
  return std::nullopt;
}

std::string Request::HeaderList(std::string_view name) const {
  std::string list;
  for (const auto& [key, value] : headers) {
    if (key == name) {
      StrAppend(list, list.empty() ? "" : ",", value);
    }
  }
  return list;
}

BodyDecision Handler::TakeBody(const Request& /*head*/) { return {}; }

Response Handler::Refuse(int status, std::string_view reason) {
  Response response{.status = status,
                    .headers = {{"Content-Type", "text/plain"}},
                    .body = std::string(reason) + "\n"};
  if (status == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  return response;
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 416:
      return "Range Not Satisfiable";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Entity";
    case 423:
      return "Locked";
    case 428:
      return "Precondition Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 460:
      return "Checksum Mismatch";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Unknown";
  }
}

}  // namespace tintype::http
