// Asks for one page again and again over keep-alive connections, by REST or of the table itself,
// and prints what it measured as one line of JSON. bench/lists calls it.
//
//   bench_lists rest ADDRESS PORT CONNECTIONS SECONDS WARMUP-SECONDS BYTES-MIN TARGET
//   bench_lists dynamodb ADDRESS PORT CONNECTIONS SECONDS WARMUP-SECONDS BYTES-MIN OPERATION
//
// Standard input has one secret a line: for REST access tokens, which take turns; for DynamoDB the
// access key's id, its secret, and the request's body. Ends with 1 when any answer had another
// status than 200 or fewer bytes than BYTES-MIN.

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/strings.h"
#include "recording.h"
#include "repeated_load.h"

namespace tintype::bench {
namespace {

std::vector<std::string> RestRequests(const std::string& host, const std::string& target,
                                      const std::vector<std::string>& tokens) {
  std::vector<std::string> requests;
  requests.reserve(tokens.size());
  for (const std::string& token : tokens) {
    requests.push_back(StrCat("GET ", target, " HTTP/1.1\r\nHost: ", host,
                              "\r\nAuthorization: Bearer ", token, "\r\n\r\n"));
  }
  return requests;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 8 || (arguments[0] != "rest" && arguments[0] != "dynamodb")) {
    std::fprintf(stderr, "usage: see the top of bench/lists.cc\n");
    return 2;
  }
  LoadOptions options = RepeatedLoad(std::span(arguments).subspan(1));
  options.response_bytes_min = std::strtoul(arguments[6].c_str(), nullptr, 10);
  const std::string host = StrCat(arguments[1], ":", arguments[2]);
  const std::vector<std::string> lines = LinesOfInput();
  const bool dynamodb = arguments[0] == "dynamodb";
  if (lines.size() < (dynamodb ? 3U : 1U)) {
    std::fprintf(stderr, "standard input has too few lines\n");
    return 2;
  }
  const std::vector<std::string> requests =
      dynamodb ? Record({{.operation = arguments[7], .body = lines[2]}},
                        {.host = host, .access_key_id = lines[0], .secret = lines[1]})
               : RestRequests(host, arguments[7], lines);
  return PrintRepeatedLoad(requests, options);
}

}  // namespace
}  // namespace tintype::bench

int main(int argc, char** argv) { return tintype::bench::Main({argv + 1, argv + argc}); }
