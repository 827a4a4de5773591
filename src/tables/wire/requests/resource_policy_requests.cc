#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/resource_policy.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_parameters.h"

// PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy. Their documents are up to access/.
namespace tintype::tables::wire {

namespace {

std::optional<std::string> DecodeExpectedRevision(const JsonObject& request) {
  const auto revision = request.String("ExpectedRevisionId");
  return revision ? std::optional(std::string(*revision)) : std::nullopt;
}

}  // namespace

Result<std::string> DecodePolicyDocument(std::string_view document) {
  if (document.size() > limits::kResourcePolicyBytes) {
    return InvalidParameter(StrCat("Invalid policy document: it has ", document.size(),
                                   " bytes, blanks included, and ", limits::kResourcePolicyBytes,
                                   " are the most that a policy can have"));
  }
  return std::string(document);
}

Result<PutResourcePolicyRequest> DecodePutResourcePolicy(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kPutResourcePolicyShape));
  PutResourcePolicyRequest request;
  request.arn = json.RequiredString("ResourceArn");
  ASSIGN_OR_RETURN(request.document, DecodePolicyDocument(json.RequiredString("Policy")));
  request.expected_revision_id = DecodeExpectedRevision(json);
  request.confirm_remove_self_access = json.Bool("ConfirmRemoveSelfResourceAccess").value_or(false);
  return request;
}

Result<GetResourcePolicyRequest> DecodeGetResourcePolicy(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kGetResourcePolicyShape));
  return GetResourcePolicyRequest{std::string(json.RequiredString("ResourceArn"))};
}

Result<DeleteResourcePolicyRequest> DecodeDeleteResourcePolicy(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kDeleteResourcePolicyShape));
  DeleteResourcePolicyRequest request;
  request.arn = json.RequiredString("ResourceArn");
  request.expected_revision_id = DecodeExpectedRevision(json);
  return request;
}

}  // namespace tintype::tables::wire
