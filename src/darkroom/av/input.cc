#include "darkroom/av/input.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/strings.h"
#include "darkroom/av/decoders.h"

namespace tintype::darkroom::av {
namespace {

using namespace std::literals;

constexpr int kBufferBytes = 64 << 10;
constexpr int kStreamsMax = 64;
// What is read and decoded to find out what the streams are, at most.
constexpr int64_t kProbeBytes = 5 << 20;
constexpr int64_t kProbeUs = 5'000'000;
constexpr int kIndexBytes = 16 << 20;
// How often a file may be read over, by demuxers that jump about in it.
constexpr int64_t kReadingsMax = 64;
constexpr int64_t kDurationUsMax = int64_t{7} * 24 * 3600 * 1'000'000;

struct Demuxer {
  std::string_view media_type;
  const char* name;
};
constexpr Demuxer kDemuxers[] = {
    {"video/mp4", "mov"},       {"video/quicktime", "mov"}, {"video/3gpp", "mov"},
    {"video/3gpp2", "mov"},     {"audio/mp4", "mov"},       {"video/x-matroska", "matroska"},
    {"video/webm", "matroska"}, {"video/x-msvideo", "avi"}, {"video/mpeg", "mpeg"},
    {"video/mp2t", "mpegts"},   {"video/x-flv", "flv"},     {"video/ogg", "ogg"},
    {"audio/ogg", "ogg"},       {"audio/mpeg", "mp3"},      {"audio/aac", "aac"},
    {"audio/flac", "flac"},     {"audio/wav", "wav"},
};

// What an ID3 tag is in front of: it is most often MP3, but other sound may have one too.
const char* DemuxerBehindTag(const Input& input) {
  const std::string head = input.Peek(0, 10);
  if (head.size() < 10 || !head.starts_with("ID3")) {
    return "mp3";
  }
  int64_t length = 0;
  for (size_t i = 6; i < 10; ++i) {
    length = (length << 7) | (head[i] & 0x7F);
  }
  const std::string sound = input.Peek(10 + length, 4);
  if (sound == "fLaC") {
    return "flac";
  }
  const bool adts = sound.size() == 4 && sound[0] == '\xFF' && (sound[1] & 0xF6) == 0xF0;
  return adts ? "aac" : "mp3";
}

// Null when the type is none of ours.
const char* DemuxerOf(std::string_view media_type, const Input& input) {
  if (media_type == "audio/mpeg") {
    return DemuxerBehindTag(input);
  }
  if (media_type == "video/mpeg" && input.Peek(0, 4) == "\0\0\x01\xB3"sv) {
    return "mpegvideo";  // Pictures without a container.
  }
  const auto* const found = std::ranges::find(kDemuxers, media_type, &Demuxer::media_type);
  return found == std::end(kDemuxers) ? nullptr : found->name;
}

int RefuseToOpen(AVFormatContext* /*context*/, AVIOContext** /*io*/, const char* /*url*/,
                 int /*flags*/, AVDictionary** /*options*/) {
  return AVERROR(EPERM);
}

/// Options for what libav opens by itself for each stream, to find out about it.
class StreamOptions {
 public:
  StreamOptions(size_t count, int64_t pixels_max) : entries_(count, nullptr) {
    for (AVDictionary*& entry : entries_) {
      av_dict_set_int(&entry, "max_pixels", pixels_max, 0);
      av_dict_set_int(&entry, "threads", 1, 0);
    }
  }
  ~StreamOptions() {
    for (AVDictionary*& entry : entries_) {
      av_dict_free(&entry);
    }
  }
  StreamOptions(const StreamOptions&) = delete;
  StreamOptions& operator=(const StreamOptions&) = delete;
  AVDictionary** entries() { return entries_.empty() ? nullptr : entries_.data(); }

 private:
  std::vector<AVDictionary*> entries_;
};

}  // namespace

int64_t ToMs(int64_t us) { return std::clamp<int64_t>(us, 0, kDurationUsMax) / 1000; }

// By lseek, because the C library makes fstat a call with a file name, which the sandbox refuses.
Input::Input(int file, int64_t pixels_max, const Deadline& deadline)
    : file_(file),
      size_(std::max<int64_t>(0, ::lseek(file, 0, SEEK_END))),
      pixels_max_(pixels_max),
      deadline_(deadline) {}

Input::~Input() {
  avformat_close_input(&context_);
  if (io_ != nullptr) {
    av_freep(&io_->buffer);  // libav may have replaced the one that we made.
    avio_context_free(&io_);
  }
}

Result<std::unique_ptr<Input>> Input::Open(int file, std::string_view media_type,
                                           int64_t pixels_max, const Deadline& deadline) {
  std::unique_ptr<Input> input(new Input(file, pixels_max, deadline));
  RETURN_IF_ERROR(input->OpenAs(media_type));
  RETURN_IF_ERROR(input->FindStreams());
  return input;
}

Status Input::OpenAs(std::string_view media_type) {
  const char* const name = DemuxerOf(media_type, *this);
  const AVInputFormat* const demuxer = name == nullptr ? nullptr : av_find_input_format(name);
  if (demuxer == nullptr) {
    return MakeFailure(FailureKind::kUnsupportedType,
                       StrCat("Files of the type ", media_type, " cannot be played"));
  }
  auto* const buffer = static_cast<uint8_t*>(av_malloc(kBufferBytes));
  io_ = buffer == nullptr ? nullptr
                          : avio_alloc_context(
                                buffer, kBufferBytes, /*write_flag=*/0, this,
                                [](void* self, uint8_t* to, int bytes) {
                                  return static_cast<Input*>(self)->Read(to, bytes);
                                },
                                nullptr,
                                [](void* self, int64_t offset, int whence) {
                                  return static_cast<Input*>(self)->Seek(offset, whence);
                                });
  context_ = avformat_alloc_context();
  if (io_ == nullptr || context_ == nullptr) {
    return OutOfMemory();
  }
  context_->pb = io_;
  context_->io_open = &RefuseToOpen;
  context_->interrupt_callback = {
      [](void* self) { return static_cast<Input*>(self)->deadline_.has_passed() ? 1 : 0; }, this};
  context_->max_streams = kStreamsMax;
  context_->probesize = kProbeBytes;
  context_->max_analyze_duration = kProbeUs;
  context_->max_index_size = kIndexBytes;
  context_->flags |= AVFMT_FLAG_DISCARD_CORRUPT;
  Options options;
  // What the file names is opened neither by this context nor by one within it.
  options.Set("protocol_whitelist", "");
  options.Set("format_whitelist", name);
  options.Set("codec_whitelist", DecoderNames().c_str());
  options.Set("enable_drefs", "0");  // QuickTime's way to name other files.
  const int opened = avformat_open_input(&context_, "", demuxer, options.entries());
  RETURN_IF_ERROR(deadline_.Check());
  return CheckAv(opened, "its container");
}

Status Input::FindStreams() {
  StreamOptions options(context_->nb_streams, pixels_max_);
  for (unsigned i = 0; i < context_->nb_streams; ++i) {
    AVStream* const stream = context_->streams[i];
    // Nothing is opened for what will not be used.
    if (stream->codecpar->codec_id != AV_CODEC_ID_NONE && !CanDecode(stream->codecpar->codec_id)) {
      stream->discard = AVDISCARD_ALL;
    }
  }
  const int found = avformat_find_stream_info(context_, options.entries());
  RETURN_IF_ERROR(deadline_.Check());
  RETURN_IF_ERROR(CheckAv(found, "its streams"));
  video_ = BestStream(AVMEDIA_TYPE_VIDEO);
  audio_ = BestStream(AVMEDIA_TYPE_AUDIO);
  return OkStatus();
}

AVStream* Input::BestStream(AVMediaType type) const {
  const int found = av_find_best_stream(context_, type, -1, -1, nullptr, 0);
  if (found < 0) {
    return nullptr;
  }
  AVStream* const stream = context_->streams[found];
  const AVCodecParameters& parameters = *stream->codecpar;
  const bool sized = type != AVMEDIA_TYPE_VIDEO || (parameters.width > 0 && parameters.height > 0);
  const bool heard = type != AVMEDIA_TYPE_AUDIO ||
                     (parameters.sample_rate > 0 && parameters.ch_layout.nb_channels > 0);
  const bool cover = (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
  return sized && heard && !cover && CanDecode(parameters.codec_id) ? stream : nullptr;
}

void Input::Select(const AVStream* one, const AVStream* other) const {
  for (unsigned i = 0; i < context_->nb_streams; ++i) {
    AVStream* const stream = context_->streams[i];
    stream->discard = stream == one || stream == other ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

int64_t Input::duration_us() const {
  const int64_t duration = context_->duration;
  return duration <= 0 || duration > kDurationUsMax ? 0 : duration;  // Unknown is less than none.
}

int64_t Input::start_us() const {
  return context_->start_time == AV_NOPTS_VALUE ? 0 : context_->start_time;
}

Result<bool> Input::ReadPacket(AVPacket* packet) {
  av_packet_unref(packet);
  const int read = av_read_frame(context_, packet);
  RETURN_IF_ERROR(deadline_.Check());
  if (read >= 0) {
    return true;
  }
  if (read == AVERROR(ENOMEM)) {
    return OutOfMemory();
  }
  const int error = context_->pb->error;
  ended_early_ = read != AVERROR_EOF || (error < 0 && error != AVERROR_EOF);
  return false;
}

bool Input::SeekBefore(int64_t time_us) {
  return avformat_seek_file(context_, -1, INT64_MIN, time_us, time_us, 0) >= 0;
}

void Input::Rewind() {
  if (!SeekBefore(start_us())) {
    avformat_seek_file(context_, -1, INT64_MIN, 0, 0, AVSEEK_FLAG_BYTE);
  }
}

int Input::Read(uint8_t* to, int bytes) {
  if (deadline_.has_passed()) {
    return AVERROR_EXIT;
  }
  if (bytes_read_ > (size_ + kProbeBytes) * kReadingsMax) {
    return AVERROR(EFBIG);
  }
  ssize_t got = 0;
  do {
    got = ::pread(file_, to, static_cast<size_t>(bytes), static_cast<off_t>(position_));
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    return AVERROR(errno);
  }
  position_ += got;
  bytes_read_ += got;
  return got == 0 ? AVERROR_EOF : static_cast<int>(got);  // 0 is no end for libav.
}

int64_t Input::Seek(int64_t offset, int whence) {
  const int from = whence & ~AVSEEK_FORCE;
  if (from == AVSEEK_SIZE) {
    return size_;
  }
  int64_t base = 0;
  if (from == SEEK_CUR) {
    base = position_;
  } else if (from == SEEK_END) {
    base = size_;
  }
  int64_t target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) {
    return AVERROR(EINVAL);
  }
  position_ = target;
  return position_;
}

std::string Input::Peek(int64_t offset, size_t bytes_max) const {
  std::string bytes(bytes_max, '\0');
  const ssize_t got = ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  bytes.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
  return bytes;
}

}  // namespace tintype::darkroom::av
