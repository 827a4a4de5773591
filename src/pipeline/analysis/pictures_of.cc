#include "pipeline/analysis/pictures_of.h"

#include <span>
#include <string>
#include <vector>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "blobs/sealed/memory_file.h"
#include "contexts/common/media_type.h"
#include "darkroom/media_requests.h"
#include "json/value.h"

namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;

constexpr size_t kFrameListBytesMax = 64 * 1024;
constexpr int64_t kFrameBytesMax = int64_t{64} << 20;

struct StoredFrame {
  int64_t time_ms = 0;
  int64_t offset = 0;
  int64_t bytes = 0;
};

/// Nothing when it is no frame, or one that is larger than any.
std::optional<StoredFrame> FrameOf(const json::Value& value) {
  const auto number = [&](std::string_view name) -> std::optional<int64_t> {
    const json::Value* const member = value.Find(name);
    return member == nullptr ? std::nullopt : member->integer();
  };
  const auto time_ms = number("timeMs");
  const auto offset = number("offset");
  const auto bytes = number("bytes");
  if (!time_ms || !offset || !bytes || *offset < 0 || *bytes < 1 || *bytes > kFrameBytesMax) {
    return std::nullopt;
  }
  return StoredFrame{*time_ms, *offset, *bytes};
}

Result<std::string> ReadPart(const blobs::OpenBlob& blob, int64_t offset, int64_t bytes) {
  std::string part(static_cast<size_t>(bytes), '\0');
  ASSIGN_OR_RETURN(const size_t count,
                   blob.Read(static_cast<uint64_t>(offset), std::span<char>(part)));
  if (count != part.size()) {
    return Error::Corruption("The stored pictures of a video end too early");
  }
  return part;
}

Result<std::vector<StoredFrame>> ReadFrameList(flows::Product& product, const Image& image) {
  const auto opened =
      product.blobs.Open({product.config.images_bucket, flows::FrameListKey(image.id)});
  if (!opened.ok() && opened.error().kind() == ErrorKind::kNotFound) {
    return std::vector<StoredFrame>();  // None could be made of this video.
  }
  if (!opened.ok()) {
    return opened.error();
  }
  const auto& blob = *opened;
  if (blob->bytes() > kFrameListBytesMax) {
    return Error::Corruption("The list of a video's pictures is too long");
  }
  ASSIGN_OR_RETURN(const std::string text, ReadPart(*blob, 0, static_cast<int64_t>(blob->bytes())));
  ASSIGN_OR_RETURN(const json::Value list, json::Parse(text, kFrameListBytesMax));
  std::vector<StoredFrame> frames;
  const json::Value* const members = list.Find("frames");
  if (members != nullptr && members->array() != nullptr) {
    for (const json::Value& member : *members->array()) {
      const auto frame = FrameOf(member);
      if (!frame || frames.size() == darkroom::kFramesMax) {
        return Error::Corruption("The list of a video's pictures makes no sense");
      }
      frames.push_back(*frame);
    }
  }
  return frames;
}

Status ForEachFrame(flows::Product& product, const Image& image,
                    const std::function<Status(const PictureToSee&)>& see) {
  ASSIGN_OR_RETURN(const std::vector<StoredFrame> frames, ReadFrameList(product, image));
  if (frames.empty()) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const auto blob,
                   product.blobs.Open({product.config.images_bucket, flows::FramesKey(image.id)}));
  for (const StoredFrame& frame : frames) {
    // Each as a file of its own, in memory: helpers begin to read where a file does.
    ASSIGN_OR_RETURN(blobs::MemoryFile file, blobs::MemoryFile::Create());
    ASSIGN_OR_RETURN(const std::string bytes, ReadPart(*blob, frame.offset, frame.bytes));
    RETURN_IF_ERROR(file.Append(bytes));
    RETURN_IF_ERROR(see({file.descriptor(), frame.time_ms}));
  }
  return OkStatus();
}

}  // namespace

bool HasFrames(const Image& image) { return contexts::MediaTypeOf(image.mime_type) == "video"; }

Status ForEachPicture(flows::Product& product, const Image& image, flows::Size size,
                      const std::function<Status(const PictureToSee&)>& see) {
  if (HasFrames(image)) {
    return ForEachFrame(product, image, see);
  }
  const blobs::BlobKey key{product.config.images_bucket,
                           flows::StoredKey(image.id, image.picture(), size)};
  ASSIGN_OR_RETURN(const auto picture, product.blobs.OpenLocal(key));
  return see({picture->descriptor(), std::nullopt});
}

}  // namespace tintype::pipeline
