#include "tables/language/schema_validation.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace tintype::tables {
namespace {

constexpr char kInvalid[] = "One or more parameter values were invalid: ";

/// A provisioned table with both kinds of index that passes every check.
TableDefinition Valid() {
  TableDefinition table;
  table.name = "abc";
  table.attributes = {{"pk", Type::kString}, {"sk", Type::kNumber}, {"a", Type::kString}};
  table.keys = {{"pk"}, {"sk"}};
  table.throughput = Throughput{1, 1};
  table.local_indexes = {{"local", {{"pk"}, {"a"}}, {}, std::nullopt, std::nullopt}};
  table.global_indexes = {{"global", {{"a"}, {"sk"}}, {}, Throughput{1, 1}, std::nullopt}};
  return table;
}

void MakeOnDemand(TableDefinition& table) {
  table.billing_mode = BillingMode::kPayPerRequest;
  table.throughput.reset();
  for (IndexDefinition& index : table.global_indexes) {
    index.throughput.reset();
  }
}

void DropIndexes(TableDefinition& table) {
  table.local_indexes.clear();
  table.global_indexes.clear();
  table.attributes.pop_back();
}

struct Row {
  std::string message;
  std::function<void(TableDefinition&)> change;
};

// Each rule refuses the definition that breaks it, with DynamoDB's words.
TEST(SchemaValidationTest, RefusesBrokenDefinitions) {
  const std::string invalid = kInvalid;
  const std::vector<Row> rows = {
      {invalid + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode "
                 "is PROVISIONED",
       [](auto& table) { table.throughput.reset(); }},
      {invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                 "BillingMode is PAY_PER_REQUEST",
       [](auto& table) { table.billing_mode = BillingMode::kPayPerRequest; }},
      {"Given value 1000000000001 for ReadCapacityUnits is out of bounds",
       [](auto& table) {
         table.throughput = Throughput{1'000'000'000'001, 1};
       }},
      {"Given value 1000000000001 for WriteCapacityUnits is out of bounds",
       [](auto& table) {
         table.global_indexes[0].throughput = Throughput{1, 1'000'000'000'001};
       }},
      {invalid + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table "
                 "BillingMode is PROVISIONED.",
       [](auto& table) {
         table.on_demand_throughput = Throughput{1, 1};
       }},
      {invalid +
           "MaxWriteRequestUnits for OnDemandThroughput for index: global cannot be specified "
           "when table BillingMode is PROVISIONED.",
       [](auto& table) {
         table.global_indexes[0].on_demand_throughput = Throughput{-1, 1};
       }},
      {invalid + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of "
                 "valid range",
       [](auto& table) {
         MakeOnDemand(table);
         table.on_demand_throughput = Throughput{1, 0};
       }},
      {invalid + "Attribute Name is duplicated: pk",
       [](auto& table) {
         table.attributes.push_back({"pk", Type::kNumber});
       }},
      {"Invalid KeySchema: Some index key attribute have no definition",
       [](auto& table) {
         table.attributes = {{"pk", Type::kString}};
         table.keys = {{"pk"}, {"pk"}};
       }},
      {invalid +
           "Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, x], "
           "AttributeDefinitions: [pk, sk, a]",
       [](auto& table) { table.keys.range = {"x"}; }},
      {"Both the Hash Key and the Range Key element in the KeySchema have the same name",
       [](auto& table) { table.keys.range = {"pk"}; }},
      {"Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
       [](auto& table) { table.keys.hash.clear(); }},
      {"Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
       [](auto& table) {
         table.keys = {{"pk", "sk"}, {}};
       }},
      {invalid + "Number of attributes in KeySchema does not exactly match number of attributes "
                 "defined in AttributeDefinitions",
       [](auto& table) {
         DropIndexes(table);
         table.keys.range.clear();
       }},
      {invalid +
           "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, a, x], keys "
           "used: [pk, sk, a]",
       [](auto& table) {
         table.attributes.push_back({"x", Type::kString});
       }},
      {invalid + "Table KeySchema does not have a range key, which is required when specifying a "
                 "LocalSecondaryIndex",
       [](auto& table) { table.keys.range.clear(); }},
      {invalid + "Some index key attributes are not defined in AttributeDefinitions. Keys: [q], "
                 "AttributeDefinitions: [pk, sk, a]",
       [](auto& table) {
         table.global_indexes[0].keys = {{"q"}, {}};
       }},
      {invalid + "Index KeySchema does not have a range key for index: local",
       [](auto& table) { table.local_indexes[0].keys.range.clear(); }},
      {invalid + "Index KeySchema does not have the same leading hash key as table KeySchema for "
                 "index: local. index hash key: a, table hash key: pk",
       [](auto& table) {
         table.local_indexes[0].keys = {{"a"}, {"sk"}};
       }},
      {invalid + "The KeySchema contains multiple key attributes with the same name",
       [](auto& table) {
         table.global_indexes[0].keys = {{"a"}, {"a"}};
       }},
      {"Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
       [](auto& table) {
         table.global_indexes[0].keys = {{}, {"a"}};
       }},
      {invalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
       [](auto& table) {
         table.local_indexes[0].projection.kind = IndexProjection::Kind::kInclude;
       }},
      {invalid + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
       [](auto& table) {
         table.global_indexes[0].projection = {IndexProjection::Kind::kKeysOnly, {"x"}};
       }},
      {invalid + "ProjectionType is ALL, but NonKeyAttributes is specified",
       [](auto& table) { table.local_indexes[0].projection.include = {"x"}; }},
      {invalid + "Duplicate element in NonKeyAttributes: x",
       [](auto& table) {
         table.global_indexes[0].projection = {IndexProjection::Kind::kInclude, {"x", "y", "x"}};
       }},
      {invalid + "ProvisionedThroughput is not specified for index: global",
       [](auto& table) { table.global_indexes[0].throughput.reset(); }},
      {invalid + "ProvisionedThroughput should not be specified for index: global when BillingMode "
                 "is PAY_PER_REQUEST",
       [](auto& table) {
         MakeOnDemand(table);
         table.global_indexes[0].throughput = Throughput{1, 1};
       }},
      {invalid + "Duplicate index name: local",
       [](auto& table) { table.global_indexes[0].name = "local"; }},
      {invalid + "Number of LocalSecondaryIndexes exceeds per-table limit of 5",
       [](auto& table) {
         for (int i = 0; i < 5; ++i) {
           table.local_indexes.push_back(table.local_indexes[0]);
           table.local_indexes.back().name += std::to_string(i);
         }
       }},
      {invalid + "GlobalSecondaryIndex count exceeds the per-table limit of 20",
       [](auto& table) {
         for (int i = 0; i < 20; ++i) {
           table.global_indexes.push_back(table.global_indexes[0]);
           table.global_indexes.back().name += std::to_string(i);
         }
       }},
      {invalid + "Total number of NonKeyAttributes of all indexes exceeds per-table limit of 100",
       [](auto& table) {
         for (auto* index : {&table.local_indexes[0], &table.global_indexes[0]}) {
           index->projection.kind = IndexProjection::Kind::kInclude;
           for (int i = 0; i < 51; ++i) {
             index->projection.include.push_back("x" + std::to_string(i));
           }
         }
       }},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.message);
    TableDefinition table = Valid();
    row.change(table);
    const Status status = ValidateTableDefinition(table);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(static_cast<int>(status.error().kind()), static_cast<int>(ErrorKind::kValidation));
    EXPECT_EQ(status.error().message(), row.message);
  }
}

// The limits are inclusive, and what is unusual but allowed passes.
TEST(SchemaValidationTest, AcceptsSoundDefinitions) {
  const std::vector<std::function<void(TableDefinition&)>> changes = {
      [](auto&) {},
      [](auto& table) { MakeOnDemand(table); },
      [](auto& table) {
        MakeOnDemand(table);
        table.on_demand_throughput = Throughput{-1, 10};
        table.global_indexes[0].on_demand_throughput = Throughput{5, -1};
      },
      [](auto& table) { DropIndexes(table); },
      // An index like the table, and one whose range key is the table's.
      [](auto& table) {
        table.global_indexes[0].keys = table.keys;
        table.local_indexes[0].keys = {{"pk"}, {"a"}};
      },
      // Projected names may repeat keys.
      [](auto& table) {
        table.global_indexes[0].projection = {IndexProjection::Kind::kInclude, {"pk", "a"}};
      },
      // Four hash and four range attributes.
      [](auto& table) {
        table.global_indexes[0].keys = {{"h1", "h2", "h3", "h4"}, {"r1", "r2", "r3", "r4"}};
        for (const auto& name : table.global_indexes[0].keys.All()) {
          table.attributes.push_back({name, Type::kString});
        }
      },
      [](auto& table) {
        for (int i = 0; i < 19; ++i) {
          table.global_indexes.push_back(table.global_indexes[0]);
          table.global_indexes.back().name += std::to_string(i);
        }
      },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    TableDefinition table = Valid();
    changes[i](table);
    const Status status = ValidateTableDefinition(table);
    EXPECT_TRUE(status.ok()) << i << ": " << status.error().message();
  }
}

// A fifth key attribute of either role is one too many.
TEST(SchemaValidationTest, LimitsKeyAttributes) {
  IndexDefinition index{"idx", {{"a", "b", "c", "d", "e"}, {}}, {}, std::nullopt, std::nullopt};
  Status status = ValidateGlobalIndex(index);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message(),
            std::string(kInvalid) +
                "The KeySchema exceeds the maximum allowed number of HASH key attributes");
  index.keys = {{"x"}, {"a", "b", "c", "d", "e"}};
  status = ValidateGlobalIndex(index);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message(),
            std::string(kInvalid) +
                "The KeySchema exceeds the maximum allowed number of RANGE key attributes");
}

// A superfluous definition hides every other fault of an index, as it does in DynamoDB.
TEST(SchemaValidationTest, ReportsUnusedDefinitionsFirst) {
  TableDefinition table = Valid();
  table.attributes.push_back({"x", Type::kString});
  table.global_indexes[0].name = "local";
  table.global_indexes[0].projection.include = {"x"};
  const Status status = ValidateTableDefinition(table);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message().find("Some AttributeDefinitions are not used"),
            std::string(kInvalid).size());
}

// All attributes in the order of a key, hash before range, and none besides.
TEST(KeySchemaTest, ListsAndFindsAttributes) {
  const KeySchema keys{{"a", "b"}, {"c"}};
  EXPECT_EQ(keys.All(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(keys.Contains("b"));
  EXPECT_TRUE(keys.Contains("c"));
  EXPECT_FALSE(keys.Contains("d"));
}

}  // namespace
}  // namespace tintype::tables
