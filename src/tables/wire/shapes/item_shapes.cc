#include "tables/language/limits.h"
#include "tables/wire/internal/common_shapes.h"
#include "tables/wire/internal/shapes.h"

// The order of members within a table is the order in which DynamoDB lists their violations.
namespace tintype::tables::wire {

namespace {

using Kind = Shape::Kind;

constexpr Shape kBlobShape{.kind = Kind::kBlob};
constexpr Member kBlobElement{.shape = &kBlobShape};
constexpr Shape kBlobListShape{.kind = Kind::kList, .element = &kBlobElement};

// An attribute value contains attribute values, so its tables refer to each other. Nothing in it
// has constraints of the model's kind; attribute_value.h checks what is in it.
extern const Shape kAttributeValueShape;
constexpr Member kAttributeValueElement{.shape = &kAttributeValueShape};
constexpr Shape kAttributeListShape{
    .kind = Kind::kList, .element = &kAttributeValueElement, .constrained = false};
constexpr Member kAttributeValueMembers[] = {
    {.name = "S", .shape = &kStringShape},        {.name = "N", .shape = &kStringShape},
    {.name = "B", .shape = &kBlobShape},          {.name = "BOOL", .shape = &kBooleanShape},
    {.name = "NULL", .shape = &kBooleanShape},    {.name = "SS", .shape = &kStringListShape},
    {.name = "NS", .shape = &kStringListShape},   {.name = "BS", .shape = &kBlobListShape},
    {.name = "L", .shape = &kAttributeListShape}, {.name = "M", .shape = &kAttributeMapShape},
};
constexpr Shape kAttributeValueShape{.kind = Kind::kStruct,
                                     .type_name = "AttributeValue",
                                     .members = kAttributeValueMembers,
                                     .constrained = false};

}  // namespace

constexpr Shape kAttributeMapShape{
    .kind = Kind::kMap, .element = &kAttributeValueElement, .constrained = false};

namespace {

constexpr std::string_view kReturnCapacityValues[] = {"INDEXES", "TOTAL", "NONE"};
constexpr std::string_view kReturnMetricsValues[] = {"SIZE", "NONE"};
constexpr std::string_view kReturnValuesValues[] = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE",
                                                    "UPDATED_NEW"};
constexpr std::string_view kReturnOnFailureValues[] = {"ALL_OLD", "NONE"};
constexpr std::string_view kConditionalOperatorValues[] = {"OR", "AND"};
constexpr std::string_view kUpdateActionValues[] = {"ADD", "PUT", "DELETE"};
constexpr std::string_view kSelectValues[] = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES",
                                              "ALL_PROJECTED_ATTRIBUTES"};
constexpr std::string_view kComparisonValues[] = {
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",      "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS"};

// Members that many requests have.
constexpr Member kReturnCapacity{
    .name = "ReturnConsumedCapacity", .shape = &kStringShape, .one_of = kReturnCapacityValues};
constexpr Member kReturnMetrics{
    .name = "ReturnItemCollectionMetrics", .shape = &kStringShape, .one_of = kReturnMetricsValues};
constexpr Member kReturnValues{
    .name = "ReturnValues", .shape = &kStringShape, .one_of = kReturnValuesValues};
constexpr Member kReturnOnFailure{.name = "ReturnValuesOnConditionCheckFailure",
                                  .shape = &kStringShape,
                                  .one_of = kReturnOnFailureValues};
constexpr Member kConditionalOperator{
    .name = "ConditionalOperator", .shape = &kStringShape, .one_of = kConditionalOperatorValues};
constexpr Member kAttributesToGet{.name = "AttributesToGet",
                                  .shape = &kStringListShape,
                                  .min = 1,
                                  .max = limits::kAttributesToGet};
constexpr Member kTableName{.name = "TableName", .shape = &kStringShape};
constexpr Member kNestedTableName{.name = "TableName",
                                  .shape = &kStringShape,
                                  .required = true,
                                  .min = 1,
                                  .max = limits::kNameBytes,
                                  .pattern = Pattern::kTableName};
constexpr Member kIndexName{.name = "IndexName",
                            .shape = &kStringShape,
                            .min = limits::kNameBytesMin,
                            .max = limits::kNameBytes,
                            .pattern = Pattern::kName};
constexpr Member kConsistentRead{.name = "ConsistentRead", .shape = &kBooleanShape};
constexpr Member kConditionExpression{.name = "ConditionExpression", .shape = &kStringShape};
constexpr Member kUpdateExpression{.name = "UpdateExpression", .shape = &kStringShape};
constexpr Member kFilterExpression{.name = "FilterExpression", .shape = &kStringShape};
constexpr Member kProjectionExpression{.name = "ProjectionExpression", .shape = &kStringShape};
constexpr Member kExpressionNames{.name = "ExpressionAttributeNames", .shape = &kStringMapShape};
constexpr Member kExpressionValues{.name = "ExpressionAttributeValues",
                                   .shape = &kAttributeMapShape};
constexpr Member kKey{.name = "Key", .shape = &kAttributeMapShape, .required = true};
constexpr Member kItem{.name = "Item", .shape = &kAttributeMapShape, .required = true};
constexpr Member kExclusiveStartKey{.name = "ExclusiveStartKey", .shape = &kAttributeMapShape};

// The legacy conditions and updates.
constexpr Member kExpectedMembers[] = {
    {.name = "AttributeValueList", .shape = &kAttributeListShape},
    {.name = "ComparisonOperator", .shape = &kStringShape, .one_of = kComparisonValues},
    {.name = "Exists", .shape = &kBooleanShape},
    {.name = "Value", .shape = &kAttributeValueShape},
};
constexpr Shape kExpectedShape{
    .kind = Kind::kStruct, .type_name = "ExpectedAttributeValue", .members = kExpectedMembers};
constexpr Member kExpectedElement{.shape = &kExpectedShape, .required = true};
constexpr Shape kExpectedMapShape{.kind = Kind::kMap, .element = &kExpectedElement};
constexpr Member kExpected{.name = "Expected", .shape = &kExpectedMapShape};

constexpr Member kConditionMembers[] = {
    {.name = "AttributeValueList", .shape = &kAttributeListShape},
    {.name = "ComparisonOperator",
     .shape = &kStringShape,
     .required = true,
     .one_of = kComparisonValues},
};
constexpr Shape kConditionShape{
    .kind = Kind::kStruct, .type_name = "Condition", .members = kConditionMembers};
constexpr Member kConditionElement{.shape = &kConditionShape, .required = true};
constexpr Shape kConditionMapShape{.kind = Kind::kMap, .element = &kConditionElement};

constexpr Member kAttributeUpdateMembers[] = {
    {.name = "Action", .shape = &kStringShape, .one_of = kUpdateActionValues},
    {.name = "Value", .shape = &kAttributeValueShape},
};
constexpr Shape kAttributeUpdateShape{
    .kind = Kind::kStruct, .type_name = "AttributeValueUpdate", .members = kAttributeUpdateMembers};
constexpr Member kAttributeUpdateElement{.shape = &kAttributeUpdateShape, .required = true};
constexpr Shape kAttributeUpdateMapShape{.kind = Kind::kMap, .element = &kAttributeUpdateElement};

// Single items.
constexpr Member kGetItemMembers[] = {
    kReturnCapacity, kAttributesToGet,      kTableName,       kKey,
    kConsistentRead, kProjectionExpression, kExpressionNames,
};
constexpr Member kItemLineMembers[] = {kItem};

constexpr Member kPutItemMembers[] = {
    kReturnCapacity,
    kTableName,
    kItem,
    kConditionalOperator,
    kExpected,
    kReturnValues,
    kReturnMetrics,
    kConditionExpression,
    kExpressionValues,
    kExpressionNames,
    kReturnOnFailure,
};
constexpr Member kDeleteItemMembers[] = {
    kReturnCapacity,      kTableName, kReturnValues,        kReturnMetrics,    kKey,
    kConditionalOperator, kExpected,  kConditionExpression, kExpressionValues, kExpressionNames,
    kReturnOnFailure,
};
constexpr Member kUpdateItemMembers[] = {
    kReturnCapacity,
    kTableName,
    kReturnMetrics,
    kReturnValues,
    kKey,
    kConditionalOperator,
    kExpected,
    {.name = "AttributeUpdates", .shape = &kAttributeUpdateMapShape},
    kConditionExpression,
    kUpdateExpression,
    kExpressionValues,
    kExpressionNames,
    kReturnOnFailure,
};

// Batches.
constexpr Member kKeyElement{.shape = &kAttributeMapShape, .required = true};
constexpr Shape kKeyListShape{.kind = Kind::kList, .element = &kKeyElement};
constexpr Member kKeysAndAttributesMembers[] = {
    {.name = "Keys",
     .shape = &kKeyListShape,
     .required = true,
     .min = 1,
     .max = limits::kBatchGetKeys,
     .terse = true},
    kAttributesToGet,
    kConsistentRead,
    kProjectionExpression,
    kExpressionNames,
};
constexpr Shape kKeysAndAttributesShape{
    .kind = Kind::kStruct, .type_name = "KeysAndAttributes", .members = kKeysAndAttributesMembers};
constexpr Member kKeysAndAttributesElement{.shape = &kKeysAndAttributesShape, .required = true};
constexpr Shape kKeysAndAttributesMapShape{.kind = Kind::kMap,
                                           .element = &kKeysAndAttributesElement};
constexpr Member kBatchGetItemMembers[] = {
    kReturnCapacity,
    {.name = "RequestItems",
     .shape = &kKeysAndAttributesMapShape,
     .required = true,
     .table_name_keys = true},
};

constexpr Member kDeleteRequestMembers[] = {kKey};
constexpr Shape kDeleteRequestShape{
    .kind = Kind::kStruct, .type_name = "DeleteRequest", .members = kDeleteRequestMembers};
constexpr Member kPutRequestMembers[] = {kItem};
constexpr Shape kPutRequestShape{
    .kind = Kind::kStruct, .type_name = "PutRequest", .members = kPutRequestMembers};
constexpr Member kWriteRequestMembers[] = {
    {.name = "DeleteRequest", .shape = &kDeleteRequestShape},
    {.name = "PutRequest", .shape = &kPutRequestShape},
};
constexpr Shape kWriteRequestShape{
    .kind = Kind::kStruct, .type_name = "WriteRequest", .members = kWriteRequestMembers};
constexpr Member kWriteRequestElement{.shape = &kWriteRequestShape, .required = true};
constexpr Shape kWriteRequestListShape{.kind = Kind::kList, .element = &kWriteRequestElement};
constexpr Member kWriteRequestListElement{.shape = &kWriteRequestListShape};
constexpr Shape kWriteRequestMapShape{.kind = Kind::kMap, .element = &kWriteRequestListElement};
constexpr Member kBatchWriteItemMembers[] = {
    kReturnCapacity,
    kReturnMetrics,
    {.name = "RequestItems",
     .shape = &kWriteRequestMapShape,
     .required = true,
     .map_values_max = limits::kBatchWriteActions,
     .table_name_keys = true},
};

// Transactions.
constexpr Member kGetMembers[] = {kKey, kNestedTableName, kProjectionExpression, kExpressionNames};
constexpr Shape kGetShape{.kind = Kind::kStruct, .type_name = "Get", .members = kGetMembers};
constexpr Member kTransactGetMembers[] = {{.name = "Get", .shape = &kGetShape, .required = true}};
constexpr Shape kTransactGetShape{
    .kind = Kind::kStruct, .type_name = "TransactGetItem", .members = kTransactGetMembers};
constexpr Member kTransactGetElement{.shape = &kTransactGetShape, .required = true};
constexpr Shape kTransactGetListShape{.kind = Kind::kList, .element = &kTransactGetElement};
constexpr Member kTransactGetItemsMembers[] = {
    kReturnCapacity,
    {.name = "TransactItems",
     .shape = &kTransactGetListShape,
     .required = true,
     .min = 1,
     .max = limits::kTransactActions},
};

constexpr Member kRequiredConditionExpression{
    .name = "ConditionExpression", .shape = &kStringShape, .required = true};
constexpr Member kConditionCheckMembers[] = {kKey,
                                             kNestedTableName,
                                             kRequiredConditionExpression,
                                             kExpressionNames,
                                             kExpressionValues,
                                             kReturnOnFailure};
constexpr Shape kConditionCheckShape{
    .kind = Kind::kStruct, .type_name = "ConditionCheck", .members = kConditionCheckMembers};
constexpr Member kPutMembers[] = {
    kItem,           kNestedTableName, kConditionExpression, kExpressionNames, kExpressionValues,
    kReturnOnFailure};
constexpr Shape kPutShape{.kind = Kind::kStruct, .type_name = "Put", .members = kPutMembers};
constexpr Member kDeleteMembers[] = {kKey,
                                     kNestedTableName,
                                     kConditionExpression,
                                     kExpressionNames,
                                     kExpressionValues,
                                     kReturnOnFailure};
constexpr Shape kDeleteShape{
    .kind = Kind::kStruct, .type_name = "Delete", .members = kDeleteMembers};
constexpr Member kRequiredUpdateExpression{
    .name = "UpdateExpression", .shape = &kStringShape, .required = true};
constexpr Member kUpdateMembers[] = {kKey,
                                     kRequiredUpdateExpression,
                                     kNestedTableName,
                                     kConditionExpression,
                                     kExpressionNames,
                                     kExpressionValues,
                                     kReturnOnFailure};
constexpr Shape kUpdateShape{
    .kind = Kind::kStruct, .type_name = "Update", .members = kUpdateMembers};
constexpr Member kTransactWriteMembers[] = {
    {.name = "ConditionCheck", .shape = &kConditionCheckShape},
    {.name = "Put", .shape = &kPutShape},
    {.name = "Delete", .shape = &kDeleteShape},
    {.name = "Update", .shape = &kUpdateShape},
};
constexpr Shape kTransactWriteShape{
    .kind = Kind::kStruct, .type_name = "TransactWriteItem", .members = kTransactWriteMembers};
constexpr Member kTransactWriteElement{.shape = &kTransactWriteShape, .required = true};
constexpr Shape kTransactWriteListShape{.kind = Kind::kList, .element = &kTransactWriteElement};
constexpr Member kTransactWriteItemsMembers[] = {
    kReturnCapacity,
    kReturnMetrics,
    {.name = "ClientRequestToken",
     .shape = &kStringShape,
     .min = 1,
     .max = limits::kClientTokenBytes},
    {.name = "TransactItems",
     .shape = &kTransactWriteListShape,
     .required = true,
     .min = 1,
     .max = limits::kTransactActions},
};

// Query and Scan.
constexpr Member kQueryMembers[] = {
    {.name = "Select", .shape = &kStringShape, .one_of = kSelectValues},
    kIndexName,
    kReturnCapacity,
    {.name = "QueryFilter", .shape = &kConditionMapShape},
    kTableName,
    kConditionalOperator,
    kAttributesToGet,
    {.name = "Limit", .shape = &kIntegerShape, .min = 1, .terse = true},
    {.name = "KeyConditions", .shape = &kConditionMapShape},
    kExclusiveStartKey,
    kConsistentRead,
    {.name = "ScanIndexForward", .shape = &kBooleanShape},
    {.name = "KeyConditionExpression", .shape = &kStringShape},
    kFilterExpression,
    kProjectionExpression,
    kExpressionValues,
    kExpressionNames,
};
constexpr Member kScanMembers[] = {
    {.name = "Select", .shape = &kStringShape, .one_of = kSelectValues},
    kIndexName,
    {.name = "TotalSegments", .shape = &kIntegerShape, .min = 1, .max = limits::kScanSegments},
    kReturnCapacity,
    kTableName,
    kConditionalOperator,
    {.name = "ScanFilter", .shape = &kConditionMapShape},
    {.name = "Segment", .shape = &kIntegerShape, .min = 0, .max = limits::kScanSegments - 1},
    {.name = "Limit", .shape = &kIntegerShape, .min = 1},
    kAttributesToGet,
    kExclusiveStartKey,
    kConsistentRead,
    kFilterExpression,
    kProjectionExpression,
    kExpressionValues,
    kExpressionNames,
};

}  // namespace

const RequestShape kGetItemShape{{.kind = Kind::kStruct, .members = kGetItemMembers},
                                 TableNameRule::kData};
const RequestShape kItemLineShape{{.kind = Kind::kStruct, .members = kItemLineMembers}};
const RequestShape kPutItemShape{{.kind = Kind::kStruct, .members = kPutItemMembers},
                                 TableNameRule::kData};
const RequestShape kDeleteItemShape{{.kind = Kind::kStruct, .members = kDeleteItemMembers},
                                    TableNameRule::kData};
const RequestShape kUpdateItemShape{{.kind = Kind::kStruct, .members = kUpdateItemMembers},
                                    TableNameRule::kData};
const RequestShape kBatchGetItemShape{{.kind = Kind::kStruct, .members = kBatchGetItemMembers}};
const RequestShape kBatchWriteItemShape{{.kind = Kind::kStruct, .members = kBatchWriteItemMembers}};
const RequestShape kTransactGetItemsShape{
    {.kind = Kind::kStruct, .members = kTransactGetItemsMembers}};
const RequestShape kTransactWriteItemsShape{
    {.kind = Kind::kStruct, .members = kTransactWriteItemsMembers}};
const RequestShape kQueryShape{{.kind = Kind::kStruct, .members = kQueryMembers},
                               TableNameRule::kData};
const RequestShape kScanShape{{.kind = Kind::kStruct, .members = kScanMembers},
                              TableNameRule::kData};

}  // namespace tintype::tables::wire
