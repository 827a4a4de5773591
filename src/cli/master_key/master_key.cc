#include "cli/master_key/master_key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/base64.h"
#include "base/check.h"
#include "base/descriptor.h"
#include "base/files.h"
#include "base/hex.h"
#include "base/logging.h"
#include "base/strings.h"
#include "cli/secrets/parameter_store.h"
#include "cli/secrets/run_command.h"
#include "cli/settings/environment.h"
#include "cli/settings/secret_files.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/fingerprint.h"

namespace tintype::cli {
namespace {

using crypto::SecretKey;
using tables::engine::DirectoryKeys;
using tables::engine::DirectoryLock;
using tables::engine::Fingerprint;

constexpr size_t kHexDigits = 2 * SecretKey::kBytes;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<SecretKey> FromHex(std::string_view text) {
  if (text.size() != kHexDigits) {
    return std::nullopt;
  }
  std::string bytes;
  bytes.reserve(SecretKey::kBytes);
  const crypto::WipedAtEnd wiped(&bytes);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexDigit(text[i]);
    const int low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return SecretKey::FromBytes(bytes);
}

std::optional<SecretKey> FromBase64(std::string_view text) {
  // Keys that people made have always been taken with any last bits.
  std::optional<std::string> bytes = ParseBase64(text, StrayBits::kIgnored);
  const crypto::WipedAtEnd wiped(bytes ? &*bytes : nullptr);
  return bytes ? SecretKey::FromBytes(*bytes) : std::nullopt;
}

/// 32 random bytes are never all printable; a password, or half a key in hexadecimal, is.
std::optional<SecretKey> FromRawBytes(std::string_view text) {
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
  return printable ? std::nullopt : SecretKey::FromBytes(text);
}

Status CheckPrivate(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) {
    return FileError("open", path);
  }
  if (S_ISREG(file.st_mode) && (file.st_mode & 0077) != 0) {
    return Error::Validation(StrCat("The master key file ", path,
                                    " is open to others than its owner. Close it with 'chmod 600 ",
                                    path, "', or allow it with --master-key-file-mode any."));
  }
  return OkStatus();
}

/// As ReadMasterKeyFile of a file of the data directory, but nothing for one that is not there.
Result<std::optional<SecretKey>> ReadKeyIfAny(const std::string& path) {
  RETURN_IF_ERROR(CheckSecretFile(path, SecretReaders::kOwner, "The master key"));
  auto key = ReadMasterKeyFile(path, /*private_only=*/false);
  if (!key.ok() && key.error().kind() == ErrorKind::kNotFound) {
    return std::optional<SecretKey>();
  }
  RETURN_IF_ERROR(key);
  return std::optional<SecretKey>(*std::move(key));
}

Error MissingKey(const DataDirectory& directory, const std::string& fingerprint) {
  return Error::NotFound(
      StrCat("The tables in ", directory.tables(), " are encrypted under the master key ",
             fingerprint, ", but the file ", directory.master_key(),
             " is missing. Bring it back, or name the key with --master-key-file, "
             "--master-key-command or TINTYPE_MASTER_KEY. No other key was created."));
}

}  // namespace

Result<SecretKey> ParseMasterKey(std::string_view text, std::string_view source) {
  if (auto key = text.size() == SecretKey::kBytes ? FromRawBytes(text) : std::nullopt) {
    return *std::move(key);
  }
  while (text.ends_with('\n') || text.ends_with('\r')) {
    text.remove_suffix(1);
  }
  if (auto key = FromHex(text)) {
    return *std::move(key);
  }
  if (auto key = FromBase64(text)) {
    return *std::move(key);
  }
  return Error::Validation(
      StrCat("There is no master key in ", source,
             ": expected 32 random bytes as 64 hexadecimal digits, in base64, or as they are. "
             "'openssl rand -hex 32' makes one."));
}

Result<SecretKey> ReadMasterKeyFile(const std::string& path, bool private_only) {
  if (private_only) {
    RETURN_IF_ERROR(CheckPrivate(path));
  }
  ASSIGN_OR_RETURN(std::string content, ReadFile(path));
  const crypto::WipedAtEnd wiped(&content);
  return ParseMasterKey(content, StrCat("the file ", path));
}

Status WriteMasterKeyFile(const std::string& path, const SecretKey& key) {
  std::string digits = ToHex(key.bytes());
  const crypto::WipedAtEnd digits_wiped(&digits);
  std::string line = StrCat(digits, "\n");
  const crypto::WipedAtEnd line_wiped(&line);
  return WriteFileAtomically(path, line, 0600);
}

Status SyncMasterKeyFile(const std::string& path) {
  std::error_code error;
  // Where links lead to: the key is in that folder.
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_regular_file(real, error)) {
    return OkStatus();
  }
  const Descriptor file(::open(real.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid() || ::fsync(file.number()) != 0) {
    // EINVAL comes from file systems that are never written, such as that of an image.
    return errno == EINVAL ? OkStatus() : Status(FileError("sync", path));
  }
  // A folder that we may not list, as one with secrets may be, can only be synced by its owner.
  const std::string folder = ParentFolder(real.string());
  return ::access(folder.c_str(), R_OK) == 0 ? SyncFolder(folder) : OkStatus();
}

Result<SecretKey> OpenDefaultMasterKey(const DataDirectory& directory, const DirectoryLock& lock) {
  ASSIGN_OR_RETURN(const DirectoryKeys keys, InspectDirectoryKeys(lock));
  ASSIGN_OR_RETURN(std::optional<SecretKey> key, ReadKeyIfAny(directory.master_key()));
  if (keys.master && (!key || Fingerprint(*key) != *keys.master)) {
    // A rotation that was interrupted after its decisive step.
    ASSIGN_OR_RETURN(std::optional<SecretKey> next, ReadKeyIfAny(directory.next_master_key()));
    if (next && Fingerprint(*next) == *keys.master) {
      RETURN_IF_ERROR(PutNextMasterKeyInPlace(directory));
      LogInfo("rotation of the master key finished", {{"master_key", *keys.master}});
      return *std::move(next);
    }
  }
  if (key) {
    if (!keys.master) {
      RETURN_IF_ERROR(SyncMasterKeyFile(directory.master_key()));
    }
    return *std::move(key);
  }
  if (keys.master) {
    return MissingKey(directory, *keys.master);
  }
  if (keys.has_tables) {
    return tables::engine::MissingKeyring(directory.tables());
  }
  SecretKey created = SecretKey::Random();
  RETURN_IF_ERROR(WriteMasterKeyFile(directory.master_key(), created));
  LogInfo("master key created",
          {{"file", directory.master_key()}, {"master_key", Fingerprint(created)}});
  return created;
}

Status PutNextMasterKeyInPlace(const DataDirectory& directory) {
  if (::rename(directory.next_master_key().c_str(), directory.master_key().c_str()) != 0) {
    return FileError("rename", directory.next_master_key());
  }
  return SyncFolder(directory.path);
}

Result<SecretKey> LoadNamedMasterKey(const MasterKeySource& source) {
  if (source.value) {
    if (const auto name = ParameterNameIn(*source.value)) {
      auto parameter = ReadParameter(*name, ProcessEnvironment());
      if (!parameter.ok()) {
        return Error(parameter.error().reason(),
                     StrCat("TINTYPE_MASTER_KEY: ", parameter.error().message()));
      }
      const crypto::WipedAtEnd wiped(&*parameter);
      return ParseMasterKey(*parameter, StrCat("the parameter ", *name));
    }
    return ParseMasterKey(*source.value, "TINTYPE_MASTER_KEY");
  }
  if (!source.command.empty()) {
    ASSIGN_OR_RETURN(std::string output, RunCommand(source.command, {}));
    const crypto::WipedAtEnd wiped(&output);
    return ParseMasterKey(output, "the output of --master-key-command");
  }
  CHECK(!source.file.empty());
  return ReadMasterKeyFile(source.file, source.private_file);
}

Result<SecretKey> LoadMasterKey(const DataDirectory& directory, const MasterKeySource& source) {
  if (!source.IsDefault()) {
    ASSIGN_OR_RETURN(SecretKey key, LoadNamedMasterKey(source));
    std::error_code ignored;
    if (!source.file.empty() &&
        !std::filesystem::exists(tables::engine::KeyringPath(directory.tables()), ignored)) {
      RETURN_IF_ERROR(SyncMasterKeyFile(source.file));
    }
    return key;
  }
  ASSIGN_OR_RETURN(const auto lock, DirectoryLock::Take(nullptr, directory.tables()));
  return OpenDefaultMasterKey(directory, *lock);
}

}  // namespace tintype::cli
