#pragma once

#include <utility>

#include "http/dynamodb/testing/fake_answers.h"
#include "tables/language/streams.h"

namespace tintype::http::dynamodb::testing {

/// Streams without records.
class FakeStreams : public tables::Streams, public FakeAnswers {
 public:
  void ListStreams(tables::ListStreamsRequest,
                   tables::Done<tables::ListStreamsResponse> done) override {
    Answer("ListStreams", std::move(done));
  }
  void DescribeStream(tables::DescribeStreamRequest,
                      tables::Done<tables::DescribeStreamResponse> done) override {
    Answer("DescribeStream", std::move(done));
  }
  void GetShardIterator(tables::GetShardIteratorRequest,
                        tables::Done<tables::GetShardIteratorResponse> done) override {
    Answer("GetShardIterator", std::move(done));
  }
  void GetRecords(tables::GetRecordsRequest,
                  tables::Done<tables::GetRecordsResponse> done) override {
    Answer("GetRecords", std::move(done));
  }
};

}  // namespace tintype::http::dynamodb::testing
