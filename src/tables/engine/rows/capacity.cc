#include "tables/engine/rows/capacity.h"

#include <algorithm>

namespace tintype::tables::engine {
namespace {

double CeilDivide(size_t bytes, size_t unit) {
  return static_cast<double>(std::max<size_t>(1, (bytes + unit - 1) / unit));
}

}  // namespace

double WriteUnits(size_t bytes) { return CeilDivide(bytes, 1024); }

double ReadUnits(size_t bytes, bool consistent) {
  return CeilDivide(bytes, 4096) * (consistent ? 1.0 : 0.5);
}

void AddWriteCharge(ConsumedCapacity& sum, const WriteCharge& charge, bool transactional) {
  sum.table_units.write += charge.table * (transactional ? 2 : 1);
  for (const auto& [index, units] : charge.indexes) {
    auto& by_name = index->local ? sum.local_indexes : sum.global_indexes;
    by_name[index->definition.name].write += units;
  }
}

ConsumedCapacity StartCapacity(const TableInfo& table, ReturnCapacity wanted, bool transactional) {
  ConsumedCapacity sum;
  sum.table = table.definition.name;
  sum.show_read_write = transactional;
  sum.show_breakdown = wanted == ReturnCapacity::kIndexes;
  return sum;
}

ConsumedCapacity& CapacityFor(std::vector<ConsumedCapacity>& sums, const TableInfo& table,
                              ReturnCapacity wanted, bool transactional) {
  const auto found = std::find_if(sums.begin(), sums.end(), [&](const ConsumedCapacity& sum) {
    return sum.table == table.definition.name;
  });
  if (found != sums.end()) {
    return *found;
  }
  return sums.emplace_back(StartCapacity(table, wanted, transactional));
}

}  // namespace tintype::tables::engine
