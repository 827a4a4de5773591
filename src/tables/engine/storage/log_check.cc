#include "tables/engine/storage/log_check.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/strings.h"

namespace tintype::tables::engine {
namespace {

// RocksDB's log format: blocks of 32 KB; in them records of checksum (4 bytes), length (2), type
// (1) and payload; a record that does not fit in its block is continued in the next one. Types 1 to
// 4 are whole, first, middle and last; 5 to 8 the same in recycled logs, which we never have. A
// block's last bytes, too few for a header, are zeros.
constexpr size_t kHeaderBytes = 7;
constexpr uint8_t kLastType = 4;
constexpr uint8_t kLastRecycledType = 8;

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0);
    }
    table[i] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = MakeCrcTable();

uint8_t ByteAt(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

// Stored checksums are rotated and offset, so that a checksum of data with checksums in it works.
uint32_t Masked(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8U; }

// Whether a record that starts here and ends anywhere in `text` has the checksum that it says.
bool SomeLengthFits(std::string_view text) {
  const uint32_t stored = ByteAt(text, 0) | uint32_t{ByteAt(text, 1)} << 8 |
                          uint32_t{ByteAt(text, 2)} << 16 | uint32_t{ByteAt(text, 3)} << 24;
  uint32_t crc = ~uint32_t{0};  // CRC-32C of the type and the payload.
  for (size_t i = kHeaderBytes - 1; i < text.size(); ++i) {
    crc = (crc >> 8) ^ kCrcTable[(crc ^ ByteAt(text, i)) & 0xff];
    if (Masked(~crc) == stored) {
      return true;
    }
  }
  return false;
}

bool OnlyZeros(std::string_view text) {
  return text.find_first_not_of('\0') == std::string_view::npos;
}

Status CheckLogFile(rocksdb::FileSystem& files, const std::string& path) {
  const auto cannot_read = [&path](const rocksdb::IOStatus& status) {
    return status.IsCorruption() ? Error::Corruption(status.ToString())
                                 : Error::Io(StrCat("Cannot read ", path, ": ", status.ToString()));
  };
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  const rocksdb::IOOptions options;
  rocksdb::IOStatus status = files.NewSequentialFile(path, rocksdb::FileOptions(), &file, nullptr);
  if (!status.ok()) {
    return cannot_read(status);
  }
  LogCheck check;
  std::vector<char> buffer(LogCheck::kBlockBytes * 32);
  while (true) {
    rocksdb::Slice read;
    status = file->Read(buffer.size(), options, &read, buffer.data(), nullptr);
    if (!status.ok()) {
      return cannot_read(status);
    }
    if (read.empty()) {
      return OkStatus();
    }
    const std::string_view text(read.data(), read.size());
    for (size_t at = 0; at < text.size(); at += LogCheck::kBlockBytes) {
      const std::string_view damage = check.Add(text.substr(at, LogCheck::kBlockBytes));
      if (!damage.empty()) {
        return Error::Corruption(StrCat(path, ": ", damage));
      }
    }
  }
}

}  // namespace

std::string_view LogCheck::Add(std::string_view block) {
  if (ended_) {
    return OnlyZeros(block) ? "" : "a record was overwritten with zeros";
  }
  while (block.size() >= kHeaderBytes) {
    const size_t length = ByteAt(block, 4) | size_t{ByteAt(block, 5)} << 8;
    const uint8_t type = ByteAt(block, 6);
    if (type == 0 && length == 0) {
      ended_ = true;
      return Add(block);
    }
    if (type > kLastType && type <= kLastRecycledType) {
      return "a record has a type that is never written";
    }
    if (kHeaderBytes + length > block.size()) {
      return SomeLengthFits(block) ? "the length of a record is wrong" : "";
    }
    block.remove_prefix(kHeaderBytes + length);
  }
  return "";
}

Status CheckLogFiles(rocksdb::FileSystem& files, const std::string& directory) {
  std::vector<std::string> names;
  // A directory that is not there yet has no damage; what else is wrong with it, opening will say.
  files.GetChildren(directory, rocksdb::IOOptions(), &names, nullptr).PermitUncheckedError();
  for (const std::string& name : names) {
    if (name.ends_with(".log") || name.starts_with("MANIFEST-")) {
      RETURN_IF_ERROR(CheckLogFile(files, StrCat(directory, "/", name)));
    }
  }
  return OkStatus();
}

}  // namespace tintype::tables::engine
