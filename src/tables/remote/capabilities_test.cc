#include "tables/remote/capabilities.h"
#include "tables/language/errors.h"

#include <gtest/gtest.h>

#include <functional>

namespace tintype::tables::remote {
namespace {

// A table that uses one thing.
CreateTableRequest Table(void (*use)(CreateTableRequest&)) {
  CreateTableRequest request;
  use(request);
  return request;
}

CreateTableRequest TableWithIndex(IndexDefinition index) {
  CreateTableRequest request;
  request.definition.global_indexes = {std::move(index)};
  return request;
}

// Each flag, alone, decides about exactly what it is for.
TEST(CapabilitiesTest, EachFlagDecidesAboutItsOwn) {
  using Flag = bool Capabilities::*;
  using Check = std::function<Status(const Capabilities&)>;
  const auto check = [](auto request) -> Check {
    return [request](const Capabilities& capabilities) { return capabilities.Check(request); };
  };
  IndexDefinition partial;
  partial.projection.kind = IndexProjection::Kind::kKeysOnly;
  IndexDefinition multiple;
  multiple.keys.hash = {"a", "b"};
  IndexDefinition limited;
  limited.on_demand_throughput.emplace();
  PutItemRequest put;
  put.options.return_old_on_condition_failure = true;
  UpdateTableRequest stream_off;
  stream_off.stream.emplace();
  UpdateTableRequest new_index;
  new_index.index_changes = {partial};
  UpdateTableRequest protect;
  protect.deletion_protection = true;

  const std::pair<Flag, Check> rows[] = {
      {&Capabilities::transactions, check(TransactGetItemsRequest())},
      {&Capabilities::transactions, check(TransactWriteItemsRequest())},
      {&Capabilities::partial_projections, check(TableWithIndex(partial))},
      {&Capabilities::partial_projections, check(new_index)},
      {&Capabilities::multi_attribute_keys, check(TableWithIndex(multiple))},
      {&Capabilities::streams, check(Table([](CreateTableRequest& request) {
         request.definition.stream = StreamView::kKeysOnly;
       }))},
      {&Capabilities::streams, check(stream_off)},
      {&Capabilities::tags_at_creation,
       check(Table([](CreateTableRequest& request) { request.tags["k"] = "v"; }))},
      {&Capabilities::resource_policies,
       check(Table([](CreateTableRequest& request) { request.resource_policy = "{}"; }))},
      {&Capabilities::resource_policies, check(PutResourcePolicyRequest())},
      {&Capabilities::resource_policies, check(GetResourcePolicyRequest())},
      {&Capabilities::resource_policies, check(DeleteResourcePolicyRequest())},
      {&Capabilities::tags, check(TagResourceRequest())},
      {&Capabilities::tags, check(UntagResourceRequest())},
      {&Capabilities::tags, check(ListTagsRequest())},
      {&Capabilities::time_to_live, check(UpdateTimeToLiveRequest())},
      {&Capabilities::encryption,
       check(Table([](CreateTableRequest& request) { request.definition.encryption.emplace(); }))},
      {&Capabilities::table_class, check(Table([](CreateTableRequest& request) {
         request.definition.table_class = TableClass::kStandardInfrequentAccess;
       }))},
      {&Capabilities::deletion_protection, check(Table([](CreateTableRequest& request) {
         request.definition.deletion_protection = true;
       }))},
      {&Capabilities::deletion_protection, check(protect)},
      {&Capabilities::on_demand_throughput, check(TableWithIndex(limited))},
      {&Capabilities::item_on_condition_failure, check(put)},
  };
  for (const auto& [own, request] : rows) {
    EXPECT_TRUE(request(Capabilities::Aws()).ok());
    for (const auto& [flag, other] : rows) {
      Capabilities capabilities = Capabilities::Aws();
      capabilities.*flag = false;
      const Status status = request(capabilities);
      EXPECT_EQ(status.ok(), flag != own);
      if (!status.ok()) {
        EXPECT_EQ(status.error().reason(), tables::reasons::kUnknownOperation);
        EXPECT_NE(status.error().message().find("DynamoDB is declared not to have"),
                  std::string::npos);
      }
    }
  }
}

TEST(CapabilitiesTest, FindsPresetsByName) {
  for (const std::string_view name :
       {"aws", "tintype", "alternator", "dynamodb_local", "dynalite"}) {
    EXPECT_TRUE(Capabilities::Named(name).ok()) << name;
    // Features that every service has are never refused.
    EXPECT_TRUE(Capabilities::Named(name)->Check(GetItemRequest()).ok());
    EXPECT_TRUE(Capabilities::Named(name)->Check(CreateTableRequest()).ok());
  }
  EXPECT_FALSE(Capabilities::Named("alternator")->Check(TransactGetItemsRequest()).ok());
  EXPECT_FALSE(Capabilities::Named("oracle").ok());
}

}  // namespace
}  // namespace tintype::tables::remote
