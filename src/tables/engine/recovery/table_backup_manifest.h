#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "tables/language/values/value.h"

namespace tintype::tables::engine {

/// Which files the rows of a table's backup are in (docs/formats/table_backup.md).
struct TableBackupManifest {
  struct File {
    std::string name;  ///< In the backup's directory.
    int64_t rows = 0;

    bool operator==(const File&) const = default;
  };
  std::vector<File> files;  ///< In the order of their keys.

  /// `backup` is the stored description of the backup that they are the files of.
  Item ToStored(const Item& backup) const;
  /// Fails with kCorruption when the item is not one that ToStored writes.
  static Result<TableBackupManifest> FromStored(MapView stored);
};

}  // namespace tintype::tables::engine
