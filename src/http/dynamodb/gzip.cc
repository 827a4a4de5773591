#include "http/dynamodb/gzip.h"

#include <libdeflate.h>

#include <algorithm>
#include <memory>

#include "base/check.h"
#include "base/strings.h"
#include "tables/language/errors.h"

namespace tintype::http::dynamodb {
namespace {

// No byte of the format stands for more than this many.
constexpr size_t kRatioMax = 1032;
// A body may be several such files in a row. Each costs some time of its own, however small.
constexpr int kMembersMax = 64;
constexpr int kLevel = 1;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const {
    libdeflate_free_decompressor(decompressor);
  }
};
struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};

// One for each thread that ever needs one: making them takes longer than using them on a small
// body.
libdeflate_decompressor* Decompressor() {
  thread_local const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(
      libdeflate_alloc_decompressor());
  CHECK(decompressor != nullptr);
  return decompressor.get();
}
libdeflate_compressor* Compressor() {
  thread_local const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(kLevel));
  CHECK(compressor != nullptr);
  return compressor.get();
}

// Whether a weight such as `q=0.5` is nothing at all.
bool IsZeroWeight(std::string_view parameter) {
  const size_t equals = std::min(parameter.find('='), parameter.size());
  if (!EqualsIgnoreCase(Trim(parameter.substr(0, equals)), "q")) {
    return false;
  }
  return parameter.find_first_not_of("= 0.", equals) == std::string_view::npos;
}

}  // namespace

Result<std::string> Decompress(Encoding encoding, std::string_view compressed, size_t bytes_max) {
  const bool gzip = encoding == Encoding::kGzip;
  const auto decompress = gzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  // libdeflate's zlib format is a single stream, not several in a row.
  const int members_max = gzip ? kMembersMax : 1;
  // Not initialised: memory that is not written to is not taken from the system either.
  const size_t capacity = std::min(bytes_max, compressed.size() * kRatioMax);
  const auto buffer = std::make_unique_for_overwrite<char[]>(capacity);
  size_t total = 0;
  int members = 0;
  do {
    size_t taken = 0;
    size_t given = 0;
    const libdeflate_result result =
        decompress(Decompressor(), compressed.data(), compressed.size(), buffer.get() + total,
                   capacity - total, &taken, &given);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      return Error(ErrorKind::kRequestTooLarge, "The request body is too large.");
    }
    if (result != LIBDEFLATE_SUCCESS || ++members > members_max) {
      return tables::SerializationError(
          StrCat("The request body is not valid ", gzip ? "gzip." : "deflate."));
    }
    total += given;
    compressed.remove_prefix(taken);
  } while (!compressed.empty());
  return std::string(buffer.get(), total);
}

std::string Compress(std::string_view body) {
  std::string out;
  out.resize(libdeflate_gzip_compress_bound(Compressor(), body.size()));
  out.resize(
      libdeflate_gzip_compress(Compressor(), body.data(), body.size(), out.data(), out.size()));
  return out;
}

bool AcceptsGzip(std::string_view accept_encoding) {
  bool any = false;
  while (!accept_encoding.empty()) {
    const size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view entry = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const size_t semicolon = std::min(entry.find(';'), entry.size());
    const std::string_view coding = Trim(entry.substr(0, semicolon));
    const bool wanted = semicolon == entry.size() || !IsZeroWeight(entry.substr(semicolon + 1));
    if (EqualsIgnoreCase(coding, "gzip")) {
      return wanted;  // Named: that decides, whatever `*` says.
    }
    if (coding == "*") {
      any = wanted;
    }
  }
  return any;
}

}  // namespace tintype::http::dynamodb
