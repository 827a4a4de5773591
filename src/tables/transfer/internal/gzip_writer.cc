#include "tables/transfer/internal/gzip_writer.h"

#include "base/check.h"

namespace tintype::tables::transfer {
namespace {

constexpr size_t kOutBytes = size_t{256} << 10;
constexpr int kDeflateWindow = 15 + 16;  // The largest window; 16 asks for gzip's header.

}  // namespace

Result<std::unique_ptr<GzipWriter>> GzipWriter::Create(std::string path) {
  ASSIGN_OR_RETURN(auto file, DigestedFile::Create(std::move(path)));
  return std::unique_ptr<GzipWriter>(new GzipWriter(std::move(file)));
}

GzipWriter::GzipWriter(std::unique_ptr<DigestedFile> file)
    : file_(std::move(file)), out_(kOutBytes, '\0') {
  CHECK(deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kDeflateWindow, 8,
                     Z_DEFAULT_STRATEGY) == Z_OK);
}

GzipWriter::~GzipWriter() { deflateEnd(&stream_); }

Status GzipWriter::Deflate(std::string_view bytes, int flush) {
  // zlib reads from it, whatever its type says.
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
    stream_.avail_out = static_cast<uInt>(out_.size());
    CHECK(deflate(&stream_, flush) != Z_STREAM_ERROR);
    RETURN_IF_ERROR(file_->Write({out_.data(), out_.size() - stream_.avail_out}));
  } while (stream_.avail_out == 0);
  return OkStatus();
}

Result<FileDigest> GzipWriter::Finish() {
  RETURN_IF_ERROR(Deflate({}, Z_FINISH));
  return file_->Finish();
}

}  // namespace tintype::tables::transfer
