#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/schema/backup_change.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/engine/schema/operations.h"
#include "tables/engine/schema/table_change.h"

namespace tintype::tables::engine {

void DeleteTable(Core& core, DeleteTableRequest request, Done<TableResponse> done) {
  SubmitTableChange<TableResponse>(
      core, Space::kFrees,
      [&core, request = std::move(request)](CommitGroup& group) -> Result<TableResponse> {
        const TablePtr table = core.tables.FindOrNull(request.table);
        if (!table) {
          return TableNotFound(request.table);
        }
        if (table->definition.deletion_protection) {
          return Error::Validation(
              "Resource cannot be deleted as it is currently protected against deletion. Disable "
              "deletion protection first.");
        }
        if (table->creating()) {
          return Error::InUse(StrCat("Table is being created: ", request.table));
        }
        if (IsBeingBackedUp(core, table->id)) {
          return Error::InUse(StrCat("Table is being backed up: ", request.table));
        }
        if (IsBeingRestored(core, table->id)) {
          return Error::InUse(StrCat("Table is being restored to another one: ", request.table));
        }
        TableDescription description = Describe(core, *table);
        description.status = TableStatus::kDeleting;
        RemoveTable(group, *table);
        return TableResponse{std::move(description)};
      },
      std::move(done));
}

}  // namespace tintype::tables::engine
