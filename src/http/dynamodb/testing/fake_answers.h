#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tables/language/database.h"

namespace tintype::http::dynamodb::testing {

/// What the fakes share: notes which operation was asked for and answers each with an empty
/// response, or with `error` if one is set. Answers at once, on the calling thread. Not
/// thread-safe.
class FakeAnswers {
 public:
  std::vector<std::string> calls;
  std::optional<Error> error;

 protected:
  template <typename Response>
  void Answer(std::string operation, tables::Done<Response> done) {
    Answer(std::move(operation), Response{}, std::move(done));
  }
  template <typename Response>
  void Answer(std::string operation, Response response, tables::Done<Response> done) {
    calls.push_back(std::move(operation));
    if (error) {
      done(*error);
    } else {
      done(std::move(response));
    }
  }
};

}  // namespace tintype::http::dynamodb::testing
