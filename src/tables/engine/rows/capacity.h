#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/engine/registry/table_info.h"
#include "tables/language/requests.h"

/// Capacity units as AWS documents them.
namespace tintype::tables::engine {

/// Units for writing `bytes`: one per started kilobyte, at least one.
double WriteUnits(size_t bytes);

/// Units for reading `bytes`: one per started four kilobytes, at least one; half of that for an
/// eventually consistent read.
double ReadUnits(size_t bytes, bool consistent);

/// What one item write cost: the table, and each index whose entry changed.
struct WriteCharge {
  double table = 0;
  std::vector<std::pair<const IndexInfo*, double>> indexes;
};

/// Adds a write's charge to a response's sum. Transactions pay double for the table's part.
void AddWriteCharge(ConsumedCapacity& sum, const WriteCharge& charge, bool transactional);

/// A sum for `table` to add charges to.
ConsumedCapacity StartCapacity(const TableInfo& table, ReturnCapacity wanted, bool transactional);

/// Finds or starts the sum for `table` in a response that reports several tables.
ConsumedCapacity& CapacityFor(std::vector<ConsumedCapacity>& sums, const TableInfo& table,
                              ReturnCapacity wanted, bool transactional);

}  // namespace tintype::tables::engine
