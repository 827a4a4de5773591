#include "tables/engine/recovery/table_backup_manifest.h"

#include <gtest/gtest.h>

namespace tintype::tables::engine {
namespace {

// A manifest names again the files that it was made with.
TEST(TableBackupManifestTest, ReadsBack) {
  const TableBackupManifest manifest{{{"1.sst", 10}, {"2.sst", 0}}};
  const Item stored = manifest.ToStored(Item());
  const auto read = TableBackupManifest::FromStored(stored.view());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->files, manifest.files);
}

// One that we would not have written is damaged, above all one whose names lead elsewhere, and
// numbers that are too large for us.
TEST(TableBackupManifestTest, RefusesOthers) {
  const Value one = Value::Integer(1);
  const Value name = Value::List({Value::String("1.sst")});
  const Value count = Value::List({one});
  struct {
    Value version;
    Value files;
    Value counts;
  } const cases[] = {
      {Value::Integer(2), name, count},
      {Value::String("1"), name, count},
      {one, Value::List({}), count},
      {one, Value::List({Value::String("../1.sst")}), count},
      {one, Value::List({Value::String("/1.sst")}), count},
      {one, Value::List({Value::String("")}), count},
      {one, Value::List({one}), count},
      {one, one, count},
      {one, name, Value::List({Value::Integer(-1)})},
      {one, name, Value::List({Value::String("1")})},
      {one, name, Value::List({Value::OfNumber(*Number::Parse("1e100"))})},
      {one, name, one},
  };
  for (const auto& [version, files, counts] : cases) {
    const Item stored = Item::Of({{"version", version}, {"files", files}, {"counts", counts}});
    const auto read = TableBackupManifest::FromStored(stored.view());
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().kind(), ErrorKind::kCorruption);
  }
  EXPECT_FALSE(TableBackupManifest::FromStored(Item().view()).ok());
}

}  // namespace
}  // namespace tintype::tables::engine
