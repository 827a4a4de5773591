// The manifests of backups, of tables and of whole data directories. Arbitrary bytes are refused as
// damaged or give something that is written as it was read, and no name in it leads out of its
// directory.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/check.h"
#include "base/strings.h"
#include "cli/backup/manifest.h"
#include "crypto/digest.h"
#include "input.h"
#include "tables/engine/recovery/table_backup_manifest.h"

namespace tintype {
namespace {

using cli::BackupFile;
using cli::BackupManifest;
using tables::engine::TableBackupManifest;

void CheckTableManifest(const std::string& stored) {
  if (!tables::CheckEncodedItem(stored).ok()) {
    return;
  }
  const auto manifest = TableBackupManifest::FromStored(tables::MapView(stored));
  if (!manifest.ok()) {
    CHECK(manifest.error().kind() == ErrorKind::kCorruption);
    return;
  }
  for (const TableBackupManifest::File& file : manifest->files) {
    CHECK(file.rows >= 0 && !file.name.empty() && file.name.find('/') == std::string::npos);
  }
  const tables::Item again = manifest->ToStored(tables::Item());
  CHECK(tables::CheckEncodedItem(again.payload()).ok());
  CHECK(TableBackupManifest::FromStored(again.view())->files == manifest->files);
}

// An item with the names that a manifest has, some with what belongs there.
std::string MakeTableManifest(fuzz::Input& input) {
  using tables::Value;
  const auto list = [&](auto make) {
    std::vector<Value> values;
    for (int count = input.Byte() % 4; count > 0; --count) {
      values.push_back(make());
    }
    return Value::List(values);
  };
  std::vector<std::pair<std::string, Value>> entries;
  for (const char* name : {"version", "files", "counts"}) {
    const uint8_t choice = input.Byte();
    const auto text = [&] { return Value::String(std::string(input.Bytes(input.Byte() % 8))); };
    const auto number = [&] { return Value::OfNumber(fuzz::MakeNumber(input)); };
    entries.emplace_back(name, choice >= 128    ? fuzz::MakeValue(input, 3)
                               : name[0] == 'v' ? Value::Integer(choice / 64 + 1)
                               : name[0] == 'f' ? list(text)
                                                : list(number));
  }
  return tables::Item::Of(std::move(entries)).payload();
}

bool StaysInside(const std::string& path) {
  const std::filesystem::path plain = std::filesystem::path(path).lexically_normal();
  return !path.empty() && plain.is_relative() && *plain.begin() != ".." && plain != "." &&
         path.find('\0') == std::string::npos;
}

void CheckSame(const BackupManifest& a, const BackupManifest& b) {
  CHECK(a.id == b.id && a.created_ms == b.created_ms && a.new_bytes == b.new_bytes);
  CHECK(std::ranges::equal(a.files, b.files, [](const BackupFile& x, const BackupFile& y) {
    return x.stored == y.stored && x.target == y.target && x.sum == y.sum;
  }));
}

void CheckDirectoryManifest(const std::string& text) {
  const auto manifest = cli::ParseManifest(text);
  if (!manifest.ok()) {
    CHECK(manifest.error().kind() == ErrorKind::kCorruption);
    return;
  }
  for (const BackupFile& file : manifest->files) {
    CHECK(StaysInside(file.stored));
    CHECK(file.target.empty() || StaysInside(file.target));
  }
  const std::string once = cli::FormatManifest(*manifest);
  const auto again = cli::ParseManifest(once);
  CHECK(again.ok());
  CheckSame(*manifest, *again);
  CHECK(cli::FormatManifest(*again) == once);
}

// The checksum would keep all that a fuzzer makes up from being looked at.
std::string Sealed(std::string_view body) {
  return StrCat(body, "sha256\t", crypto::Sha256Hex(body), "\n");
}

void CheckAnyNames(fuzz::Input& input) {
  BackupManifest manifest{input.Byte(), -int64_t{input.Byte()}, input.Byte(), {}};
  while (!input.empty() && manifest.files.size() < 8) {
    BackupFile file;
    file.sum = {std::string(64, 'a'), input.Byte()};
    file.stored = std::string(input.Bytes(input.Byte() % 32));
    file.target = std::string(input.Bytes(input.Byte() % 32));
    manifest.files.push_back(std::move(file));
  }
  const auto read = cli::ParseManifest(cli::FormatManifest(manifest));
  if (read.ok()) {
    CheckSame(manifest, *read);
  } else {
    // Nothing but a path that leads elsewhere is a reason not to read what was written. Those that
    // come back to where they were are refused as well.
    CHECK(!std::ranges::all_of(manifest.files, [](const BackupFile& file) {
      const auto plain = [](const std::string& path) {
        return StaysInside(path) && StrCat("/", path, "/").find("/./") == std::string::npos &&
               StrCat("/", path, "/").find("/../") == std::string::npos &&
               StrCat(path, "/").find("//") == std::string::npos;
      };
      return plain(file.stored) && (file.target.empty() || plain(file.target));
    }));
  }
}

}  // namespace
}  // namespace tintype

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  switch (input.Byte() % 5) {
    case 0:
      tintype::CheckTableManifest(std::string(input.Rest()));
      break;
    case 1:
      tintype::CheckDirectoryManifest(std::string(input.Rest()));
      break;
    case 2:
      tintype::CheckDirectoryManifest(tintype::Sealed(input.Rest()));
      break;
    case 3:
      tintype::CheckAnyNames(input);
      break;
    default:
      tintype::CheckTableManifest(tintype::MakeTableManifest(input));
  }
  return 0;
}
