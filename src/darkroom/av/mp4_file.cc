#include "darkroom/av/mp4_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "darkroom/av/output_file.h"

namespace tintype::darkroom::av {
namespace {

constexpr int kWriteBufferBytes = 256 << 10;

void FreeIo(AVIOContext*& io) {
  if (io != nullptr) {
    av_freep(&io->buffer);
    avio_context_free(&io);
  }
}

int64_t SeekWithin(int64_t& position, int64_t end, int64_t offset, int whence) {
  const int from = whence & ~AVSEEK_FORCE;
  if (from == AVSEEK_SIZE) {
    return end;
  }
  if (from == SEEK_CUR) {
    offset += position;
  } else if (from == SEEK_END) {
    offset += end;
  }
  if (offset < 0) {
    return AVERROR(EINVAL);
  }
  position = offset;
  return position;
}

}  // namespace

/// What was written, read again.
struct Mp4File::Reading {
  int file = -1;
  int64_t position = 0;
  int64_t end = 0;

  static int Read(void* opaque, uint8_t* to, int bytes) {
    auto& self = *static_cast<Reading*>(opaque);
    const ssize_t got =
        ::pread(self.file, to, static_cast<size_t>(bytes), static_cast<off_t>(self.position));
    if (got <= 0) {
      return got == 0 ? AVERROR_EOF : AVERROR(errno);
    }
    self.position += got;
    return static_cast<int>(got);
  }
  static int64_t Seek(void* opaque, int64_t offset, int whence) {
    auto& self = *static_cast<Reading*>(opaque);
    return SeekWithin(self.position, self.end, offset, whence);
  }
};

Result<std::unique_ptr<Mp4File>> Mp4File::Create(int output, Kind kind) {
  RETURN_IF_ERROR(Truncate(output));
  std::unique_ptr<Mp4File> file(new Mp4File(output));
  RETURN_IF_ERROR(file->Open(kind));
  return file;
}

Status Mp4File::Open(Kind kind) {
  RETURN_IF_ERROR(CheckAv(avformat_alloc_output_context2(
                              &context_, nullptr, kind == Kind::kFilm ? "mp4" : "ipod", nullptr),
                          "a video"));
  auto* const buffer = static_cast<uint8_t*>(av_malloc(kWriteBufferBytes));
  if (buffer == nullptr) {
    return OutOfMemory();
  }
  context_->pb = avio_alloc_context(
      buffer, kWriteBufferBytes, /*write_flag=*/1, this, nullptr,
      [](void* self, uint8_t* from, int bytes) {
        return static_cast<Mp4File*>(self)->WriteBytes(from, bytes);
      },
      [](void* self, int64_t offset, int whence) {
        return static_cast<Mp4File*>(self)->Seek(offset, whence);
      });
  if (context_->pb == nullptr) {
    av_free(buffer);
    return OutOfMemory();
  }
  context_->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
  context_->opaque = this;
  // To move the index, the muxer opens the file by its name for reading; there is no other use.
  context_->io_open = [](AVFormatContext* context, AVIOContext** io, const char* /*url*/, int flags,
                         AVDictionary** /*options*/) -> int {
    if ((flags & AVIO_FLAG_WRITE) != 0) {
      return AVERROR(EPERM);
    }
    const auto& self = *static_cast<Mp4File*>(context->opaque);
    auto* const bytes = static_cast<uint8_t*>(av_malloc(kWriteBufferBytes));
    if (bytes == nullptr) {
      return AVERROR(ENOMEM);
    }
    auto reading = std::make_unique<Reading>(Reading{self.output_, 0, self.end_});
    *io = avio_alloc_context(bytes, kWriteBufferBytes, /*write_flag=*/0, reading.get(),
                             &Reading::Read, nullptr, &Reading::Seek);
    if (*io == nullptr) {
      av_free(bytes);
      return AVERROR(ENOMEM);
    }
    reading.release();  // NOLINT(bugprone-unused-return-value): io_close2 frees it.
    return 0;
  };
  context_->io_close2 = [](AVFormatContext* /*context*/, AVIOContext* io) -> int {
    const std::unique_ptr<Reading> reading(static_cast<Reading*>(io->opaque));
    FreeIo(io);
    return 0;
  };
  return OkStatus();
}

Mp4File::~Mp4File() {
  if (context_ != nullptr) {
    FreeIo(context_->pb);
    avformat_free_context(context_);
  }
}

int Mp4File::WriteBytes(const uint8_t* from, int bytes) {
  const std::string_view piece(reinterpret_cast<const char*>(from), static_cast<size_t>(bytes));
  if (!WriteAt(output_, position_, piece).ok()) {
    return AVERROR(EIO);
  }
  position_ += bytes;
  end_ = std::max(end_, position_);
  return bytes;
}

int64_t Mp4File::Seek(int64_t offset, int whence) {
  return SeekWithin(position_, end_, offset, whence);
}

Result<AVStream*> Mp4File::AddStream() const {
  AVStream* const stream = avformat_new_stream(context_, nullptr);
  if (stream == nullptr) {
    return OutOfMemory();
  }
  return stream;
}

Status Mp4File::CheckWritten(int result) const {
  if (context_->pb->error < 0) {
    return MakeFailure(FailureKind::kOutput, "What is made of the file cannot be written");
  }
  return CheckAv(result, "its tracks");
}

Status Mp4File::Begin() const {
  Options options;
  options.Set("movflags", "+faststart");
  return CheckWritten(avformat_write_header(context_, options.entries()));
}

Status Mp4File::Write(AVPacket* packet) const {
  return CheckWritten(av_interleaved_write_frame(context_, packet));
}

Status Mp4File::Finish() const {
  const int written = av_write_trailer(context_);
  avio_flush(context_->pb);
  return CheckWritten(written);
}

}  // namespace tintype::darkroom::av
