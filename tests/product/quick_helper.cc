// A stand-in for tintype-darkroom that decodes nothing, so that tests of everything around it are
// quick. Its input decides what it does: text that begins with `bad` is refused as corrupt, `crash`
// ends it, `wait for FILE` makes FILE.waiting and goes on when there is such a FILE, and anything
// else is a picture of 40 by 30 pixels. It looks like no other, but for `look HASH`, which looks as
// that says, and `plain`, which has no hash.

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/strings.h"
#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/protocol/template.h"

namespace tintype::darkroom {
namespace {

constexpr int32_t kWidth = 40;
constexpr int32_t kHeight = 30;

std::string ReadAll(int input) {
  std::string text(4096, '\0');
  const ssize_t count = ::pread(input, text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return text;
}

int64_t WriteAll(int output, const std::string& text) {
  if (::pwrite(output, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    ::_exit(1);
  }
  return static_cast<int64_t>(text.size());
}

void WaitFor(const std::string& file) {
  ::close(::open(StrCat(file, ".waiting").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  while (::access(file.c_str(), F_OK) != 0) {
    ::usleep(1000);  // Those who ordered this give up in time, and kill us.
  }
}

std::optional<uint64_t> HashOf(std::string_view input) {
  constexpr std::string_view kLook = "look ";
  if (input.starts_with("plain")) {
    return std::nullopt;
  }
  if (input.starts_with(kLook)) {
    return std::strtoull(std::string(input.substr(kLook.size())).c_str(), nullptr, 16);
  }
  return std::hash<std::string_view>()(input);
}

Reply Develop(const DevelopRequest& request, const std::string& input) {
  Developed developed;
  developed.original = {"image/png", kWidth, kHeight};
  developed.exif.camera = "Quick";
  developed.exif.place = {52.5, 13.4, {}};
  developed.properties.blurhash = "L00000fQfQfQ";
  developed.properties.dominant_colors = {{200, 30, 30, 75}, {0, 0, 0, 25}};
  developed.properties.perceptual_hash = HashOf(input);
  for (const SizeRequest& size : request.sizes) {
    const std::string text = StrCat("rendition ", size.longest_side, " of ", input);
    developed.renditions.push_back({"", kWidth, kHeight, WriteAll(size.output, text)});
  }
  return developed;
}

Reply Edit(const EditRequest& request, const std::string& input) {
  const std::string text = StrCat("edited by ", request.operations.size(), ": ", input);
  return Edited{kHeight, kWidth, request.format, WriteAll(request.output, text)};
}

Reply Answer(const ReceivedMessage& message) {
  std::vector<int> descriptors;
  for (const Descriptor& descriptor : message.descriptors) {
    descriptors.push_back(descriptor.number());
  }
  const auto order = DecodeOrder(message.bytes, descriptors);
  if (!order.ok()) {
    return Failure{KindOf(order.error()), order.error().message()};
  }
  const std::string input = ReadAll(descriptors.at(0));
  if (input.starts_with("crash")) {
    std::abort();
  }
  if (constexpr std::string_view kWait = "wait for "; input.starts_with(kWait)) {
    WaitFor(input.substr(kWait.size()));
  }
  if (input.starts_with("bad")) {
    return Failure{FailureKind::kCorrupt, "The picture is damaged."};
  }
  if (const auto* develop = std::get_if<DevelopRequest>(&order->request)) {
    return Develop(*develop, input);
  }
  if (const auto* edit = std::get_if<EditRequest>(&order->request)) {
    return Edit(*edit, input);
  }
  return Failure{FailureKind::kNotAnImage, "This helper develops and edits, and nothing else"};
}

}  // namespace
}  // namespace tintype::darkroom

int main() {
  using namespace tintype::darkroom;
  BecomeTemplate();
  SendMessage(kHelperChannel, EncodeReply(Ready{})).PermitUncheckedError();
  while (true) {
    auto message = ReceiveMessage(kHelperChannel);
    if (!message.ok()) {
      ::_exit(0);
    }
    const Reply reply = Answer(*message);
    message->descriptors.clear();
    SendMessage(kHelperChannel, EncodeReply(reply)).PermitUncheckedError();
  }
}
