#include "json/jwt.h"

#include <optional>
#include <utility>

#include "base/base64.h"

namespace tintype::json {
namespace {

Result<Value> ParsePart(std::string_view part, size_t bytes_max) {
  const std::optional<std::string> text = ParseBase64Url(part);
  if (!text) {
    return Error::Validation("A part of the token is no base64url.");
  }
  ASSIGN_OR_RETURN(Value value, Parse(*text, bytes_max));
  if (!value.is_object()) {
    return Error::Validation("A part of the token is no object.");
  }
  return value;
}

}  // namespace

Result<Jwt> ParseJwt(std::string_view token, size_t bytes_max) {
  const size_t first = token.find('.');
  const size_t second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (token.size() > bytes_max || second == std::string_view::npos ||
      token.find('.', second + 1) != std::string_view::npos) {
    return Error::Validation("This is no token of three parts.");
  }
  Jwt jwt;
  ASSIGN_OR_RETURN(jwt.header, ParsePart(token.substr(0, first), bytes_max));
  ASSIGN_OR_RETURN(jwt.claims, ParsePart(token.substr(first + 1, second - first - 1), bytes_max));
  std::optional<std::string> signature = ParseBase64Url(token.substr(second + 1));
  if (!signature || signature->empty()) {
    return Error::Validation("The token has no signature.");
  }
  jwt.signature = *std::move(signature);
  jwt.signed_text = token.substr(0, second);
  return jwt;
}

std::string TextOf(const Value& object, std::string_view name) {
  const Value* member = object.Find(name);
  const std::string* text = member == nullptr ? nullptr : member->text();
  return text == nullptr ? "" : *text;
}

int64_t IntegerOf(const Value& object, std::string_view name) {
  const Value* member = object.Find(name);
  return member == nullptr ? 0 : member->integer().value_or(0);
}

}  // namespace tintype::json
