#pragma once

#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::tables::transfer {

/// A line of a file, without its end.
struct Line {
  std::string_view text;
  uint64_t number = 0;    // From 1 on.
  bool too_long = false;  // Then the text is not all of it.
};

/// Reads a file line by line, compressed with gzip or plain, in bounded memory. Not thread-safe.
class LineReader {
 public:
  struct Options {
    std::string name;  ///< What errors call the file.
    bool gzip = false;
    size_t line_bytes_max = 0;               ///< Longer lines are told of and passed over.
    size_t piece_bytes = size_t{256} << 10;  ///< Read and decompressed at once; tests take less.
  };

  /// Errors: kNotFound and kIo.
  static Result<std::unique_ptr<LineReader>> Open(const std::string& path, Options options);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line, valid until the next call; nothing at the end of the file. Errors: kCorruption
  /// when the compressed data is damaged or ends too soon, kIo.
  Result<std::optional<Line>> Next();

  /// How much of the file itself has been read.
  uint64_t file_bytes() const { return file_bytes_; }

 private:
  explicit LineReader(Options options);
  Status Fill();
  Status FillFromFile();
  Error Damaged(std::string_view what) const;

  const Options options_;
  std::ifstream file_;
  z_stream stream_{};
  bool in_member_ = false;  // Within compressed data, so that the file must not end here.
  bool any_member_ = false;
  std::string compressed_;
  std::string_view compressed_rest_;
  std::string buffer_;     // What is decompressed, or the file as it is.
  size_t begin_ = 0;       // Where the next line begins.
  size_t searched_ = 0;    // Up to where no end of a line was found.
  bool skipping_ = false;  // The rest of a line that is too long.
  bool ended_ = false;
  uint64_t line_ = 0;
  uint64_t file_bytes_ = 0;
};

}  // namespace tintype::tables::transfer
