#include "tables/engine/schema/resource_policies.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/schema/stream_change.h"
#include "tables/engine/schema/table_change.h"
#include "tables/language/errors.h"

// PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy. Whether a document says anything
// sensible is not for the engine, which knows no policies: access/ has looked at it before.
namespace tintype::tables::engine {
namespace {

using PolicyPtr = std::shared_ptr<const ResourcePolicy>;

/// What a policy is attached to: a table, the enabled stream of a table, or a retired one.
struct PolicyHolder {
  TablePtr table;                    // Null for a retired stream.
  std::optional<StreamInfo> stream;  // Absent for the table itself.

  PolicyPtr policy() const { return stream ? stream->policy : table->policy; }
};

/// The parts of `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME` and what may follow, a slash first.
struct TableArnParts {
  std::string_view name;
  std::string_view rest;
};

std::optional<TableArnParts> SplitTableArn(std::string_view arn) {
  constexpr std::string_view kTable = ":table/";
  const size_t found = arn.find(kTable);
  if (!arn.starts_with("arn:aws:dynamodb:") || found == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view resource = arn.substr(found + kTable.size());
  const size_t slash = std::min(resource.find('/'), resource.size());
  return TableArnParts{.name = resource.substr(0, slash), .rest = resource.substr(slash)};
}

/// The enabled stream of that ARN, with its table, or a retired one. Nothing for any other.
std::optional<PolicyHolder> FindStreamHolder(const Core& core, std::string_view table_name,
                                             std::string_view arn) {
  if (TablePtr table = core.tables.FindOrNull(table_name)) {
    std::optional<StreamInfo> stream = EnabledStream(*table);
    if (stream && stream->Arn(core.config) == arn) {
      return PolicyHolder{.table = std::move(table), .stream = std::move(stream)};
    }
  }
  const int64_t oldest_ms = core.clock.NowMs() - kStreamRetentionMs;
  for (StreamInfo& stream : core.retired_streams.All()) {
    if (stream.table_name == table_name && TimeOf(stream.end.value()) >= oldest_ms &&
        stream.Arn(core.config) == arn) {
      return PolicyHolder{.table = nullptr, .stream = std::move(stream)};
    }
  }
  return std::nullopt;
}

Result<PolicyHolder> FindHolder(const Core& core, std::string_view arn) {
  const std::optional<TableArnParts> parts = SplitTableArn(arn);
  const bool of_stream = parts && parts->rest.starts_with("/stream/");
  if (!parts || (!parts->rest.empty() && !of_stream)) {
    return Error::Validation(
        StrCat("Invalid TableArn: Invalid ResourceArn provided as input ", arn));
  }
  if (StrCat(TableArn(core.config, parts->name), parts->rest) != arn) {
    return NotOurs(arn);
  }
  if (of_stream) {
    std::optional<PolicyHolder> holder = FindStreamHolder(core, parts->name, arn);
    if (!holder) {
      return Error::NotFound(StrCat("Requested resource not found: Stream: ", arn, " not found"));
    }
    return *std::move(holder);
  }
  TablePtr table = core.tables.FindOrNull(parts->name);
  if (!table) {
    return TableNotFound(parts->name);
  }
  return PolicyHolder{.table = std::move(table), .stream = std::nullopt};
}

Error PolicyNotFound(std::string_view why) {
  return {tables::reasons::kPolicyNotFound,
          StrCat("Resource-based policy not found for the provided ResourceArn: ", why)};
}

/// Only what puts a policy can expect that there is none.
enum class PolicyChange { kPut, kDelete };

Status CheckRevision(const Core& core, const PolicyHolder& holder, PolicyChange change,
                     const std::optional<std::string>& expected) {
  if (!expected) {
    return OkStatus();
  }
  const PolicyPtr policy = holder.policy();
  const std::string of = holder.stream ? StrCat("stream ", holder.stream->Arn(core.config))
                                       : StrCat("table ", holder.table->definition.name);
  if (change == PolicyChange::kPut && *expected == kNoResourcePolicy) {
    if (policy == nullptr) {
      return OkStatus();
    }
    return PolicyNotFound(StrCat("Requested policy update expecting none to be present for ", of,
                                 ", but a policy exists with revision id ", policy->revision_id,
                                 "."));
  }
  if (policy != nullptr && *expected != policy->revision_id) {
    return PolicyNotFound(StrCat("Requested update for policy with revision id ", *expected,
                                 ", but the policy associated to target ", of, " has revision id ",
                                 policy->revision_id, "."));
  }
  if (policy == nullptr) {
    return PolicyNotFound(StrCat("Requested update for policy with revision id ", *expected,
                                 ", but no policy is associated to target ", of, "."));
  }
  return OkStatus();
}

void StagePolicy(CommitGroup& group, PolicyHolder holder, PolicyPtr policy) {
  if (holder.table == nullptr) {
    holder.stream->policy = std::move(policy);
    StageRetiredStream(group, *std::move(holder.stream));
    return;
  }
  TableInfo table = *holder.table;
  (holder.stream ? table.stream_policy : table.policy) = std::move(policy);
  StageTable(group, std::move(table));
}

Result<PolicyHolder> FindHolderToChange(const Core& core, const std::string& arn,
                                        PolicyChange change,
                                        const std::optional<std::string>& expected) {
  ASSIGN_OR_RETURN(PolicyHolder holder, FindHolder(core, arn));
  if (holder.table != nullptr && holder.table->creating()) {
    return Error::InUse(StrCat("Table is being created: ", holder.table->definition.name));
  }
  RETURN_IF_ERROR(CheckRevision(core, holder, change, expected));
  return holder;
}

}  // namespace

// As in DynamoDB, a revision is a time in milliseconds, and later ones are greater. Of a moment
// that nothing else happened in: a client that expects the revision of a policy that is gone must
// not meet another one.
std::shared_ptr<const ResourcePolicy> NewResourcePolicy(CommitGroup& group, std::string document) {
  const int64_t revision = TimeOf(group.core().positions.NextMoment(group.now_ms()));
  return std::make_shared<const ResourcePolicy>(
      ResourcePolicy{.document = std::move(document), .revision_id = std::to_string(revision)});
}

std::shared_ptr<const ResourcePolicy> PolicyOfStream(const Core& core, std::string_view arn) {
  if (!core.tables.have_policies() && !core.retired_streams.have_policies()) {
    return nullptr;
  }
  const std::optional<TableArnParts> parts = SplitTableArn(arn);
  const std::optional<PolicyHolder> holder =
      parts ? FindStreamHolder(core, parts->name, arn) : std::nullopt;
  return holder ? holder->policy() : nullptr;
}

void PutResourcePolicy(Core& core, PutResourcePolicyRequest request,
                       Done<ResourcePolicyResponse> done) {
  SubmitTableChange<ResourcePolicyResponse>(
      core, Space::kTakes,
      [request = std::move(request)](CommitGroup& group) mutable -> Result<ResourcePolicyResponse> {
        ASSIGN_OR_RETURN(PolicyHolder holder,
                         FindHolderToChange(group.core(), request.arn, PolicyChange::kPut,
                                            request.expected_revision_id));
        const PolicyPtr before = holder.policy();
        // The same again is no change.
        if (before != nullptr && before->document == request.document) {
          return ResourcePolicyResponse{before->revision_id};
        }
        PolicyPtr policy = NewResourcePolicy(group, std::move(request.document));
        ResourcePolicyResponse response{policy->revision_id};
        StagePolicy(group, std::move(holder), std::move(policy));
        return response;
      },
      std::move(done));
}

Result<GetResourcePolicyResponse> GetResourcePolicy(Core& core,
                                                    const GetResourcePolicyRequest& request) {
  ASSIGN_OR_RETURN(const PolicyHolder holder, FindHolder(core, request.arn));
  const PolicyPtr policy = holder.policy();
  if (policy == nullptr) {
    return PolicyNotFound(request.arn);
  }
  return GetResourcePolicyResponse{*policy};
}

void DeleteResourcePolicy(Core& core, DeleteResourcePolicyRequest request,
                          Done<ResourcePolicyResponse> done) {
  SubmitTableChange<ResourcePolicyResponse>(
      core, Space::kFrees,
      [request = std::move(request)](CommitGroup& group) -> Result<ResourcePolicyResponse> {
        ASSIGN_OR_RETURN(PolicyHolder holder,
                         FindHolderToChange(group.core(), request.arn, PolicyChange::kDelete,
                                            request.expected_revision_id));
        const PolicyPtr before = holder.policy();
        if (before == nullptr) {
          return ResourcePolicyResponse{};
        }
        StagePolicy(group, std::move(holder), nullptr);
        return ResourcePolicyResponse{before->revision_id};
      },
      std::move(done));
}

}  // namespace tintype::tables::engine
