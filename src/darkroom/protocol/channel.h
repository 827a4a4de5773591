#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace tintype::darkroom {

/// Two ends of a socket that keeps the bounds of messages (SOCK_SEQPACKET), closed on exec.
struct ChannelPair {
  Descriptor server;
  Descriptor helper;
};
Result<ChannelPair> MakeChannel();

/// Sends one message with the descriptors, which stay open here. kIo when the other side is gone.
Status SendMessage(int channel, std::string_view bytes, std::span<const int> descriptors = {});

struct ReceivedMessage {
  std::string bytes;
  std::vector<Descriptor> descriptors;
};
/// Waits for a message and its descriptors; kNotFound when the other side has closed. For the
/// helper.
Result<ReceivedMessage> ReceiveMessage(int channel);

/// Waits for a message at most until `deadline_ms` of SteadyNowMs. Descriptors that come along are
/// dropped: a helper has none to give. kLimitExceeded says that the
/// time is over, kIo that the other side is gone or sent too much. For the server.
Result<std::string> ReceiveBytes(int channel, int64_t deadline_ms);

/// Milliseconds of a clock that nobody can turn.
int64_t SteadyNowMs();

}  // namespace tintype::darkroom
