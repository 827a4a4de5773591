#include <algorithm>

#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/tags.h"

// TagResource, UntagResource, ListTagsOfResource.
namespace tintype::tables::wire {

namespace {

/// Only tables can be tagged.
Result<std::string> DecodeResourceArn(const JsonObject& request) {
  const auto arn = request.String("ResourceArn");
  if (!arn) {
    return Error::Validation("Invalid TableArn");
  }
  if (!arn->starts_with("arn:")) {
    return Error::Validation(StrCat("ARNs must start with 'arn:': ", *arn));
  }
  return DecodeTableArn(*arn);
}

/// Tags have letters, numbers, spaces and some signs. Characters beyond ASCII pass as letters.
Status CheckTagText(std::string_view part, std::string_view text) {
  constexpr std::string_view kSigns = " +-=._:/@";
  const bool allowed = std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80 || kSigns.find(c) != std::string_view::npos;
  });
  if (!allowed) {
    return Error::Validation(StrCat(
        "One or more parameter values were invalid: Tag ", part,
        " can contain only letters, numbers, spaces and + - = . _ : / @. Tag ", part, ": ", text));
  }
  return OkStatus();
}

/// Keys that start with aws: belong to AWS.
Status CheckTagKey(std::string_view key) {
  RETURN_IF_ERROR(CheckTagText("key", key));
  if (key.size() >= 4 && (key[0] == 'a' || key[0] == 'A') && (key[1] == 'w' || key[1] == 'W') &&
      (key[2] == 's' || key[2] == 'S') && key[3] == ':') {
    return Error::Validation(StrCat(
        "One or more parameter values were invalid: Tag key cannot begin with aws:. Tag key: ",
        key));
  }
  return OkStatus();
}

}  // namespace

Result<Tags> DecodeTags(JsonArray json) {
  Tags tags;
  for (const JsonElement element : json) {
    const JsonObject tag(element);
    const std::string_view key = tag.RequiredString("Key");
    RETURN_IF_ERROR(CheckTagKey(key));
    RETURN_IF_ERROR(CheckTagText("value", tag.RequiredString("Value")));
    if (!tags.emplace(key, tag.RequiredString("Value")).second) {
      return Error::Validation(StrCat(
          "One or more parameter values were invalid: Duplicate tag keys are not allowed: ", key));
    }
  }
  if (tags.size() > limits::kTagsPerResource) {
    return Error::Validation(
        StrCat("One or more parameter values were invalid: Number of tags exceeds the limit of ",
               limits::kTagsPerResource));
  }
  return tags;
}

Result<TagResourceRequest> DecodeTagResource(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kTagResourceShape));
  TagResourceRequest request;
  ASSIGN_OR_RETURN(request.arn, DecodeResourceArn(json));
  ASSIGN_OR_RETURN(request.tags, DecodeTags(json.RequiredArray("Tags")));
  if (request.tags.empty()) {
    return Error::Validation("Atleast one Tag needs to be provided as Input.");
  }
  return request;
}

Result<UntagResourceRequest> DecodeUntagResource(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kUntagResourceShape));
  UntagResourceRequest request;
  ASSIGN_OR_RETURN(request.arn, DecodeResourceArn(json));
  for (const JsonElement key : json.RequiredArray("TagKeys")) {
    request.keys.emplace_back(TextOf(key));
  }
  if (request.keys.empty()) {
    return Error::Validation("Atleast one Tag Key needs to be provided as Input.");
  }
  return request;
}

Result<ListTagsRequest> DecodeListTagsOfResource(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kListTagsShape));
  ListTagsRequest request;
  ASSIGN_OR_RETURN(request.arn, DecodeResourceArn(json));
  if (const auto token = json.String("NextToken")) {
    request.next_token = std::string(*token);
  }
  return request;
}

}  // namespace tintype::tables::wire
