#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/schema/table_change.h"
#include "tables/language/limits.h"

namespace tintype::tables::engine {
namespace {

// The table that an ARN names, if it is one of ours.
Result<TablePtr> FindByArn(const Core& core, std::string_view arn) {
  constexpr std::string_view kScheme = "arn:aws:dynamodb:";
  const size_t resource = arn.rfind(":table/");
  if (!arn.starts_with(kScheme) || resource == std::string_view::npos) {
    return Error::Validation(
        StrCat("Invalid TableArn: Invalid ResourceArn provided as input ", arn));
  }
  const std::string_view name = arn.substr(resource + std::string_view(":table/").size());
  if (arn != TableArn(core.config, name)) {
    return NotOurs(arn);
  }
  TablePtr table = core.tables.FindOrNull(name);
  if (!table) {
    // Spelled as DynamoDB spells it.
    return Error::NotFound(StrCat("Requested resource not found: ResourcArn: ", arn, " not found"));
  }
  return table;
}

template <typename Change>
void ChangeTags(Core& core, std::string arn, Change change, Done<EmptyResponse> done) {
  SubmitTableChange<EmptyResponse>(
      core, Space::kTakes,
      [arn = std::move(arn),
       change = std::move(change)](CommitGroup& group) -> Result<EmptyResponse> {
        ASSIGN_OR_RETURN(const TablePtr before, FindByArn(group.core(), arn));
        if (before->creating()) {
          return Error::InUse(StrCat("Table is being created: ", before->definition.name));
        }
        TableInfo table = *before;
        change(table.tags);
        if (table.tags.size() > limits::kTagsPerResource) {
          return Error::LimitExceeded(StrCat("Subscriber limit exceeded: A table can have at most ",
                                             limits::kTagsPerResource, " tags"));
        }
        StageTable(group, std::move(table));
        return EmptyResponse{};
      },
      std::move(done));
}

}  // namespace

void TagResource(Core& core, TagResourceRequest request, Done<EmptyResponse> done) {
  ChangeTags(
      core, std::move(request.arn),
      [added = std::move(request.tags)](Tags& tags) {
        for (const auto& [key, value] : added) {
          tags[key] = value;
        }
      },
      std::move(done));
}

void UntagResource(Core& core, UntagResourceRequest request, Done<EmptyResponse> done) {
  ChangeTags(
      core, std::move(request.arn),
      [removed = std::move(request.keys)](Tags& tags) {
        for (const std::string& key : removed) {
          tags.erase(key);
        }
      },
      std::move(done));
}

Result<ListTagsResponse> ListTagsOfResource(Core& core, const ListTagsRequest& request) {
  ASSIGN_OR_RETURN(const TablePtr table, FindByArn(core, request.arn));
  // At most 50 tags: they fit one page, so there is never a next token.
  ListTagsResponse response;
  response.tags = table->tags;
  return response;
}

}  // namespace tintype::tables::engine
