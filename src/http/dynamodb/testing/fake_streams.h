#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/language/streams.h"

namespace tintype::http::dynamodb::testing {

/// Streams without records: notes which operation was asked for and answers each with an empty
/// response, or with `error` if one is set. Answers at once, on the calling thread. Not
/// thread-safe.
class FakeStreams : public tables::Streams {
 public:
  std::vector<std::string> calls;
  std::optional<Error> error;

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

 private:
  template <typename Response>
  void Answer(std::string operation, tables::Done<Response> done) {
    calls.push_back(std::move(operation));
    if (error) {
      done(*error);
    } else {
      done(Response{});
    }
  }
};

}  // namespace tintype::http::dynamodb::testing
