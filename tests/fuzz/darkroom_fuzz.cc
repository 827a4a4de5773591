// What travels between the server and an image helper, which may have been taken over by the file
// that it decoded. Bytes are refused, or are a message that reads back as it is written again.

#include <array>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "darkroom/protocol/messages.h"
#include "input.h"

namespace tintype::darkroom {
namespace {

void CheckReplyBytes(std::string_view bytes) {
  const Result<Reply> reply = DecodeReply(bytes);
  if (!reply.ok()) {
    return;
  }
  const std::string written = EncodeReply(*reply);
  const Result<Reply> again = DecodeReply(written);
  CHECK(again.ok() && again->index() == reply->index() && EncodeReply(*again) == written);
  // Whatever it says, it can be asked what it answers.
  for (const Request& request :
       {Request(DevelopRequest{}), Request(EditRequest{}), Request(ResizeRequest{}),
        Request(FindTextRequest{}), Request(FindObjectsRequest{}), Request(ProbeMediaRequest{}),
        Request(PosterRequest{}), Request(WaveformRequest{}), Request(FramesRequest{}),
        Request(ProxyRequest{}), Request(SpeechRequest{})}) {
    CheckReply(request, *reply).PermitUncheckedError();
  }
}

void CheckOrderBytes(fuzz::Input& input) {
  constexpr std::array<int, kDescriptorsMax> kDescriptors = {};
  const size_t count = input.Byte() % (kDescriptorsMax + 1);
  const std::span<const int> descriptors = std::span(kDescriptors).first(count);
  const Result<Order> order = DecodeOrder(input.Rest(), descriptors);
  if (!order.ok()) {
    return;
  }
  CHECK(CheckRequest(order->request).ok());
  CHECK(DescriptorsOf(order->request).size() == count);
  const std::string written = EncodeOrder(*order);
  const Result<Order> again = DecodeOrder(written, descriptors);
  CHECK(again.ok() && EncodeOrder(*again) == written);
}

void CheckTextBytes(std::string_view bytes) {
  const Result<std::vector<TextLine>> lines = DecodeTextLines(bytes);
  if (!lines.ok()) {
    return;
  }
  for (const TextLine& line : *lines) {
    CHECK(line.corners.size() == 4);
    for (const TextWord& word : line.words) {
      CHECK(static_cast<size_t>(word.end) <= line.text.size() && word.begin <= word.end);
    }
  }
  CHECK(EncodeTextLines(*lines) == bytes);
}

}  // namespace
}  // namespace tintype::darkroom

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  const uint8_t way = input.Byte();
  constexpr uint8_t kTextFrom = 0xC0;
  if (way >= kTextFrom) {
    tintype::darkroom::CheckTextBytes(input.Rest());
  } else if (way % 2 == 0) {
    tintype::darkroom::CheckReplyBytes(input.Rest());
  } else {
    tintype::darkroom::CheckOrderBytes(input);
  }
  return 0;
}
