#pragma once

#include <zlib.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/transfer/internal/digested_file.h"

namespace tintype::tables::transfer {

/// Compresses what it is given into a new file, in pieces, so that files may be of any size. Not
/// thread-safe.
class GzipWriter {
 public:
  static Result<std::unique_ptr<GzipWriter>> Create(std::string path);
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  Status Write(std::string_view bytes) { return Deflate(bytes, Z_NO_FLUSH); }
  Result<FileDigest> Finish();

 private:
  explicit GzipWriter(std::unique_ptr<DigestedFile> file);
  Status Deflate(std::string_view bytes, int flush);

  const std::unique_ptr<DigestedFile> file_;
  z_stream stream_{};
  std::string out_;
};

}  // namespace tintype::tables::transfer
