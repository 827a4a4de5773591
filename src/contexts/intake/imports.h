#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/common/transaction.h"
#include "tables/language/blocking_database.h"

namespace tintype::contexts::intake {

/// A file of a folder on the server, as it was when it was imported for a user. While it is being
/// imported, `complete` is false and `image_id` is its upload.
struct ImportedFile {
  std::string user_id;
  std::string path_hash;  // A hash of the path, which may be longer than a key, and any bytes.
  std::string path;
  int64_t bytes = 0;
  int64_t modified_ns = 0;
  std::string image_id;
  bool complete = false;
};

/// Remembers what was imported from folders, in the table tintype below IMPORTED#, so that it is
/// not read again. Thread-safe; keeps nothing.
class Imports {
 public:
  explicit Imports(tables::Database& database) : database_(database) {}

  Result<std::optional<ImportedFile>> Find(std::string_view user_id, std::string_view path_hash);
  /// In place of what was known of the file.
  static Piece Record(const ImportedFile& file);

  /// The hashes of paths of files that were imported for a user, at most `limit` of them.
  Result<std::vector<std::string>> List(std::string_view user_id, int64_t limit);
  /// Forgets a file. That it is not known is fine.
  static Piece Remove(std::string_view user_id, std::string_view path_hash);

 private:
  tables::BlockingDatabase database_;
};

}  // namespace tintype::contexts::intake
