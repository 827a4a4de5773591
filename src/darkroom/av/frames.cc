#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "darkroom/av/decode.h"
#include "darkroom/av/decoders.h"
#include "darkroom/av/operations.h"
#include "darkroom/av/output_file.h"
#include "darkroom/av/scenes.h"
#include "darkroom/av/still.h"

namespace tintype::darkroom::av {
namespace {

// Places in a film that are looked at for each picture that is asked for, and altogether.
constexpr int64_t kPlacesPerPicture = 4;
constexpr int64_t kPlacesMax = 128;
constexpr int64_t kPlacesApartUs = 500'000;
// Pictures that are decoded only to get to others, altogether: those of a minute.
constexpr int kDecodedOnTheWayMax = 1'800;
// A film whose length nobody knows is read from its beginning.
constexpr int kUnknownLengthPictures = 3'000;
// Small ones are compared.
constexpr int kComparedSide = 64;

/// A place in a film, by which a picture is found again.
struct Place {
  int64_t seek_us = 0;
  /// Of the picture, in the stream's time base.
  int64_t pts = AV_NOPTS_VALUE;
};

/// Pictures of a film that can be found again, with what they look like.
class Places {
 public:
  Places(Input& input, CodecContext decoder)
      : input_(input), stream_(input.video()), decoder_(std::move(decoder)) {}

  /// Looks at pictures at even distances.
  Status Survey(int64_t count_max) {
    const int64_t places_max = std::min(count_max * kPlacesPerPicture, kPlacesMax);
    const int64_t duration_us = input_.duration_us();
    const int64_t count = std::min(duration_us / kPlacesApartUs + 1, places_max);
    for (int64_t i = 0; duration_us > 0 && i < count; ++i) {
      const int64_t at_us = input_.start_us() + duration_us / count * i;
      if (!input_.SeekBefore(at_us)) {
        break;  // Without an index.
      }
      ASSIGN_OR_RETURN(const Frame frame, FrameNear(at_us));
      if (frame != nullptr) {
        RETURN_IF_ERROR(Note(at_us, frame.get()));
      }
    }
    return thumbs_.empty() ? SurveyInOrder(places_max) : OkStatus();
  }

  const std::vector<Thumb>& thumbs() const { return thumbs_; }

  /// Calls `take` with the picture of each of these places, which are in their order, and its time.
  /// One that is not found again is passed over.
  template <typename Take>
  Status Visit(const std::vector<size_t>& numbers, Take take) {
    if (in_order_) {
      Begin();
    }
    for (const size_t number : numbers) {
      const Place& place = places_[number];
      if (!in_order_ && !input_.SeekBefore(place.seek_us)) {
        continue;
      }
      if (!in_order_) {
        avcodec_flush_buffers(decoder_.get());
      }
      ASSIGN_OR_RETURN(const Frame frame, Next([&](const AVFrame& decoded) {
                         return decoded.pts >= place.pts ? Verdict::kTake : Verdict::kPass;
                       }));
      if (frame != nullptr) {
        RETURN_IF_ERROR(take(frame.get(), TimeOf(place.pts)));
      }
    }
    return OkStatus();
  }

 private:
  enum class Verdict : uint8_t { kTake, kPass, kGiveUp };

  // The next picture of which that holds; null when there is none.
  template <typename Judge>
  Result<Frame> Next(Judge judge) {
    Frame found;
    RETURN_IF_ERROR(
        DecodeStream(input_, stream_, decoder_.get(), [&](AVFrame* frame) -> Result<bool> {
          const Verdict verdict = frame->pts == AV_NOPTS_VALUE ? Verdict::kPass : judge(*frame);
          if (verdict == Verdict::kTake) {
            found = NewFrame();
            av_frame_move_ref(found.get(), frame);
          }
          return verdict == Verdict::kPass;
        }));
    return found;
  }

  // After a seek: the keyframe there, which costs least, unless it was found before. Then the
  // picture at that time, as long as all that were decoded on the way to such are not too many.
  Result<Frame> FrameNear(int64_t at_us) {
    avcodec_flush_buffers(decoder_.get());
    const int64_t at = av_rescale_q(at_us, AV_TIME_BASE_Q, stream_->time_base);
    bool first = true;
    return Next([&](const AVFrame& frame) {
      const bool keyframe = std::exchange(first, false);
      const bool known = !places_.empty() && frame.pts <= places_.back().pts;
      if (!known && (keyframe || frame.pts >= at)) {
        return Verdict::kTake;
      }
      return ++decoded_on_the_way_ < kDecodedOnTheWayMax ? Verdict::kPass : Verdict::kGiveUp;
    });
  }

  void Begin() {
    input_.Rewind();
    avcodec_flush_buffers(decoder_.get());
  }

  // All pictures one after the other: ever fewer of them, the longer that takes.
  Status SurveyInOrder(int64_t places_max) {
    in_order_ = true;
    Begin();
    int stride = 1;
    int number = 0;
    return DecodeStream(input_, stream_, decoder_.get(), [&](AVFrame* frame) -> Result<bool> {
      if (number++ % stride == 0 && frame->pts != AV_NOPTS_VALUE) {
        if (thumbs_.size() >= static_cast<size_t>(places_max)) {
          DropEveryOther();
          stride *= 2;
        }
        RETURN_IF_ERROR(Note(0, frame));
      }
      return number < kUnknownLengthPictures;
    });
  }

  void DropEveryOther() {
    for (size_t i = 0; 2 * i < thumbs_.size(); ++i) {
      thumbs_[i] = thumbs_[2 * i];
      places_[i] = places_[2 * i];
    }
    places_.resize((places_.size() + 1) / 2);
    thumbs_.resize(places_.size());
  }

  // Takes what is in the frame. One that cannot be rendered is passed over.
  Status Note(int64_t seek_us, AVFrame* frame) {
    const int64_t pts = frame->pts;
    const auto small = RenderStill(frame, stream_, kComparedSide, Purpose::kWebp);
    if (!small.ok()) {
      const bool damaged = KindOf(small.error()) == FailureKind::kCorrupt;
      return damaged ? OkStatus() : Status(small.error());
    }
    thumbs_.push_back(ThumbOf(**small));
    places_.push_back({seek_us, pts});
    return OkStatus();
  }

  int64_t TimeOf(int64_t pts) const {
    return ToMs(av_rescale_q(pts, stream_->time_base, AV_TIME_BASE_Q) - input_.start_us());
  }

  Input& input_;
  const AVStream* const stream_;
  const CodecContext decoder_;
  std::vector<Thumb> thumbs_;
  std::vector<Place> places_;
  bool in_order_ = false;
  int decoded_on_the_way_ = 0;
};

}  // namespace

Result<Frames> RunFrames(const FramesRequest& request, Input& input) {
  if (input.video() == nullptr) {
    return MakeFailure(FailureKind::kUnsupportedType,
                       "The file has no pictures that can be decoded");
  }
  input.Select(input.video());
  ASSIGN_OR_RETURN(CodecContext decoder, OpenDecoder(input, input.video()));
  Places places(input, std::move(decoder));
  RETURN_IF_ERROR(places.Survey(request.count_max));
  RETURN_IF_ERROR(Truncate(request.output));
  const std::vector<size_t> chosen =
      ChooseScenes(places.thumbs(), static_cast<size_t>(request.count_max));
  Frames frames;
  int64_t offset = 0;
  const auto write = [&](AVFrame* frame, int64_t time_ms) -> Status {
    ASSIGN_OR_RETURN(const Frame still,
                     RenderStill(frame, input.video(), request.longest_side, Purpose::kWebp));
    ASSIGN_OR_RETURN(const std::string bytes, EncodeWebp(still.get()));
    RETURN_IF_ERROR(WriteAt(request.output, offset, bytes));
    const int64_t last_ms = frames.frames.empty() ? 0 : frames.frames.back().time_ms;
    const auto length = static_cast<int64_t>(bytes.size());
    frames.frames.push_back(
        {std::max(time_ms, last_ms), still->width, still->height, offset, length});
    offset += length;
    return OkStatus();
  };
  RETURN_IF_ERROR(places.Visit(chosen, write));
  if (frames.frames.empty()) {
    return Damaged("none of its pictures can be decoded");
  }
  return frames;
}

}  // namespace tintype::darkroom::av
