// Asks for the targets that standard input lists, one a line, again and again over keep-alive
// connections, and prints what it measured as one line of JSON. bench/delivery and bench/resize
// call it.
//
//   bench_get ADDRESS PORT CONNECTIONS SECONDS WARMUP-SECONDS
//
// Ends with 1 when anything but status 200 came.

#include <cstdio>
#include <string>
#include <vector>

#include "base/strings.h"
#include "repeated_load.h"

namespace tintype::bench {
namespace {

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 5) {
    std::fprintf(stderr, "usage: see the top of bench/get.cc\n");
    return 2;
  }
  std::vector<std::string> requests;
  for (const std::string& target : LinesOfInput()) {
    requests.push_back(StrCat("GET ", target, " HTTP/1.1\r\nHost: ", arguments[0], "\r\n\r\n"));
  }
  return PrintRepeatedLoad(requests, RepeatedLoad(arguments));
}

}  // namespace
}  // namespace tintype::bench

int main(int argc, char** argv) { return tintype::bench::Main({argv + 1, argv + argc}); }
