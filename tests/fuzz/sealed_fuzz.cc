// Encrypted files beside the tables: whatever lies there, reading it ends, and no byte of what was
// sealed can be another, be missing or be added without being noticed, wherever a reader looks.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "base/check.h"
#include "blobs/sealed/sealed_form.h"
#include "blobs/sealed/testing/sealed_bytes.h"
#include "input.h"

namespace tintype::blobs {
namespace {

const SealingKeys& Keys() {
  static const SealingKeys keys = KeysOf({1, 2});
  return keys;
}

// Any bytes, some of which begin as a sealed file does.
void CheckAnything(const std::string& file) {
  const auto whole = OpenWhole(Keys(), file);
  // Nobody but who has the keys can make one.
  CHECK(!whole.ok());
  CHECK(!Opened(Keys(), file));
}

// What was sealed comes back, and a file with any change does not.
void CheckChanged(fuzz::Input& input) {
  // Of a few bytes, or about a chunk's length.
  const size_t chunks = input.Byte() % 3 * kChunkBytes;
  std::string bytes(chunks, 'c');
  bytes.resize(bytes.size() - std::min<size_t>(bytes.size(), input.Byte() % 4));
  bytes += input.Bytes(input.Byte());
  const std::string sealed = SealWhole(Keys(), bytes);
  CHECK(sealed.size() == SealedBytesOf(bytes.size()));
  CHECK(BytesOfSealed(sealed.size()) == bytes.size());
  CHECK(OpenWhole(Keys(), sealed).value() == bytes);
  CHECK(Opened(Keys(), sealed) == bytes);

  std::string changed = sealed;
  for (int count = input.Byte() % 4; count > 0; --count) {
    const size_t at = (input.Byte() | size_t{input.Byte()} << 8 | size_t{input.Byte()} << 16);
    changed[at % changed.size()] = static_cast<char>(changed[at % changed.size()] ^ input.Byte());
  }
  const auto longer = static_cast<int8_t>(input.Byte());
  if (longer < 0) {
    changed.resize(changed.size() - std::min(changed.size(), static_cast<size_t>(-longer)));
  }
  changed += input.Rest().substr(0, longer > 0 ? static_cast<size_t>(longer) : 0);
  const bool same = changed == sealed;
  CHECK(OpenWhole(Keys(), changed).ok() == same);
  CHECK(Opened(Keys(), changed).has_value() == same);
}

}  // namespace
}  // namespace tintype::blobs

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::blobs;
  tintype::fuzz::Input input(data, size);
  switch (input.Byte() % 3) {
    case 0:
      CheckAnything(std::string(input.Rest()));
      break;
    case 1:
      CheckAnything(std::string(kSealedMagic) + "\x01" + std::string(input.Rest()));
      break;
    default:
      CheckChanged(input);
  }
  return 0;
}
