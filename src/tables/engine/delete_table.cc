#include "tables/engine/describe_table.h"
#include "tables/engine/meta_keys.h"
#include "tables/engine/operations.h"
#include "tables/engine/table_change.h"
#include "tables/engine/task.h"

namespace tintype::tables::engine {

void DeleteTable(Core& core, DeleteTableRequest request, Done<TableResponse> done) {
  SubmitTableChange<TableResponse>(
      core, Space::kFrees,
      [&core, request = std::move(request)](CommitGroup& group) -> Result<TableResponse> {
        const TablePtr table = core.catalog.FindOrNull(request.table);
        if (!table) {
          return TableNotFound(request.table);
        }
        if (table->definition.deletion_protection) {
          return Error::Validation(
              "Resource cannot be deleted as it is currently protected against deletion. Disable "
              "deletion protection first.");
        }
        TableDescription description = Describe(core, *table);
        description.status = TableStatus::kDeleting;
        DropIndexData(group, *table, std::nullopt);
        group.batch()
            .Delete(core.storage->meta(), meta::TableKey(request.table))
            .PermitUncheckedError();
        group.OnWritten([&core, name = request.table] { core.catalog.Erase(name); });
        return TableResponse{std::move(description)};
      },
      std::move(done));
}

}  // namespace tintype::tables::engine
