#include "tables/wire/internal/table_shapes.h"
#include "tables/language/limits.h"
#include "tables/wire/internal/common_shapes.h"
#include "tables/wire/internal/shapes.h"

// The order of members within a table is the order in which DynamoDB lists their violations.
namespace tintype::tables::wire {

// There is no unnamed namespace here: a constant is of its file alone unless a header declares it,
// as table_shapes.h does with some of these.
using Kind = Shape::Kind;

constexpr std::string_view kAttributeTypeValues[] = {"B", "N", "S"};
constexpr std::string_view kKeyTypeValues[] = {"HASH", "RANGE"};
constexpr std::string_view kProjectionTypeValues[] = {"ALL", "INCLUDE", "KEYS_ONLY"};
constexpr std::string_view kStreamViewValues[] = {"NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES",
                                                  "KEYS_ONLY"};
constexpr std::string_view kTableClassValues[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS"};
constexpr std::string_view kEncryptionTypeValues[] = {"AES256", "KMS"};

constexpr Member kTableName{.name = "TableName", .shape = &kStringShape};
constexpr Member kAttributeName{.name = "AttributeName",
                                .shape = &kStringShape,
                                .required = true,
                                .min = 1,
                                .max = limits::kKeyAttributeNameBytes};
constexpr Member kIndexName{.name = "IndexName",
                            .shape = &kStringShape,
                            .required = true,
                            .min = limits::kNameBytesMin,
                            .max = limits::kNameBytes,
                            .pattern = Pattern::kName};

constexpr Member kAttributeDefinitionMembers[] = {
    kAttributeName,
    {.name = "AttributeType",
     .shape = &kStringShape,
     .required = true,
     .one_of = kAttributeTypeValues},
};
constexpr Shape kAttributeDefinitionShape{.kind = Kind::kStruct,
                                          .type_name = "AttributeDefinition",
                                          .members = kAttributeDefinitionMembers};
constexpr Member kAttributeDefinitionElement{.shape = &kAttributeDefinitionShape, .required = true};
constexpr Shape kAttributeDefinitionsShape{.kind = Kind::kList,
                                           .element = &kAttributeDefinitionElement};

constexpr Member kThroughputMembers[] = {
    {.name = "WriteCapacityUnits", .shape = &kLongShape, .required = true, .min = 1},
    {.name = "ReadCapacityUnits", .shape = &kLongShape, .required = true, .min = 1},
};
constexpr Shape kThroughputShape{
    .kind = Kind::kStruct, .type_name = "ProvisionedThroughput", .members = kThroughputMembers};
constexpr Member kThroughput{.name = "ProvisionedThroughput", .shape = &kThroughputShape};

constexpr Member kOnDemandMembers[] = {
    {.name = "MaxReadRequestUnits", .shape = &kLongShape},
    {.name = "MaxWriteRequestUnits", .shape = &kLongShape},
};
constexpr Shape kOnDemandShape{
    .kind = Kind::kStruct, .type_name = "OnDemandThroughput", .members = kOnDemandMembers};
constexpr Member kOnDemand{.name = "OnDemandThroughput", .shape = &kOnDemandShape};

constexpr Member kKeyElementMembers[] = {
    kAttributeName,
    {.name = "KeyType", .shape = &kStringShape, .required = true, .one_of = kKeyTypeValues},
};
constexpr Shape kKeyElementShape{
    .kind = Kind::kStruct, .type_name = "KeySchemaElement", .members = kKeyElementMembers};
constexpr Member kKeyElement{.shape = &kKeyElementShape, .required = true};
constexpr Shape kKeySchemaShape{.kind = Kind::kList, .element = &kKeyElement};
/// Of tables and local indexes. How many attributes a global index may have is the business of
/// ValidateTableDefinition, as it depends on their roles.
constexpr Member kKeySchema{
    .name = "KeySchema", .shape = &kKeySchemaShape, .required = true, .min = 1, .max = 2};
constexpr Member kGlobalKeySchema{
    .name = "KeySchema", .shape = &kKeySchemaShape, .required = true, .min = 1};

constexpr Member kProjectionMembers[] = {
    {.name = "ProjectionType", .shape = &kStringShape, .one_of = kProjectionTypeValues},
    {.name = "NonKeyAttributes",
     .shape = &kStringListShape,
     .min = 1,
     .max = limits::kIncludedAttributesPerIndex},
};
constexpr Shape kProjectionShape{
    .kind = Kind::kStruct, .type_name = "Projection", .members = kProjectionMembers};
constexpr Member kProjection{.name = "Projection", .shape = &kProjectionShape, .required = true};

constexpr Member kLocalIndexMembers[] = {kIndexName, kKeySchema, kProjection};
constexpr Shape kLocalIndexShape{
    .kind = Kind::kStruct, .type_name = "LocalSecondaryIndex", .members = kLocalIndexMembers};
constexpr Member kLocalIndexElement{.shape = &kLocalIndexShape, .required = true};
constexpr Shape kLocalIndexesShape{.kind = Kind::kList, .element = &kLocalIndexElement};

constexpr Member kGlobalIndexMembers[] = {kIndexName, kGlobalKeySchema, kProjection, kThroughput,
                                          kOnDemand};
constexpr Shape kGlobalIndexShape{
    .kind = Kind::kStruct, .type_name = "GlobalSecondaryIndex", .members = kGlobalIndexMembers};
constexpr Member kGlobalIndexElement{.shape = &kGlobalIndexShape, .required = true};
constexpr Shape kGlobalIndexesShape{.kind = Kind::kList, .element = &kGlobalIndexElement};

constexpr Member kStreamMembers[] = {
    {.name = "StreamEnabled", .shape = &kBooleanShape, .required = true},
    {.name = "StreamViewType", .shape = &kStringShape, .one_of = kStreamViewValues},
};
constexpr Shape kStreamShape{
    .kind = Kind::kStruct, .type_name = "StreamSpecification", .members = kStreamMembers};
constexpr Member kStream{.name = "StreamSpecification", .shape = &kStreamShape};

constexpr Member kEncryptionMembers[] = {
    {.name = "Enabled", .shape = &kBooleanShape},
    {.name = "SSEType", .shape = &kStringShape, .one_of = kEncryptionTypeValues},
    {.name = "KMSMasterKeyId", .shape = &kStringShape},
};
constexpr Shape kEncryptionShape{
    .kind = Kind::kStruct, .type_name = "SSESpecification", .members = kEncryptionMembers};
constexpr Member kEncryption{.name = "SSESpecification", .shape = &kEncryptionShape};

constexpr Member kTagMembers[] = {
    {.name = "Key", .shape = &kStringShape, .required = true, .min = 1, .max = 128},
    {.name = "Value", .shape = &kStringShape, .required = true, .min = 0, .max = 256},
};
constexpr Shape kTagShape{.kind = Kind::kStruct, .type_name = "Tag", .members = kTagMembers};
constexpr Member kTagElement{.shape = &kTagShape, .required = true};
constexpr Shape kTagsShape{.kind = Kind::kList, .element = &kTagElement};

constexpr Member kBillingMode{
    .name = "BillingMode", .shape = &kStringShape, .one_of = kBillingModeValues};
constexpr Member kTableClass{
    .name = "TableClass", .shape = &kStringShape, .one_of = kTableClassValues};
constexpr Member kDeletionProtection{.name = "DeletionProtectionEnabled", .shape = &kBooleanShape};

constexpr Member kCreateTableMembers[] = {
    {.name = "AttributeDefinitions", .shape = &kAttributeDefinitionsShape, .required = true},
    kTableName,
    kBillingMode,
    kThroughput,
    kKeySchema,
    {.name = "LocalSecondaryIndexes", .shape = &kLocalIndexesShape},
    {.name = "GlobalSecondaryIndexes", .shape = &kGlobalIndexesShape},
    kOnDemand,
    kStream,
    kEncryption,
    kTableClass,
    kDeletionProtection,
    {.name = "Tags", .shape = &kTagsShape},
    {.name = "ResourcePolicy", .shape = &kStringShape},
};

constexpr Member kUpdateIndexMembers[] = {kIndexName, kThroughput, kOnDemand};
constexpr Shape kUpdateIndexShape{.kind = Kind::kStruct,
                                  .type_name = "UpdateGlobalSecondaryIndexAction",
                                  .members = kUpdateIndexMembers};
constexpr Member kCreateIndexMembers[] = {kProjection, kIndexName, kThroughput, kOnDemand,
                                          kGlobalKeySchema};
constexpr Shape kCreateIndexShape{.kind = Kind::kStruct,
                                  .type_name = "CreateGlobalSecondaryIndexAction",
                                  .members = kCreateIndexMembers};
constexpr Member kDeleteIndexMembers[] = {kIndexName};
constexpr Shape kDeleteIndexShape{.kind = Kind::kStruct,
                                  .type_name = "DeleteGlobalSecondaryIndexAction",
                                  .members = kDeleteIndexMembers};
constexpr Member kIndexChangeMembers[] = {
    {.name = "Update", .shape = &kUpdateIndexShape},
    {.name = "Create", .shape = &kCreateIndexShape},
    {.name = "Delete", .shape = &kDeleteIndexShape},
};
constexpr Shape kIndexChangeShape{.kind = Kind::kStruct,
                                  .type_name = "GlobalSecondaryIndexUpdate",
                                  .members = kIndexChangeMembers};
constexpr Member kIndexChangeElement{.shape = &kIndexChangeShape, .required = true};
constexpr Shape kIndexChangesShape{.kind = Kind::kList, .element = &kIndexChangeElement};

constexpr Member kUpdateTableMembers[] = {
    kTableName,
    kThroughput,
    kBillingMode,
    {.name = "GlobalSecondaryIndexUpdates", .shape = &kIndexChangesShape},
    {.name = "AttributeDefinitions", .shape = &kAttributeDefinitionsShape},
    kOnDemand,
    kStream,
    kEncryption,
    kTableClass,
    kDeletionProtection,
};

constexpr Member kNameTableMembers[] = {kTableName};
constexpr Member kListTablesMembers[] = {
    {.name = "Limit", .shape = &kIntegerShape, .min = 1, .max = limits::kListedTables},
    {.name = "ExclusiveStartTableName",
     .shape = &kStringShape,
     .min = limits::kNameBytesMin,
     .max = limits::kNameBytes,
     .pattern = Pattern::kName},
};

// The rules of resource ARNs are in tag_requests.cc: they come before the constraints.
constexpr Member kResourceArn{.name = "ResourceArn", .shape = &kStringShape};
constexpr Member kTagResourceMembers[] = {kResourceArn,
                                          {.name = "Tags", .shape = &kTagsShape, .required = true}};
constexpr Member kUntagResourceMembers[] = {
    kResourceArn, {.name = "TagKeys", .shape = &kStringListShape, .required = true}};
constexpr Member kListTagsMembers[] = {kResourceArn, {.name = "NextToken", .shape = &kStringShape}};

constexpr Member kPolicyArn{.name = "ResourceArn",
                            .shape = &kStringShape,
                            .required = true,
                            .min = 1,
                            .max = limits::kResourceArnBytes};
constexpr Member kExpectedRevisionId{.name = "ExpectedRevisionId",
                                     .shape = &kStringShape,
                                     .min = 1,
                                     .max = limits::kRevisionIdBytes};
constexpr Member kPutResourcePolicyMembers[] = {
    kPolicyArn,
    {.name = "Policy", .shape = &kStringShape, .required = true},
    kExpectedRevisionId,
    {.name = "ConfirmRemoveSelfResourceAccess", .shape = &kBooleanShape},
};
constexpr Member kGetResourcePolicyMembers[] = {kPolicyArn};
constexpr Member kDeleteResourcePolicyMembers[] = {kPolicyArn, kExpectedRevisionId};

constexpr Member kTimeToLiveMembers[] = {
    kAttributeName,
    {.name = "Enabled", .shape = &kBooleanShape, .required = true},
};
constexpr Shape kTimeToLiveShape{
    .kind = Kind::kStruct, .type_name = "TimeToLiveSpecification", .members = kTimeToLiveMembers};
constexpr Member kUpdateTimeToLiveMembers[] = {
    kTableName,
    {.name = "TimeToLiveSpecification", .shape = &kTimeToLiveShape, .required = true},
};

const RequestShape kCreateTableShape{{.kind = Kind::kStruct, .members = kCreateTableMembers},
                                     TableNameRule::kCreate};
const RequestShape kUpdateTableShape{{.kind = Kind::kStruct, .members = kUpdateTableMembers},
                                     TableNameRule::kControl};
const RequestShape kNameTableShape{{.kind = Kind::kStruct, .members = kNameTableMembers},
                                   TableNameRule::kControl};
const RequestShape kListTablesShape{{.kind = Kind::kStruct, .members = kListTablesMembers}};
const RequestShape kTagResourceShape{{.kind = Kind::kStruct, .members = kTagResourceMembers}};
const RequestShape kUntagResourceShape{{.kind = Kind::kStruct, .members = kUntagResourceMembers}};
const RequestShape kListTagsShape{{.kind = Kind::kStruct, .members = kListTagsMembers}};
const RequestShape kPutResourcePolicyShape{
    {.kind = Kind::kStruct, .members = kPutResourcePolicyMembers}};
const RequestShape kGetResourcePolicyShape{
    {.kind = Kind::kStruct, .members = kGetResourcePolicyMembers}};
const RequestShape kDeleteResourcePolicyShape{
    {.kind = Kind::kStruct, .members = kDeleteResourcePolicyMembers}};
const RequestShape kUpdateTimeToLiveShape{
    {.kind = Kind::kStruct, .members = kUpdateTimeToLiveMembers}, TableNameRule::kControl};

}  // namespace tintype::tables::wire
