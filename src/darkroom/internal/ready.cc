#include "darkroom/internal/ready.h"

#include <poll.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "darkroom/failure.h"
#include "darkroom/protocol/channel.h"

namespace tintype::darkroom {
namespace {

// Loading a hundred libraries takes a tenth of a second, or many on a machine that is starved.
constexpr int64_t kReadyMsMax = 60'000;

}  // namespace

Result<Ready> AwaitReady(ChildProcess& process, int channel) {
  const auto bytes = ReceiveBytes(channel, SteadyNowMs() + kReadyMsMax);
  if (!bytes.ok()) {
    process.AwaitEnd();
    return MakeFailure(FailureKind::kNotRunning, "The image helper does not start")
        .WithNote(DescribeEnd(process.End()));
  }
  auto reply = DecodeReply(*bytes);
  if (const auto* failure = reply.ok() ? std::get_if<Failure>(&reply.value()) : nullptr) {
    process.End();
    return MakeFailure(FailureKind::kNotRunning, "The image helper does not start")
        .WithNote(failure->message);
  }
  Ready* ready = reply.ok() ? std::get_if<Ready>(&reply.value()) : nullptr;
  if (ready == nullptr || ready->version != kProtocolVersion) {
    process.End();
    return MakeFailure(FailureKind::kNotRunning, "The image helper is of another version");
  }
  return std::move(*ready);
}

bool IsQuiet(int channel) {
  pollfd waiting = {channel, POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 0;
}

}  // namespace tintype::darkroom
