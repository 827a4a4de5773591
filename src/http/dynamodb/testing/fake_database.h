#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "http/dynamodb/testing/fake_answers.h"
#include "tables/language/database.h"

namespace tintype::http::dynamodb::testing {

/// A Database without data.
class FakeDatabase : public tables::Database, public FakeAnswers {
 public:
  /// What GetItem finds.
  std::optional<tables::Item> item;
  /// What the table operations describe.
  tables::TableDescription table;
  /// Positions of the tables that BatchGetItem leaves unprocessed.
  std::vector<tables::BatchGetItemResponse::Unprocessed> unprocessed;

  void GetItem(tables::GetItemRequest, tables::Done<tables::GetItemResponse> done) override {
    Answer("GetItem", tables::GetItemResponse{.item = item, .capacity = {}}, std::move(done));
  }
  void PutItem(tables::PutItemRequest, tables::Done<tables::WriteItemResponse> done) override {
    Answer("PutItem", tables::WriteItemResponse{}, std::move(done));
  }
  void DeleteItem(tables::DeleteItemRequest,
                  tables::Done<tables::WriteItemResponse> done) override {
    Answer("DeleteItem", tables::WriteItemResponse{}, std::move(done));
  }
  void UpdateItem(tables::UpdateItemRequest,
                  tables::Done<tables::WriteItemResponse> done) override {
    Answer("UpdateItem", tables::WriteItemResponse{}, std::move(done));
  }
  void BatchGetItem(tables::BatchGetItemRequest,
                    tables::Done<tables::BatchGetItemResponse> done) override {
    tables::BatchGetItemResponse response;
    response.unprocessed = unprocessed;
    Answer("BatchGetItem", std::move(response), std::move(done));
  }
  void BatchWriteItem(tables::BatchWriteItemRequest,
                      tables::Done<tables::BatchWriteItemResponse> done) override {
    Answer("BatchWriteItem", tables::BatchWriteItemResponse{}, std::move(done));
  }
  void TransactGetItems(tables::TransactGetItemsRequest,
                        tables::Done<tables::TransactGetItemsResponse> done) override {
    Answer("TransactGetItems", tables::TransactGetItemsResponse{}, std::move(done));
  }
  void TransactWriteItems(tables::TransactWriteItemsRequest,
                          tables::Done<tables::TransactWriteItemsResponse> done) override {
    Answer("TransactWriteItems", tables::TransactWriteItemsResponse{}, std::move(done));
  }
  void Query(tables::QueryRequest, tables::Done<tables::ReadResponse> done) override {
    Answer("Query", tables::ReadResponse{}, std::move(done));
  }
  void Scan(tables::ScanRequest, tables::Done<tables::ReadResponse> done) override {
    Answer("Scan", tables::ReadResponse{}, std::move(done));
  }
  void CreateTable(tables::CreateTableRequest, tables::Done<tables::TableResponse> done) override {
    Answer("CreateTable", tables::TableResponse{table}, std::move(done));
  }
  void UpdateTable(tables::UpdateTableRequest, tables::Done<tables::TableResponse> done) override {
    Answer("UpdateTable", tables::TableResponse{table}, std::move(done));
  }
  void DeleteTable(tables::DeleteTableRequest, tables::Done<tables::TableResponse> done) override {
    Answer("DeleteTable", tables::TableResponse{table}, std::move(done));
  }
  void DescribeTable(tables::DescribeTableRequest,
                     tables::Done<tables::TableResponse> done) override {
    Answer("DescribeTable", tables::TableResponse{table}, std::move(done));
  }
  void ListTables(tables::ListTablesRequest,
                  tables::Done<tables::ListTablesResponse> done) override {
    Answer("ListTables", tables::ListTablesResponse{{"first", "second"}, {}}, std::move(done));
  }
  void TagResource(tables::TagResourceRequest, tables::Done<tables::EmptyResponse> done) override {
    Answer("TagResource", tables::EmptyResponse{}, std::move(done));
  }
  void UntagResource(tables::UntagResourceRequest,
                     tables::Done<tables::EmptyResponse> done) override {
    Answer("UntagResource", tables::EmptyResponse{}, std::move(done));
  }
  void ListTagsOfResource(tables::ListTagsRequest,
                          tables::Done<tables::ListTagsResponse> done) override {
    Answer("ListTagsOfResource", tables::ListTagsResponse{}, std::move(done));
  }
  void PutResourcePolicy(tables::PutResourcePolicyRequest,
                         tables::Done<tables::ResourcePolicyResponse> done) override {
    Answer("PutResourcePolicy", tables::ResourcePolicyResponse{"1"}, std::move(done));
  }
  void GetResourcePolicy(tables::GetResourcePolicyRequest,
                         tables::Done<tables::GetResourcePolicyResponse> done) override {
    Answer("GetResourcePolicy", tables::GetResourcePolicyResponse{}, std::move(done));
  }
  void DeleteResourcePolicy(tables::DeleteResourcePolicyRequest,
                            tables::Done<tables::ResourcePolicyResponse> done) override {
    Answer("DeleteResourcePolicy", tables::ResourcePolicyResponse{}, std::move(done));
  }
  void UpdateTimeToLive(tables::UpdateTimeToLiveRequest,
                        tables::Done<tables::UpdateTimeToLiveResponse> done) override {
    Answer("UpdateTimeToLive", tables::UpdateTimeToLiveResponse{}, std::move(done));
  }
  void DescribeTimeToLive(tables::DescribeTimeToLiveRequest,
                          tables::Done<tables::DescribeTimeToLiveResponse> done) override {
    Answer("DescribeTimeToLive", tables::DescribeTimeToLiveResponse{}, std::move(done));
  }
};

}  // namespace tintype::http::dynamodb::testing
