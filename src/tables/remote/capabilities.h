#pragma once

#include <string>

#include "base/result.h"
#include "tables/language/requests.h"
#include "tables/language/streams.h"

namespace tintype::tables::remote {

/// What a service is declared to have, of the things that not every DynamoDB-API service has. A
/// request for something else fails at once, with a clear error and without being sent, instead of
/// being misunderstood: some services pass over members that they do not know.
///
/// Services change, so a preset is a starting point: set what your version has.
struct Capabilities {
  /// For messages.
  std::string service = "the service";

  bool transactions = true;  ///< TransactGetItems, TransactWriteItems.
  /// Indexes with the projections KEYS_ONLY and INCLUDE.
  bool partial_projections = true;
  bool multi_attribute_keys = true;  ///< Global indexes with several hash or range attributes.
  bool streams = true;
  bool tags = true;               ///< TagResource, UntagResource, ListTagsOfResource.
  bool tags_at_creation = true;   ///< Tags of a CreateTable.
  bool resource_policies = true;  ///< PutResourcePolicy and its kin, ResourcePolicy of CreateTable.
  bool time_to_live = true;       ///< UpdateTimeToLive; all can describe it.
  bool encryption = true;         ///< SSESpecification.
  bool table_class = true;
  bool deletion_protection = true;
  bool on_demand_throughput = true;  ///< Limits for on-demand tables, not the billing mode.
  /// ReturnValuesOnConditionCheckFailure for single writes; transactions always have it.
  bool item_on_condition_failure = true;

  // A preset lacks only what the service's documentation, or the conformance suite run against it,
  // shows it to lack.
  static Capabilities Aws();
  static Capabilities Tintype();
  /// ScyllaDB's Alternator, by its documentation; the suite was not run against it.
  static Capabilities Alternator();
  /// AWS's DynamoDB Local, version 1.11.478.
  static Capabilities DynamoDbLocal();
  /// dynalite 4.0.0.
  static Capabilities Dynalite();
  /// The preset of that name: aws, tintype, alternator, dynamodb_local or dynalite. kValidation for
  /// another name.
  static Result<Capabilities> Named(std::string_view name);

  /// OK, or kUnknownOperation naming the service and what it lacks.
  Status Check(const PutItemRequest& request) const { return CheckWrite(request.options); }
  Status Check(const DeleteItemRequest& request) const { return CheckWrite(request.options); }
  Status Check(const UpdateItemRequest& request) const { return CheckWrite(request.options); }
  Status Check(const TransactGetItemsRequest& request) const;
  Status Check(const TransactWriteItemsRequest& request) const;
  Status Check(const CreateTableRequest& request) const;
  Status Check(const UpdateTableRequest& request) const;
  Status Check(const TagResourceRequest& request) const;
  Status Check(const UntagResourceRequest& request) const;
  Status Check(const ListTagsRequest& request) const;
  Status Check(const PutResourcePolicyRequest& /*request*/) const { return CheckPolicies(); }
  Status Check(const GetResourcePolicyRequest& /*request*/) const { return CheckPolicies(); }
  Status Check(const DeleteResourcePolicyRequest& /*request*/) const { return CheckPolicies(); }
  Status Check(const UpdateTimeToLiveRequest& request) const;
  Status Check(const ListStreamsRequest& /*request*/) const { return CheckStreams(); }
  Status Check(const DescribeStreamRequest& /*request*/) const { return CheckStreams(); }
  Status Check(const GetShardIteratorRequest& /*request*/) const { return CheckStreams(); }
  Status Check(const GetRecordsRequest& /*request*/) const { return CheckStreams(); }
  /// All services have the others.
  template <typename Request>
  Status Check(const Request& /*request*/) const {
    return OkStatus();
  }

 private:
  Status Require(bool needed, bool available, std::string_view what) const;
  Status CheckWrite(const WriteOptions& options) const;
  Status CheckPolicies() const { return Require(true, resource_policies, "resource policies"); }
  Status CheckStreams() const { return Require(true, streams, "streams"); }
  Status CheckIndex(const IndexDefinition& index) const;
};

}  // namespace tintype::tables::remote
