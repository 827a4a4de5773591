#include "tables/language/errors.h"
#include "tables/wire/internal/testing.h"

// Tables and their tags.
namespace tintype::tables::wire {
namespace {

using testing::ExpectAccepted;
using testing::ExpectErrors;
using testing::Violation;

constexpr char kPk[] = R"("AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}])";

std::string Create(const std::string& members) {
  return R"({"TableName": "abc", )" + members + "}";
}

// The constraints of the model, with the printed values that DynamoDB puts in them.
TEST(CreateTableTest, ChecksConstraints) {
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"CreateTable",
           Create(R"("AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "INVALID"}],
                     "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}])"),
           "1 validation error detected: Value 'INVALID' at "
           "'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member "
           "must "
           "satisfy enum value set: [B, N, S]"},
          {"CreateTable",
           Create(R"("AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                     "KeySchema": [{"AttributeName": "pk", "KeyType": "INVALID"}],
                     "BillingMode": "X")"),
           "2 validation errors detected: Value 'X' at 'billingMode' failed to satisfy constraint: "
           "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value 'INVALID' at "
           "'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum "
           "value set: [HASH, RANGE]"},
          {"CreateTable", Create(R"("AttributeDefinitions": [], "KeySchema": [
                     {"AttributeName": "pk", "KeyType": "HASH"},
                     {"AttributeName": "sk", "KeyType": "RANGE"},
                     {"AttributeName": "x", "KeyType": "RANGE"}])"),
           "1 validation error detected: Value '[KeySchemaElement(attributeName=pk, keyType=HASH), "
           "KeySchemaElement(attributeName=sk, keyType=RANGE), KeySchemaElement(attributeName=x, "
           "keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length "
           "less than or equal to 2"},
          {"CreateTable", Create(R"("KeySchema": [])"),
           "2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy "
           "constraint: Member must not be null; Value '[]' at 'keySchema' failed to satisfy "
           "constraint: Member must have length greater than or equal to 1"},
          {"CreateTable",
           Create(std::string(kPk) + R"(, "ProvisionedThroughput": {"ReadCapacityUnits": 0})"),
           "2 validation errors detected: Value null at 'provisionedThroughput.writeCapacityUnits' "
           "failed to satisfy constraint: Member must not be null; Value '0' at "
           "'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must "
           "have "
           "value greater than or equal to 1"},
          {"CreateTable",
           Create(std::string(kPk) + R"(, "GlobalSecondaryIndexes": [{"IndexName": "a!c",
               "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
               "Projection": {"ProjectionType": "all", "NonKeyAttributes": []}}])"),
           "3 validation errors detected: Value 'a!c' at "
           "'globalSecondaryIndexes.1.member.indexName' "
           "failed to satisfy constraint: Member must satisfy regular expression pattern: "
           "[a-zA-Z0-9_.-]+; Value 'all' at "
           "'globalSecondaryIndexes.1.member.projection.projectionType' failed to satisfy "
           "constraint: Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]; Value '[]' "
           "at "
           "'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy "
           "constraint: Member must have length greater than or equal to 1"},
      });
}

// What the decoder itself must check because the typed definition cannot show it.
TEST(CreateTableTest, ChecksWhatTheDefinitionLoses) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string billing = R"(, "BillingMode": "PAY_PER_REQUEST")";
  const auto with_index = [&](const std::string& keys, const std::string& projection) {
    return Create(std::string(kPk) + billing + R"(, "GlobalSecondaryIndexes": [{"IndexName": "idx",
        "KeySchema": )" +
                  keys + R"(, "Projection": )" + projection + "}]");
  };
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"CreateTable",
           Create(R"("AttributeDefinitions": [], "KeySchema": [
                     {"AttributeName": "sk", "KeyType": "RANGE"},
                     {"AttributeName": "pk", "KeyType": "HASH"}])" +
                  billing),
           "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
          {"CreateTable",
           with_index(R"([{"AttributeName": "a", "KeyType": "HASH"},
                          {"AttributeName": "b", "KeyType": "RANGE"},
                          {"AttributeName": "c", "KeyType": "HASH"}])",
                      R"({"ProjectionType": "ALL"})"),
           prefix + "All HASH key attributes must precede RANGE key attributes in the KeySchema"},
          {"CreateTable", with_index(R"([{"AttributeName": "pk", "KeyType": "HASH"}])", "{}"),
           prefix + "Unknown ProjectionType: null"},
          {"CreateTable", Create(std::string(kPk) + billing + R"(, "GlobalSecondaryIndexes": [])"),
           prefix + "List of GlobalSecondaryIndexes is empty"},
          {"CreateTable", Create(std::string(kPk) + billing + R"(, "LocalSecondaryIndexes": [])"),
           prefix + "List of LocalSecondaryIndexes is empty"},
          {"CreateTable",
           Create(std::string(kPk) + billing +
                  R"(, "StreamSpecification": {"StreamEnabled": true})"),
           prefix + "StreamViewType must be specified when StreamEnabled is true"},
          {"CreateTable",
           Create(std::string(kPk) + billing +
                  R"(, "StreamSpecification": {"StreamEnabled": false,
                       "StreamViewType": "KEYS_ONLY"})"),
           prefix + "StreamViewType cannot be specified when StreamEnabled is false"},
          {"CreateTable",
           Create(std::string(kPk) + billing + R"(, "Tags": [{"Key": "aws:x", "Value": ""}])"),
           prefix + "Tag key cannot begin with aws:. Tag key: aws:x"},
      });
}

// Every member of a definition arrives.
TEST(CreateTableTest, Decodes) {
  const auto request = DecodeCreateTable(R"({"TableName": "abc",
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
          {"AttributeName": "sk", "AttributeType": "N"}, {"AttributeName": "b", "AttributeType": "B"}],
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "sk", "KeyType": "RANGE"}],
      "BillingMode": "PAY_PER_REQUEST",
      "OnDemandThroughput": {"MaxReadRequestUnits": 5},
      "LocalSecondaryIndexes": [{"IndexName": "local",
          "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                        {"AttributeName": "b", "KeyType": "RANGE"}],
          "Projection": {"ProjectionType": "KEYS_ONLY"}}],
      "GlobalSecondaryIndexes": [{"IndexName": "global",
          "KeySchema": [{"AttributeName": "b", "KeyType": "HASH"},
                        {"AttributeName": "sk", "KeyType": "HASH"},
                        {"AttributeName": "pk", "KeyType": "RANGE"}],
          "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "y"]},
          "OnDemandThroughput": {"MaxReadRequestUnits": 7, "MaxWriteRequestUnits": 8}}],
      "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
      "SSESpecification": {"Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": "alias/k"},
      "DeletionProtectionEnabled": true, "TableClass": "STANDARD_INFREQUENT_ACCESS",
      "Tags": [{"Key": "k", "Value": "v"}]})");
  ASSERT_TRUE(request.ok()) << request.error().message();
  const TableDefinition& table = request->definition;
  EXPECT_EQ(table.name, "abc");
  EXPECT_EQ(table.attributes,
            (std::vector<AttributeDefinition>{
                {"pk", Type::kString}, {"sk", Type::kNumber}, {"b", Type::kBinary}}));
  EXPECT_EQ(table.keys, (KeySchema{{"pk"}, {"sk"}}));
  EXPECT_EQ(table.billing_mode, BillingMode::kPayPerRequest);
  EXPECT_FALSE(table.throughput.has_value());
  EXPECT_EQ(table.on_demand_throughput, (Throughput{5, -1}));
  ASSERT_EQ(table.local_indexes.size(), 1u);
  EXPECT_EQ(table.local_indexes[0].name, "local");
  EXPECT_EQ(table.local_indexes[0].projection.kind, IndexProjection::Kind::kKeysOnly);
  ASSERT_EQ(table.global_indexes.size(), 1u);
  EXPECT_EQ(table.global_indexes[0].keys, (KeySchema{{"b", "sk"}, {"pk"}}));
  EXPECT_EQ(table.global_indexes[0].projection,
            (IndexProjection{IndexProjection::Kind::kInclude, {"x", "y"}}));
  EXPECT_EQ(table.global_indexes[0].on_demand_throughput, (Throughput{7, 8}));
  EXPECT_EQ(table.stream, StreamView::kNewImage);
  ASSERT_TRUE(table.encryption.has_value());
  EXPECT_TRUE(table.encryption->enabled);
  EXPECT_EQ(table.encryption->type, "KMS");
  EXPECT_EQ(table.encryption->master_key, "alias/k");
  EXPECT_TRUE(table.deletion_protection);
  EXPECT_EQ(table.table_class, TableClass::kStandardInfrequentAccess);
  EXPECT_EQ(request->tags, (Tags{{"k", "v"}}));

  const auto plain = DecodeCreateTable(
      Create(std::string(kPk) +
             R"(, "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
                 "StreamSpecification": {"StreamEnabled": false}, "Tags": [])"));
  ASSERT_TRUE(plain.ok()) << plain.error().message();
  EXPECT_EQ(plain->definition.billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(plain->definition.throughput, (Throughput{5, 6}));
  EXPECT_FALSE(plain->definition.stream.has_value());
}

// What UpdateTable can check without the table.
TEST(UpdateTableTest, ChecksTheRequest) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string nothing =
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
      "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
      "OnDemandThroughput, WarmThroughput or TableClass is required";
  const auto with = [](const std::string& members) {
    return R"({"TableName": "abc", )" + members + "}";
  };
  const std::string create =
      R"({"Create": {"IndexName": "idx", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
          "Projection": {"ProjectionType": "ALL"}}})";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"UpdateTable", R"({"TableName": "abc"})", nothing},
          {"UpdateTable", with(R"("GlobalSecondaryIndexUpdates": [])"), nothing},
          {"UpdateTable", with(R"("AttributeDefinitions": [])"), nothing},
          {"UpdateTable",
           with(R"("GlobalSecondaryIndexUpdates": [], "DeletionProtectionEnabled": true)"),
           prefix + "List of GlobalSecondaryIndexUpdates is empty"},
          {"UpdateTable", with(R"("BillingMode": "PROVISIONED")"),
           prefix + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
          {"UpdateTable", with(R"("BillingMode": "PAY_PER_REQUEST",
                   "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})"),
           prefix + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                    "BillingMode is PAY_PER_REQUEST"},
          {"UpdateTable", with(R"("ProvisionedThroughput": {"ReadCapacityUnits": 1,
                                             "WriteCapacityUnits": 1000000000001})"),
           "Given value 1000000000001 for WriteCapacityUnits is out of bounds"},
          {"UpdateTable", with(R"("GlobalSecondaryIndexUpdates": [{}])"),
           prefix + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                    "GlobalSecondaryIndexUpdate.Delete must not be null"},
          {"UpdateTable", with(R"("GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "idx"},
                   "Update": {"IndexName": "idx"}}])"),
           prefix + "Only one global secondary index action is allowed per "
                    "GlobalSecondaryIndexUpdate object"},
          {"UpdateTable", with(R"("GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "idx"}},
                   {"Update": {"IndexName": "idx"}}])"),
           prefix + "Only one global secondary index update per index is allowed simultaneously. "
                    "Index: idx"},
          {"UpdateTable", with(R"("GlobalSecondaryIndexUpdates": [)" + create + "]"),
           prefix + "AttributeDefinitions is not specified for index: idx"},
          {"UpdateTable",
           with(R"("AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
                   "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "idx",
                     "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                     "Projection": {"ProjectionType": "INCLUDE"}}}])"),
           prefix + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
          {"UpdateTable", with(R"("GlobalSecondaryIndexUpdates": [{"Delete": {}}])"),
           "1 validation error detected: Value null at "
           "'globalSecondaryIndexUpdates.1.member.delete.indexName' failed to satisfy constraint: "
           "Member must not be null"},
      });
}

// Every change arrives; what is not mentioned stays absent.
TEST(UpdateTableTest, Decodes) {
  const auto request = DecodeUpdateTable(R"({"TableName": "abc",
      "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
      "BillingMode": "PROVISIONED",
      "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
      "GlobalSecondaryIndexUpdates": [
        {"Create": {"IndexName": "new", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"}}},
        {"Update": {"IndexName": "old",
                    "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}}}],
      "StreamSpecification": {"StreamEnabled": false}, "TableClass": "STANDARD",
      "DeletionProtectionEnabled": false, "SSESpecification": {"Enabled": true}})");
  ASSERT_TRUE(request.ok()) << request.error().message();
  EXPECT_EQ(request->throughput, (Throughput{1, 2}));
  ASSERT_EQ(request->index_changes.size(), 2u);
  EXPECT_EQ(std::get<IndexDefinition>(request->index_changes[0]).name, "new");
  EXPECT_EQ(std::get<UpdateTableRequest::UpdateIndex>(request->index_changes[1]).throughput,
            (Throughput{3, 4}));
  ASSERT_TRUE(request->stream.has_value());
  EXPECT_FALSE(request->stream->has_value());
  EXPECT_EQ(request->deletion_protection, false);
  EXPECT_EQ(request->table_class, TableClass::kStandard);
  EXPECT_TRUE(request->encryption.has_value());

  const auto removal = DecodeUpdateTable(
      R"({"TableName": "abc", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gone"}}]})");
  ASSERT_TRUE(removal.ok());
  EXPECT_EQ(std::get<UpdateTableRequest::DeleteIndex>(removal->index_changes[0]).name, "gone");

  const auto little = DecodeUpdateTable(
      R"({"TableName": "abc", "StreamSpecification": {"StreamEnabled": true,
          "StreamViewType": "KEYS_ONLY"}})");
  ASSERT_TRUE(little.ok());
  EXPECT_EQ(little->stream, std::optional(std::optional(StreamView::kKeysOnly)));
  EXPECT_FALSE(little->billing_mode.has_value());
  EXPECT_FALSE(little->deletion_protection.has_value());
}

// Only one index can be created or deleted at once; the table need not be looked up for that.
TEST(UpdateTableTest, ChangesOneIndexAtATime) {
  ExpectErrors(ErrorKind::kLimitExceeded,
               {{"UpdateTable",
                 R"({"TableName": "abc", "GlobalSecondaryIndexUpdates": [
                     {"Delete": {"IndexName": "one"}}, {"Delete": {"IndexName": "two"}}]})",
                 "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                 "simultaneously per table"}});
}

// Bounds are refused in DynamoDB's words; without a limit, a page has the most that is allowed.
TEST(ListTablesTest, ChecksAndDecodes) {
  ExpectErrors(
      ErrorKind::kValidation,
      {{"ListTables", R"({"Limit": 101})",
        "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: "
        "Member must have value less than or equal to 100"},
       {"ListTables", R"({"ExclusiveStartTableName": "a"})",
        "1 validation error detected: Value 'a' at 'exclusiveStartTableName' failed to "
        "satisfy constraint: Member must have length greater than or equal to 3"}});
  const auto all = DecodeListTables("{}");
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->limit, 100u);
  EXPECT_FALSE(all->exclusive_start_name.has_value());
  const auto some = DecodeListTables(R"({"Limit": 2, "ExclusiveStartTableName": "abc"})");
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(some->limit, 2u);
  EXPECT_EQ(some->exclusive_start_name, "abc");
}

// Tags belong to tables, named by ARN.
TEST(TagRequestsTest, ChecksAndDecodes) {
  const std::string arn = R"("ResourceArn": "arn:aws:dynamodb:r:1:table/abc")";
  std::string many;
  for (int i = 0; i < 51; ++i) {
    many += std::string(i == 0 ? "" : ",") + R"({"Key": "k)" + std::to_string(i) +
            R"(", "Value": "v"})";
  }
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"ListTagsOfResource", "{}", "Invalid TableArn"},
          {"TagResource",
           R"({"ResourceArn": "not-a-valid-arn", "Tags": [{"Key": "k", "Value": "v"}]})",
           "ARNs must start with 'arn:': not-a-valid-arn"},
          {"TagResource", "{" + arn + "}",
           "1 validation error detected: Value null at 'tags' failed to satisfy constraint: Member "
           "must not be null"},
          {"TagResource", "{" + arn + R"(, "Tags": []})",
           "Atleast one Tag needs to be provided as Input."},
          {"UntagResource", "{" + arn + R"(, "TagKeys": []})",
           "Atleast one Tag Key needs to be provided as Input."},
          {"TagResource", "{" + arn + R"(, "Tags": [{"Key": "", "Value": "v"}]})",
           "1 validation error detected: Value '' at 'tags.1.member.key' failed to satisfy "
           "constraint: Member must have length greater than or equal to 1"},
          {"TagResource",
           "{" + arn + R"(, "Tags": [{"Key": "k", "Value": "1"}, {"Key": "k", "Value": "2"}]})",
           "One or more parameter values were invalid: Duplicate tag keys are not allowed: k"},
          {"TagResource", "{" + arn + R"(, "Tags": [)" + many + "]}",
           "One or more parameter values were invalid: Number of tags exceeds the limit of 50"},
      });
  const auto tag = DecodeTagResource("{" + arn + R"(, "Tags": [{"Key": "k", "Value": ""}]})");
  ASSERT_TRUE(tag.ok());
  EXPECT_EQ(tag->arn, "arn:aws:dynamodb:r:1:table/abc");
  EXPECT_EQ(tag->tags, (Tags{{"k", ""}}));
  const auto untag = DecodeUntagResource("{" + arn + R"(, "TagKeys": ["a", "b"]})");
  ASSERT_TRUE(untag.ok());
  EXPECT_EQ(untag->keys, (std::vector<std::string>{"a", "b"}));
  const auto list = DecodeListTagsOfResource("{" + arn + R"(, "NextToken": "t"})");
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->next_token, "t");
}

// DynamoDB takes only keys of KMS, and wants to be told that it is one.
TEST(EncryptionTest, ChecksTheSpecification) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const auto create = [](const std::string& specification) {
    return Create(std::string(kPk) + R"(, "SSESpecification": )" + specification);
  };
  const std::string aes = R"({"Enabled": true, "SSEType": "AES256"})";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"CreateTable", create(aes), prefix + "SSEType AES256 is not supported"},
          {"UpdateTable", R"({"TableName": "abc", "SSESpecification": )" + aes + "}",
           prefix + "SSEType AES256 is not supported"},
          {"CreateTable", create(R"({"Enabled": true, "KMSMasterKeyId": "key"})"),
           prefix + "SSEType KMS is required if KMSMasterKeyId is specified"},
          {"CreateTable", create(R"({"Enabled": true, "SSEType": "KMZ"})"),
           Violation("'KMZ'", "sSESpecification.sSEType", "satisfy enum value set: [AES256, KMS]")},
      });
  ExpectAccepted({
      {"CreateTable", create("{}"), ""},
      {"CreateTable", create(R"({"Enabled": false})"), ""},
      {"CreateTable", create(R"({"Enabled": true})"), ""},
      {"CreateTable", create(R"({"Enabled": true, "SSEType": "KMS"})"), ""},
  });
}

// Both members of the specification are required, to turn it off too.
TEST(TimeToLiveTest, ChecksAndDecodes) {
  const std::string path = "timeToLiveSpecification";
  const auto with = [](const std::string& specification) {
    return R"({"TableName": "abc", "TimeToLiveSpecification": )" + specification + "}";
  };
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"UpdateTimeToLive", R"({"TimeToLiveSpecification": {}})",
           "The parameter 'TableName' is required but was not present in the request"},
          {"UpdateTimeToLive", R"({"TableName": "abc"})", Violation("null", path, "not be null")},
          {"UpdateTimeToLive", with(R"({"Enabled": true})"),
           Violation("null", path + ".attributeName", "not be null")},
          {"UpdateTimeToLive", with(R"({"AttributeName": "ttl"})"),
           Violation("null", path + ".enabled", "not be null")},
          {"UpdateTimeToLive", with(R"({"Enabled": true, "AttributeName": ""})"),
           Violation("''", path + ".attributeName", "have length greater than or equal to 1")},
          {"UpdateTimeToLive",
           with(R"({"Enabled": true, "AttributeName": ")" + std::string(256, 'a') + "\"}"),
           Violation("'" + std::string(256, 'a') + "'", path + ".attributeName",
                     "have length less than or equal to 255")},
          {"DescribeTimeToLive", "{}",
           "The parameter 'TableName' is required but was not present in the request"},
      });
  ExpectErrors(tables::reasons::kSerialization, {{"UpdateTimeToLive", with(R"({"Enabled": 1})"),
                                                  "NUMBER_VALUE cannot be converted to Boolean"}});
  const auto update = DecodeUpdateTimeToLive(
      R"({"TableName": "arn:aws:dynamodb:r:1:table/abc",
          "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "ttl"}})");
  ASSERT_TRUE(update.ok()) << update.error().message();
  EXPECT_EQ(update->table, "abc");
  EXPECT_TRUE(update->enabled);
  EXPECT_EQ(update->attribute, "ttl");
  const auto off = DecodeUpdateTimeToLive(with(R"({"Enabled": false, "AttributeName": "ttl"})"));
  ASSERT_TRUE(off.ok());
  EXPECT_FALSE(off->enabled);
  const auto describe = DecodeDescribeTimeToLive(R"({"TableName": "abc"})");
  ASSERT_TRUE(describe.ok());
  EXPECT_EQ(describe->table, "abc");
}

}  // namespace
}  // namespace tintype::tables::wire
