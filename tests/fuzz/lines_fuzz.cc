// The lines of files that are imported: plain and compressed files are taken apart as a simple
// model does it, whatever is in them and in whatever pieces they are read, and damage is told.

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "input.h"
#include "tables/transfer/internal/line_reader.h"

namespace tintype::tables::transfer {
namespace {

struct Expected {
  std::string text;
  bool too_long = false;
};

std::vector<Expected> Split(std::string_view content, size_t line_bytes_max) {
  std::vector<Expected> lines;
  while (!content.empty()) {
    const size_t end = std::min(content.find('\n'), content.size());
    Expected line{std::string(content.substr(0, end)), end > line_bytes_max};
    content.remove_prefix(std::min(end + 1, content.size()));
    if (line.text.ends_with('\r')) {
      line.text.pop_back();
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

// A file that is only in memory, under a name that can be opened.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(::memfd_create("lines", 0)) {
    CHECK(descriptor_ >= 0);
    CHECK(::write(descriptor_, content.data(), content.size()) ==
          static_cast<ssize_t>(content.size()));
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return StrCat("/proc/self/fd/", descriptor_); }

 private:
  const int descriptor_;
};

Status ReadLines(const std::string& file, const LineReader::Options& options,
                 std::vector<Expected>& lines) {
  const MemoryFile memory(file);
  const auto reader = LineReader::Open(memory.path(), options);
  CHECK(reader.ok());
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<Line> line, (*reader)->Next());
    if (!line) {
      CHECK((*reader)->file_bytes() == file.size());
      return OkStatus();
    }
    lines.push_back({std::string(line->text), line->too_long});
    CHECK(line->number == lines.size());
  }
}

std::string Compressed(std::string_view text) {
  z_stream stream{};
  CHECK(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

// What is read of a whole file, compressed or not.
void CheckLines(std::string_view content, const std::string& file,
                const LineReader::Options& options) {
  std::vector<Expected> lines;
  CHECK(ReadLines(file, options, lines).ok());
  const std::vector<Expected> expected = Split(content, options.line_bytes_max);
  CHECK(lines.size() == expected.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    CHECK(lines[i].too_long == expected[i].too_long);
    CHECK(lines[i].too_long || lines[i].text == expected[i].text);
  }
}

void CheckDamaged(const std::string& file, const LineReader::Options& options) {
  std::vector<Expected> lines;
  const Status status = ReadLines(file, options, lines);
  CHECK(status.ok() || status.error().kind() == ErrorKind::kCorruption);
}

// Two compressed parts, which are one file, whole or without its end.
void CheckCompressed(fuzz::Input& input, const LineReader::Options& options) {
  const size_t lost = input.Byte() % 64;
  const std::string first(input.Bytes(input.Byte()));
  const std::string second(input.Rest());
  const std::string first_part = Compressed(first);
  std::string file = first_part + Compressed(second);
  file.resize(file.size() - std::min(lost, file.size()));
  if (lost == 0) {
    CheckLines(first + second, file, options);
  } else if (file.size() == first_part.size()) {
    CheckLines(first, file, options);
  } else {
    std::vector<Expected> lines;
    const Status status = ReadLines(file, options, lines);
    CHECK(!status.ok() && status.error().kind() == ErrorKind::kCorruption);
  }
}

}  // namespace
}  // namespace tintype::tables::transfer

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::tables::transfer;
  tintype::fuzz::Input input(data, size);
  const int what = input.Byte() % 3;
  LineReader::Options options{"lines", what != 0, input.Byte()};
  options.piece_bytes = size_t{input.Byte()} + 1;
  if (what == 0) {
    const std::string content(input.Rest());
    CheckLines(content, content, options);
  } else if (what == 1) {
    CheckCompressed(input, options);
  } else {
    CheckDamaged(std::string(input.Rest()), options);
  }
  return 0;
}
