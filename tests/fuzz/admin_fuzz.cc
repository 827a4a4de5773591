// Lines of the admin socket. Each is refused with a reason or reads back as it is written again,
// and whatever texts a message holds, it is one line that the other side can read.

#include <simdjson.h>

#include <cstdint>
#include <string>

#include "base/check.h"
#include "cli/admin/message.h"
#include "input.h"

namespace tintype::cli {
namespace {

void CheckLine(std::string_view line) {
  const Result<AdminMessage> message = ParseMessage(line);
  if (!message.ok()) {
    CHECK(message.error().kind() == ErrorKind::kValidation);
    // The reason goes back over the socket.
    CHECK(ParseMessage(FormatMessage(ErrorMessage(message.error()))).ok());
    return;
  }
  const std::string written = FormatMessage(*message);
  const Result<AdminMessage> again = ParseMessage(written);
  CHECK(again.ok());
  CHECK(again->name == message->name);
  CHECK(again->fields.values() == message->fields.values());
  CHECK(FormatMessage(*again) == written);
}

void CheckMessage(fuzz::Input& input) {
  const auto text = [&] { return std::string(input.Bytes(input.Byte() % 16)); };
  AdminMessage message;
  message.name = text();
  bool is_utf8 = simdjson::validate_utf8(message.name);
  while (!input.empty()) {
    std::string name = text();
    is_utf8 = is_utf8 && simdjson::validate_utf8(name);
    switch (input.Byte() % 4) {
      case 0: {
        const std::string value = text();
        is_utf8 = is_utf8 && simdjson::validate_utf8(value);
        message.fields.Set(std::move(name), value);
        break;
      }
      case 1:
        message.fields.Set(std::move(name), static_cast<int64_t>(input.Byte()) - 128);
        break;
      case 2:
        message.fields.Set(std::move(name), AdminFields::Null());
        break;
      default:
        message.fields.Set(std::move(name), input.Byte() % 2 == 0);
    }
  }
  const std::string line = FormatMessage(message);
  CHECK(line.find('\n') == std::string::npos);
  const Result<AdminMessage> read = ParseMessage(line);
  CHECK(read.ok());
  // Bytes that are no text are told as such; names of fields may then be the same.
  CHECK(!is_utf8 || read->name == message.name);
  CHECK(!is_utf8 || read->fields.values() == message.fields.values());
}

}  // namespace
}  // namespace tintype::cli

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  if (input.Byte() % 2 == 0) {
    tintype::cli::CheckLine(input.Rest());
  } else {
    tintype::cli::CheckMessage(input);
  }
  return 0;
}
