// What encryption at rest reads: the file with the keys of a directory, and the first bytes of
// every encrypted file. No byte of either can be another without being noticed, also when the
// checksum is made to fit, and content decrypts the same in any pieces.

#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "crypto/secret_key.h"
#include "input.h"
#include "tables/engine/encryption/aes_ctr.h"
#include "tables/engine/encryption/file_cipher.h"
#include "tables/engine/encryption/fingerprint.h"
#include "tables/engine/encryption/keyring.h"

namespace tintype::tables::engine {
namespace {

std::string Checksum(std::string_view text) {
  return std::string(crypto::Bytes(crypto::Sha256(text)));
}

constexpr size_t kChecksumBytes = 32;

const crypto::SecretKey& Master() {
  static const crypto::SecretKey key =
      *crypto::SecretKey::FromBytes("a master key of thirty-two bytes");
  return key;
}

const Keyring& Keys() {
  static const Keyring keys = [] {
    Keyring made = Keyring::Create(1);
    made.Add(2);
    made.Add(3);
    return made;
  }();
  return keys;
}

bool SameKeys(const Keyring& a, const Keyring& b) {
  return std::ranges::equal(a.keys(), b.keys(), [](const DataKey& x, const DataKey& y) {
    return x.id == y.id && x.created_ms == y.created_ms && x.key == y.key;
  });
}

// Changes some bytes of a text, and perhaps its length.
std::string Edited(std::string text, fuzz::Input& input) {
  for (int count = input.Byte() % 8; count > 0; --count) {
    const size_t at = (input.Byte() | size_t{input.Byte()} << 8) % text.size();
    text[at] = static_cast<char>(text[at] ^ input.Byte());
  }
  const auto longer = static_cast<int8_t>(input.Byte());
  if (longer < 0) {
    text.resize(text.size() - std::min(text.size(), static_cast<size_t>(-longer)));
  }
  StrAppend(text, input.Rest().substr(0, longer > 0 ? static_cast<size_t>(longer) : 0));
  return text;
}

void CheckKeyring(const std::string& file) {
  const Result<Keyring> opened = Keyring::Open(file, Master(), "KEYS");
  const Result<std::string> sealed_by = Keyring::SealedBy(file, "KEYS");
  if (opened.ok()) {
    CHECK(*sealed_by == Fingerprint(Master()));
    const Result<Keyring> again = Keyring::Open(opened->Seal(Master()), Master(), "KEYS");
    CHECK(again.ok() && SameKeys(*opened, *again));
    return;
  }
  const ErrorKind kind = opened.error().kind();
  CHECK(kind == ErrorKind::kCorruption || kind == ErrorKind::kValidation);
  // A file of which it can be told who sealed it was refused for its seal alone.
  CHECK(sealed_by.ok() || sealed_by.error().kind() == kind);
}

void CheckEditedKeyring(fuzz::Input& input, bool mend_checksum) {
  static const std::string original = Keys().Seal(Master());
  std::string content = original;
  content.resize(original.size() - kChecksumBytes);
  const std::string edited = mend_checksum ? Edited(content, input) : Edited(original, input);
  const std::string file = mend_checksum ? edited + Checksum(edited) : edited;
  const Result<Keyring> opened = Keyring::Open(file, Master(), "KEYS");
  CHECK(opened.ok() == (file == original));
  // Without the master key, too, damage is not taken for a file that another key sealed.
  CHECK(opened.ok() || mend_checksum || opened.error().kind() == ErrorKind::kCorruption);
  CHECK(!opened.ok() || SameKeys(*opened, Keys()));
  CheckKeyring(file);
}

void CheckPrefix(const std::string& prefix) {
  const Result<FileCipher> cipher = FileCipher::FromPrefix(Keys(), prefix);
  CHECK(!cipher.ok() && cipher.error().kind() == ErrorKind::kCorruption);
}

void CheckEditedPrefix(fuzz::Input& input) {
  static const std::string original = [] {
    std::string prefix;
    FileCipher::ForNewFile(Keys(), prefix);
    return prefix;
  }();
  std::string edited = Edited(original, input);
  edited.resize(original.size());
  if (edited != original) {
    CheckPrefix(edited);
  } else {
    CHECK(FileCipher::FromPrefix(Keys(), edited).ok());
  }
}

// Encrypts all at once and decrypts in two pieces.
void CheckContent(fuzz::Input& input) {
  std::string prefix;
  const FileCipher writer = FileCipher::ForNewFile(Keys(), prefix);
  const Result<FileCipher> reader = FileCipher::FromPrefix(Keys(), prefix);
  CHECK(reader.ok());
  uint64_t offset = 0;
  for (int i = 0; i < 7; ++i) {
    offset = offset << 8 | input.Byte();
  }
  const size_t cut = input.Byte();
  const std::string text(input.Rest());
  std::string hidden(text.size(), '\0');
  writer.Apply(offset, text.data(), hidden.data(), text.size());
  const size_t middle = std::min(cut, text.size());
  std::string shown = hidden;
  reader->Apply(offset + middle, shown.data() + middle, shown.data() + middle,
                text.size() - middle);
  reader->Apply(offset, shown.data(), shown.data(), middle);
  CHECK(shown == text);
}

}  // namespace
}  // namespace tintype::tables::engine

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::tables::engine;
  tintype::fuzz::Input input(data, size);
  switch (input.Byte() % 6) {
    case 0:
      CheckKeyring(std::string(input.Rest()));
      break;
    case 1: {
      const std::string content(input.Rest());
      CheckKeyring(content + Checksum(content));
      break;
    }
    case 2:
      CheckEditedKeyring(input, /*mend_checksum=*/input.Byte() % 2 == 0);
      break;
    case 3: {
      std::string prefix(input.Bytes(FileCipher::kPrefixBytes));
      prefix.resize(FileCipher::kPrefixBytes);
      CheckPrefix(prefix);
      break;
    }
    case 4:
      CheckEditedPrefix(input);
      break;
    default:
      CheckContent(input);
  }
  return 0;
}
