// The HTTP parser: however the bytes of a connection are cut into reads, the requests that come out
// and the refusal at the end are the same. Input: one byte that seeds the cuts, then the
// connection.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "http/server/internal/request_parser.h"

namespace tintype::http::internal {
namespace {

struct Seen {
  std::vector<Request> requests;
  std::vector<bool> keep_alive;
  int refusal_status = 0;
};

// Gives the parser what a connection would: all bytes not yet consumed, in ever longer stretches,
// each of which has `next_read` bytes more.
template <typename NextRead>
Seen Parse(RequestParser::Limits limits, std::string_view all, NextRead next_read) {
  Seen seen;
  RequestParser parser(limits);
  size_t begin = 0;
  size_t end = 0;
  while (end < all.size()) {
    end = std::min(all.size(), end + next_read());
    for (bool again = true; again && begin < end;) {
      // A copy of its own, so that reading past the end is seen.
      const std::string bytes(all.substr(begin, end - begin));
      RequestParser::Step step = parser.Feed(bytes);
      CHECK(step.consumed <= bytes.size());
      begin += step.consumed;
      if (step.outcome == RequestParser::Outcome::kHead) {
        CHECK(parser.header_done() && parser.body_bytes() == 0);
        const std::string rest(all.substr(begin, end - begin));
        step = parser.Feed(rest);
        CHECK(step.consumed <= rest.size());
        CHECK(step.outcome != RequestParser::Outcome::kHead);
        begin += step.consumed;
      }
      again = false;
      if (step.outcome == RequestParser::Outcome::kRefused) {
        seen.refusal_status = parser.refusal_status();
        CHECK(seen.refusal_status >= 400 && seen.refusal_status < 500);
        CHECK(!parser.refusal_reason().empty());
        return seen;
      }
      CHECK(parser.body_bytes() <= limits.body_bytes_max);
      if (step.outcome == RequestParser::Outcome::kComplete) {
        CHECK(parser.header_done());
        CHECK(step.consumed > 0);
        seen.keep_alive.push_back(parser.keep_alive());
        seen.requests.push_back(parser.TakeRequest());
        parser.Reset();
        again = true;
      } else if (!parser.header_done()) {
        CHECK(end - begin <= limits.header_bytes_max);
      }
    }
  }
  return seen;
}

bool Same(const Request& a, const Request& b) {
  return a.method == b.method && a.target == b.target && a.headers == b.headers && a.body == b.body;
}

void CheckRequest(const Request& request) {
  CHECK(!request.method.empty());
  CHECK(request.target.starts_with("/") || request.target == "*");
  size_t hosts = 0;
  size_t lengths = 0;
  size_t encodings = 0;
  for (const auto& [name, value] : request.headers) {
    CHECK(!name.empty());
    CHECK(name.find_first_of(" \t\r\n:") == std::string::npos);
    CHECK(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
    CHECK(name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos);
    hosts += name == "host" ? 1U : 0U;
    lengths += name == "content-length" ? 1U : 0U;
    encodings += name == "transfer-encoding" ? 1U : 0U;
  }
  // A request that two servers in a row could read differently never gets here.
  CHECK(hosts <= 1 && lengths + encodings <= 1);
  if (const auto length = request.Header("content-length")) {
    CHECK(std::to_string(request.body.size()) ==
          length->substr(std::min(length->find_first_not_of('0'), length->size() - 1)));
  }
  CHECK(lengths + encodings == 1 || request.body.empty());
}

void Check(uint8_t seed, std::string_view all) {
  // Far beyond any input here: how much fits depends on the cuts, and is no matter of grammar.
  const RequestParser::Limits wide{.header_bytes_max = 1 << 20, .body_bytes_max = 1 << 20};
  const Seen whole = Parse(wide, all, [&] { return all.size(); });
  std::ranges::for_each(whole.requests, CheckRequest);
  std::minstd_rand random(seed);
  const auto some = [&] { return random() % 8 == 0 ? random() % 200 + 1 : random() % 6 + 1; };
  const auto one = [] { return size_t{1}; };
  for (const Seen& cut : {Parse(wide, all, some), Parse(wide, all, one)}) {
    CHECK(cut.refusal_status == whole.refusal_status);
    CHECK(cut.keep_alive == whole.keep_alive);
    CHECK(std::ranges::equal(cut.requests, whole.requests, Same));
  }
  const RequestParser::Limits narrow{.header_bytes_max = 100, .body_bytes_max = 20};
  for (const Seen& cut : {Parse(narrow, all, some), Parse(narrow, all, one)}) {
    CHECK(cut.requests.size() <= whole.requests.size());
    std::ranges::for_each(cut.requests, CheckRequest);
  }
}

}  // namespace
}  // namespace tintype::http::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 0) {
    // Beast reads a header that came in pieces only when it is whole, so one is made to end.
    const std::string all =
        std::string(reinterpret_cast<const char*>(data) + 1, size - 1) + "\r\n\r\n";
    tintype::http::internal::Check(data[0], all);
  }
  return 0;
}
