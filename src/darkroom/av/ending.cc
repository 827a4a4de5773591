#include "darkroom/av/ending.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

namespace tintype::darkroom::av {
namespace {

uint64_t BigEndian(std::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) {
    number = (number << 8) | static_cast<uint8_t>(byte);
  }
  return number;
}

struct Box {
  std::string type;
  int64_t end = 0;
};

// The box at an offset; nothing at the end, or when it makes no sense.
std::optional<Box> BoxAt(const Input& input, int64_t offset) {
  const std::string head = input.Peek(offset, 16);
  if (head.size() < 8) {
    return std::nullopt;
  }
  uint64_t length = BigEndian(std::string_view(head).substr(0, 4));
  if (length == 0) {
    length = static_cast<uint64_t>(input.size() - offset);  // Up to the end.
  } else if (length == 1 && head.size() == 16) {
    length = BigEndian(std::string_view(head).substr(8));
  }
  constexpr uint64_t kLengthMax = uint64_t{1} << 60;
  if (length < 8 || length > kLengthMax) {
    return std::nullopt;
  }
  return Box{head.substr(4, 4), offset + static_cast<int64_t>(length)};
}

// Fragmented files have many.
constexpr int kBoxesMax = 4'096;

bool BoxesEndEarly(const Input& input) {
  int64_t offset = 0;
  for (int i = 0; i < kBoxesMax && offset < input.size(); ++i) {
    const auto box = BoxAt(input, offset);
    if (!box) {
      return true;
    }
    offset = box->end;
  }
  return offset > input.size();
}

bool RiffEndsEarly(const Input& input) {
  const std::string head = input.Peek(0, 8);
  uint32_t length = 0;
  for (size_t i = 8; i > 4 && head.size() == 8; --i) {
    length = (length << 8) | static_cast<uint8_t>(head[i - 1]);
  }
  // Who writes into a pipe does not know how long it will be; and the last byte may be left out.
  constexpr uint32_t kUnknown = 0xFFFFFF00;
  return length < kUnknown && int64_t{length} + 7 > input.size();
}

/// One of EBML's numbers with a variable length, and how many bytes it has; nothing when unknown.
struct EbmlNumber {
  int64_t value = 0;
  int64_t bytes = 0;
};
std::optional<EbmlNumber> EbmlLengthAt(const Input& input, int64_t offset) {
  const std::string bytes = input.Peek(offset, 8);
  if (bytes.empty() || bytes[0] == 0) {
    return std::nullopt;
  }
  const auto first = static_cast<uint8_t>(bytes[0]);
  const auto length = static_cast<size_t>(std::countl_zero(first)) + 1;
  if (bytes.size() < length) {
    return std::nullopt;
  }
  const uint64_t mask = (uint64_t{1} << (7 * length)) - 1;
  const uint64_t value = BigEndian(std::string_view(bytes).substr(0, length)) & mask;
  if (value == mask) {
    return std::nullopt;  // Whoever wrote it did not know yet.
  }
  return EbmlNumber{static_cast<int64_t>(value), static_cast<int64_t>(length)};
}

bool SegmentEndsEarly(const Input& input) {
  constexpr int64_t kIdBytes = 4;  // Of the header, and of the segment behind it.
  const auto header = EbmlLengthAt(input, kIdBytes);
  if (!header || header->value > input.size()) {
    return false;
  }
  const int64_t segment = kIdBytes + header->bytes + header->value;
  if (input.Peek(segment, 4) != "\x18\x53\x80\x67") {
    return false;
  }
  const auto length = EbmlLengthAt(input, segment + kIdBytes);
  return length && segment + kIdBytes + length->bytes + length->value > input.size();
}

}  // namespace

bool IsOfBoxes(std::string_view media_type) {
  return media_type == "video/mp4" || media_type == "video/quicktime" ||
         media_type == "audio/mp4" || media_type.starts_with("video/3gpp");
}

bool EndsEarly(const Input& input, std::string_view media_type) {
  if (IsOfBoxes(media_type)) {
    return BoxesEndEarly(input);
  }
  if (media_type == "video/x-matroska" || media_type == "video/webm") {
    return SegmentEndsEarly(input);
  }
  const bool riff = media_type == "video/x-msvideo" || media_type == "audio/wav";
  return riff && input.Peek(0, 4) == "RIFF" && RiffEndsEarly(input);
}

bool HasIndexInFront(const Input& input) {
  int64_t offset = 0;
  for (int i = 0; i < kBoxesMax; ++i) {
    const auto box = BoxAt(input, offset);
    if (!box || box->type == "mdat") {
      return false;
    }
    if (box->type == "moov") {
      return true;
    }
    offset = box->end;
  }
  return false;
}

}  // namespace tintype::darkroom::av
