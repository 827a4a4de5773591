#pragma once

#include <utility>

#include "tables/language/database.h"

namespace tintype::product {

/// A Database in front of another, for tests that make one misbehave. Every operation goes through
/// `Pass` of the class that derives from this:
///
///   template <typename Request, typename Response>
///   void Pass(void (Database::*operation)(Request, Done<Response>), Request, Done<Response>);
template <typename Derived>
class DatabaseWrapper : public tables::Database {
 public:
  template <typename Response>
  using Done = tables::Done<Response>;

  void GetItem(tables::GetItemRequest r, Done<tables::GetItemResponse> d) override {
    To(&Database::GetItem, std::move(r), std::move(d));
  }
  void PutItem(tables::PutItemRequest r, Done<tables::WriteItemResponse> d) override {
    To(&Database::PutItem, std::move(r), std::move(d));
  }
  void DeleteItem(tables::DeleteItemRequest r, Done<tables::WriteItemResponse> d) override {
    To(&Database::DeleteItem, std::move(r), std::move(d));
  }
  void UpdateItem(tables::UpdateItemRequest r, Done<tables::WriteItemResponse> d) override {
    To(&Database::UpdateItem, std::move(r), std::move(d));
  }
  void BatchGetItem(tables::BatchGetItemRequest r, Done<tables::BatchGetItemResponse> d) override {
    To(&Database::BatchGetItem, std::move(r), std::move(d));
  }
  void BatchWriteItem(tables::BatchWriteItemRequest r,
                      Done<tables::BatchWriteItemResponse> d) override {
    To(&Database::BatchWriteItem, std::move(r), std::move(d));
  }
  void TransactGetItems(tables::TransactGetItemsRequest r,
                        Done<tables::TransactGetItemsResponse> d) override {
    To(&Database::TransactGetItems, std::move(r), std::move(d));
  }
  void TransactWriteItems(tables::TransactWriteItemsRequest r,
                          Done<tables::TransactWriteItemsResponse> d) override {
    To(&Database::TransactWriteItems, std::move(r), std::move(d));
  }
  void Query(tables::QueryRequest r, Done<tables::ReadResponse> d) override {
    To(&Database::Query, std::move(r), std::move(d));
  }
  void Scan(tables::ScanRequest r, Done<tables::ReadResponse> d) override {
    To(&Database::Scan, std::move(r), std::move(d));
  }
  void CreateTable(tables::CreateTableRequest r, Done<tables::TableResponse> d) override {
    To(&Database::CreateTable, std::move(r), std::move(d));
  }
  void UpdateTable(tables::UpdateTableRequest r, Done<tables::TableResponse> d) override {
    To(&Database::UpdateTable, std::move(r), std::move(d));
  }
  void DeleteTable(tables::DeleteTableRequest r, Done<tables::TableResponse> d) override {
    To(&Database::DeleteTable, std::move(r), std::move(d));
  }
  void DescribeTable(tables::DescribeTableRequest r, Done<tables::TableResponse> d) override {
    To(&Database::DescribeTable, std::move(r), std::move(d));
  }
  void ListTables(tables::ListTablesRequest r, Done<tables::ListTablesResponse> d) override {
    To(&Database::ListTables, std::move(r), std::move(d));
  }
  void TagResource(tables::TagResourceRequest r, Done<tables::EmptyResponse> d) override {
    To(&Database::TagResource, std::move(r), std::move(d));
  }
  void UntagResource(tables::UntagResourceRequest r, Done<tables::EmptyResponse> d) override {
    To(&Database::UntagResource, std::move(r), std::move(d));
  }
  void ListTagsOfResource(tables::ListTagsRequest r, Done<tables::ListTagsResponse> d) override {
    To(&Database::ListTagsOfResource, std::move(r), std::move(d));
  }
  void PutResourcePolicy(tables::PutResourcePolicyRequest r,
                         Done<tables::ResourcePolicyResponse> d) override {
    To(&Database::PutResourcePolicy, std::move(r), std::move(d));
  }
  void GetResourcePolicy(tables::GetResourcePolicyRequest r,
                         Done<tables::GetResourcePolicyResponse> d) override {
    To(&Database::GetResourcePolicy, std::move(r), std::move(d));
  }
  void DeleteResourcePolicy(tables::DeleteResourcePolicyRequest r,
                            Done<tables::ResourcePolicyResponse> d) override {
    To(&Database::DeleteResourcePolicy, std::move(r), std::move(d));
  }
  void UpdateTimeToLive(tables::UpdateTimeToLiveRequest r,
                        Done<tables::UpdateTimeToLiveResponse> d) override {
    To(&Database::UpdateTimeToLive, std::move(r), std::move(d));
  }
  void DescribeTimeToLive(tables::DescribeTimeToLiveRequest r,
                          Done<tables::DescribeTimeToLiveResponse> d) override {
    To(&Database::DescribeTimeToLive, std::move(r), std::move(d));
  }

 private:
  template <typename Request, typename Response>
  void To(void (Database::*operation)(Request, Done<Response>), Request request,
          Done<Response> done) {
    static_cast<Derived*>(this)->Pass(operation, std::move(request), std::move(done));
  }
};

}  // namespace tintype::product
