#include "tables/engine/registry/table_info.h"

#include <gtest/gtest.h>

namespace tintype::tables::engine {
namespace {

TableInfo Sample() {
  TableInfo table;
  table.id = 70000;
  table.uuid = "00000000-0000-4000-8000-000000000000";
  table.created_ms = 1'750'000'000'000;
  table.on_demand_since_ms = 1'750'000'000'001;
  table.tags = {{"team", "photos"}, {"empty", ""}};
  table.policy = std::make_shared<const ResourcePolicy>(ResourcePolicy{"{}", "1"});
  table.stream_policy = std::make_shared<const ResourcePolicy>(ResourcePolicy{"{ }", "2"});
  table.definition.name = "Images";
  table.definition.attributes = {
      {"pk", Type::kString}, {"sk", Type::kNumber}, {"b", Type::kBinary}};
  table.definition.keys = {{"pk"}, {"sk"}};
  table.definition.billing_mode = BillingMode::kPayPerRequest;
  table.definition.stream = StreamView::kOldImage;
  table.definition.encryption = EncryptionSpecification{true, "KMS", "alias/key"};
  table.definition.deletion_protection = true;
  table.definition.table_class = TableClass::kStandardInfrequentAccess;
  IndexInfo index;
  index.id = 3;
  index.local = true;
  index.definition = {
      "by-b", {{"pk"}, {"b"}}, {IndexProjection::Kind::kInclude, {"x", "a"}}, Throughput{5, 6}, {}};
  index.status = IndexStatus::kCreating;
  table.indexes.push_back(index);
  table.next_index_id = 4;
  table.Derive();
  return table;
}

// A description survives being stored, to the last setting.
TEST(TableInfoTest, RoundTrips) {
  const TableInfo before = Sample();
  const Result<TableInfo> after = TableInfo::FromStored(before.ToStored().view());
  ASSERT_TRUE(after.ok()) << after.error().message();
  EXPECT_EQ(after->ToStored(), before.ToStored());
  EXPECT_EQ(after->definition.attributes, before.definition.attributes);
  EXPECT_EQ(after->tags, before.tags);
  EXPECT_EQ(*after->policy, *before.policy);
  EXPECT_EQ(*after->stream_policy, *before.stream_policy);
  EXPECT_EQ(after->indexes[0].projected, (std::vector<std::string>{"a", "b", "pk", "sk", "x"}));
  EXPECT_EQ(after->indexes[0].range[0].type, Type::kBinary);
  EXPECT_EQ(after->indexes[0].definition.throughput, (Throughput{5, 6}));
  EXPECT_TRUE(after->logs_changes());
}

// A description that lacks a part, or has one of another type, is refused rather than guessed at.
TEST(TableInfoTest, RefusesDamage) {
  const Item stored = Sample().ToStored();
  int refused = 0;
  for (const auto& [name, value] : stored.view()) {
    std::vector<std::pair<std::string, Value>> entries;
    for (const auto& [other, kept] : stored.view()) {
      entries.emplace_back(std::string(other),
                           other == name ? Value::Binary("damage") : Value::Copy(kept));
    }
    refused += TableInfo::FromStored(Item::Of(std::move(entries)).view()).ok() ? 0 : 1;
  }
  EXPECT_EQ(refused, static_cast<int>(stored.view().size()));
  EXPECT_FALSE(TableInfo::FromStored(MapView()).ok());
}

// A key whose type is not declared anywhere, or that has no hash attribute, is damage too.
TEST(TableInfoTest, RefusesKeysWithoutTypes) {
  TableInfo table = Sample();
  table.definition.attributes.erase(table.definition.attributes.begin() + 1);
  EXPECT_FALSE(TableInfo::FromStored(table.ToStored().view()).ok());
  table = Sample();
  table.indexes[0].definition.keys.range = {"unheard-of"};
  EXPECT_FALSE(TableInfo::FromStored(table.ToStored().view()).ok());
  table = Sample();
  table.indexes[0].definition.keys.hash.clear();
  EXPECT_FALSE(TableInfo::FromStored(table.ToStored().view()).ok());
}

}  // namespace
}  // namespace tintype::tables::engine
