#include "tables/transfer/internal/line_reader.h"

#include <algorithm>
#include <cerrno>

#include "base/check.h"
#include "base/files.h"
#include "base/strings.h"

namespace tintype::tables::transfer {
namespace {

constexpr int kInflateWindow = 15 + 16;  // The largest window; 16 insists on gzip's header.

}  // namespace

Result<std::unique_ptr<LineReader>> LineReader::Open(const std::string& path, Options options) {
  std::unique_ptr<LineReader> reader(new LineReader(std::move(options)));
  errno = 0;
  reader->file_.open(path, std::ios::binary);
  if (!reader->file_) {
    return FileError("open", reader->options_.name);
  }
  return reader;
}

LineReader::LineReader(Options options) : options_(std::move(options)) {
  CHECK(inflateInit2(&stream_, kInflateWindow) == Z_OK);
}

LineReader::~LineReader() { inflateEnd(&stream_); }

Error LineReader::Damaged(std::string_view what) const {
  return Error::Corruption(StrCat("The file ", options_.name, " is damaged: ", what));
}

// Appends to the buffer, or notes that there is no more.
Status LineReader::FillFromFile() {
  std::string& target = options_.gzip ? compressed_ : buffer_;
  const size_t old_size = options_.gzip ? 0 : buffer_.size();
  target.resize(old_size + options_.piece_bytes);
  file_.read(target.data() + old_size, static_cast<std::streamsize>(options_.piece_bytes));
  if (file_.bad()) {
    return Error::Io(StrCat("Cannot read ", options_.name));
  }
  const auto count = static_cast<size_t>(file_.gcount());
  target.resize(old_size + count);
  file_bytes_ += count;
  ended_ = count == 0;
  if (options_.gzip) {
    compressed_rest_ = compressed_;
  }
  return OkStatus();
}

Status LineReader::Fill() {
  if (!options_.gzip) {
    return FillFromFile();
  }
  if (compressed_rest_.empty()) {
    RETURN_IF_ERROR(FillFromFile());
    if (ended_) {
      return in_member_ || !any_member_ ? Status(Damaged("it ends too soon")) : OkStatus();
    }
  }
  // A file may be several compressed ones, one after the other.
  if (!in_member_) {
    CHECK(inflateReset(&stream_) == Z_OK);
    in_member_ = true;
    any_member_ = true;
  }
  const size_t old_size = buffer_.size();
  buffer_.resize(old_size + options_.piece_bytes);
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed_rest_.data()));
  stream_.avail_in = static_cast<uInt>(compressed_rest_.size());
  stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data() + old_size);
  stream_.avail_out = static_cast<uInt>(options_.piece_bytes);
  const int outcome = inflate(&stream_, Z_NO_FLUSH);
  buffer_.resize(old_size + options_.piece_bytes - stream_.avail_out);
  compressed_rest_.remove_prefix(compressed_rest_.size() - stream_.avail_in);
  if (outcome == Z_STREAM_END) {
    in_member_ = false;
  } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
    return Damaged(stream_.msg != nullptr ? stream_.msg : "it is not in gzip's format");
  }
  return OkStatus();
}

Result<std::optional<Line>> LineReader::Next() {
  for (;;) {
    const size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos || (ended_ && begin_ < buffer_.size())) {
      const size_t length = std::min(end, buffer_.size()) - begin_;
      Line line{std::string_view(buffer_).substr(begin_, length), ++line_,
                skipping_ || length > options_.line_bytes_max};
      if (line.text.ends_with('\r')) {
        line.text.remove_suffix(1);
      }
      begin_ = std::min(begin_ + length + 1, buffer_.size());
      searched_ = begin_;
      skipping_ = false;
      return std::optional(line);
    }
    if (ended_) {
      return std::optional<Line>();
    }
    // Only here, once for many lines, is the rest moved to the front.
    buffer_.erase(0, begin_);
    begin_ = 0;
    if (buffer_.size() > options_.line_bytes_max) {
      skipping_ = true;
      buffer_.resize(1);  // So that a file that ends here still has this line.
    }
    searched_ = buffer_.size();
    RETURN_IF_ERROR(Fill());
  }
}

}  // namespace tintype::tables::transfer
