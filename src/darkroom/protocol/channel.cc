#include "darkroom/protocol/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {
namespace {

// Room for the descriptors of one message, aligned as the kernel's macros want it.
struct ControlBuffer {
  alignas(cmsghdr) char bytes[CMSG_SPACE(kDescriptorsMax * sizeof(int))] = {};
};

Error SystemError(std::string_view what) {
  return Error::Io(StrCat(what, ": ", std::strerror(errno)));
}

ssize_t Receive(int channel, msghdr& header) {
  ssize_t received = 0;
  do {
    received = ::recvmsg(channel, &header, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  return received;
}

std::vector<Descriptor> TakeDescriptors(msghdr& header) {
  std::vector<Descriptor> descriptors;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(number);
    }
  }
  return descriptors;
}

}  // namespace

Result<ChannelPair> MakeChannel() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return SystemError("A socket pair for the image helper cannot be made");
  }
  return ChannelPair{Descriptor(ends[0]), Descriptor(ends[1])};
}

Status SendMessage(int channel, std::string_view bytes, std::span<const int> descriptors) {
  CHECK(bytes.size() <= kMessageBytesMax && descriptors.size() <= kDescriptorsMax);
  iovec body = {const_cast<char*>(bytes.data()), bytes.size()};
  msghdr header = {};
  header.msg_iov = &body;
  header.msg_iovlen = 1;
  ControlBuffer control;
  if (!descriptors.empty()) {
    header.msg_control = control.bytes;
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(channel, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? Status(SystemError("The image helper cannot be reached")) : OkStatus();
}

Result<ReceivedMessage> ReceiveMessage(int channel) {
  ReceivedMessage message;
  message.bytes.resize(kMessageBytesMax);
  iovec body = {message.bytes.data(), message.bytes.size()};
  ControlBuffer control;
  msghdr header = {};
  header.msg_iov = &body;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof(control.bytes);
  const ssize_t received = Receive(channel, header);
  if (received < 0) {
    return SystemError("The server cannot be heard");
  }
  message.descriptors = TakeDescriptors(header);
  if (received == 0) {
    return Error::NotFound("The server has closed");
  }
  if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return Error::Io("The server sent too much");
  }
  message.bytes.resize(static_cast<size_t>(received));
  return message;
}

Result<std::string> ReceiveBytes(int channel, int64_t deadline_ms) {
  pollfd waiting = {channel, POLLIN, 0};
  int ready = 0;
  do {
    // A wait of more than an hour is cut to one, and then begins again.
    const int64_t left_ms = std::clamp<int64_t>(deadline_ms - SteadyNowMs(), 0, 3'600'000);
    ready = ::poll(&waiting, 1, static_cast<int>(left_ms));
  } while ((ready < 0 && errno == EINTR) || (ready == 0 && SteadyNowMs() < deadline_ms));
  if (ready < 0) {
    return SystemError("The image helper cannot be waited for");
  }
  if (ready == 0) {
    return Error::LimitExceeded("The image helper did not answer in time");
  }
  std::string bytes(kMessageBytesMax, '\0');
  iovec body = {bytes.data(), bytes.size()};
  msghdr header = {};
  header.msg_iov = &body;
  header.msg_iovlen = 1;
  const ssize_t received = Receive(channel, header);
  if (received < 0) {
    return SystemError("The image helper cannot be heard");
  }
  if (received == 0 || (header.msg_flags & MSG_TRUNC) != 0) {
    return Error::Io("The image helper has closed its channel, or sent too much");
  }
  bytes.resize(static_cast<size_t>(received));
  return bytes;
}

int64_t SteadyNowMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace tintype::darkroom
