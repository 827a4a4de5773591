// A file that a stranger uploaded, in the helper: whatever its bytes are, the helper answers, and
// what it answers is what the server takes for an answer to its request, with outputs that are as
// it says. The first byte says what is asked, the rest is the file. Limits are low, since most of
// the time would else go into pixels.

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/descriptor.h"
#include "darkroom/imaging/answer.h"
#include "input.h"

namespace tintype::darkroom {
namespace {

// The longest sides that are asked for. Of an image of 200 pixels, the smaller ones are decoded to
// one, two, up to seven eighths: each has code of its own.
constexpr std::array kSides = {40, 4000, 5, 20, 60, 80, 100, 120};

constexpr PixelLimits kLimits = {.pixels = 200'000, .pixels_held_whole = 50'000, .pages = 20};

Descriptor MakeFile(std::string_view content) {
  Descriptor file(::memfd_create("fuzz", MFD_CLOEXEC));
  CHECK(file.valid());
  CHECK(::write(file.number(), content.data(), content.size()) ==
        static_cast<ssize_t>(content.size()));
  return file;
}

int64_t SizeOf(const Descriptor& file) {
  struct stat status = {};
  CHECK(::fstat(file.number(), &status) == 0);
  return status.st_size;
}

Request MakeRequest(uint8_t choice, int input, int first, int second) {
  const uint8_t variant = choice / 4;
  switch (choice % 4) {
    case 1:
      return DevelopRequest{
          .input = input,
          .sizes = {{"", kSides[variant % kSides.size()], first}, {"", 9, second}},
          .effort = 0};
    case 2:
      return EditRequest{
          .input = input,
          .operations = {Rotate{90}, AutoLevels{}, Crop{0, 0, 2, 2}, BlackAndWhite{}},
          .format = variant % 2 == 0 ? OutputFormat::kWebp : OutputFormat::kJpeg,
          .output = first};
    default:
      return ResizeRequest{.input = input,
                           .output = first,
                           .width = variant < 8 ? 30 : kSides[variant / 8],
                           .height = variant % 2 == 0 ? 0 : 17,
                           .fit = variant % 4 < 2 ? Fit::kInside : Fit::kCover,
                           .format = variant % 8 < 4 ? OutputFormat::kWebp : OutputFormat::kJpeg,
                           .effort = 0};
  }
}

void CheckOutputs(const Reply& reply, const Descriptor& first, const Descriptor& second) {
  if (const auto* developed = std::get_if<Developed>(&reply)) {
    CHECK(developed->renditions.at(0).bytes == SizeOf(first));
    CHECK(developed->renditions.at(1).bytes == SizeOf(second));
  } else if (const auto* edited = std::get_if<Edited>(&reply)) {
    CHECK(edited->bytes == SizeOf(first));
  } else if (const auto* resized = std::get_if<Resized>(&reply)) {
    CHECK(resized->bytes == SizeOf(first));
  }
}

void AskFor(uint8_t choice, std::string_view content) {
  const Descriptor input = MakeFile(content);
  const Descriptor first = MakeFile("");
  const Descriptor second = MakeFile("");
  const Request request = MakeRequest(choice, input.number(), first.number(), second.number());
  const Reply reply = AnswerOrder(EncodeOrder({request, kLimits}), DescriptorsOf(request));
  const Result<Reply> heard = DecodeReply(EncodeReply(reply));
  CHECK(heard.ok());
  CHECK(CheckReply(request, *heard).ok());
  CheckOutputs(*heard, first, second);
}

}  // namespace
}  // namespace tintype::darkroom

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool started = tintype::darkroom::StartLibraries();
  CHECK(started);
  tintype::fuzz::Input input(data, size);
  const uint8_t choice = input.Byte();
  tintype::darkroom::AskFor(choice, input.Rest());
  return 0;
}
