#pragma once

#include "base/result.h"
#include "tables/language/schema.h"

/// What DynamoDB checks of a table's definition before it looks at any table: keys against
/// attribute definitions, indexes, projections, throughput against billing mode, limits. Each
/// failure is a ValidationException with DynamoDB's words, in its order. The form of names is not
/// checked here; those who take names from a client do that.
namespace tintype::tables {

Status ValidateTableDefinition(const TableDefinition& definition);

/// The part that concerns one global index alone, for UpdateTable, which adds one to a table.
/// Whether its key attributes are defined is for the one who knows the table to check.
Status ValidateGlobalIndex(const IndexDefinition& index);

/// Throughput within what DynamoDB takes for a number.
Status ValidateThroughputBounds(const Throughput& throughput);

}  // namespace tintype::tables
