#include "cli/backup/manifest.h"

#include <optional>

#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::cli {
namespace {

constexpr std::string_view kTitle = "tintype backup 1";
constexpr size_t kHexBytes = 64;

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '%'; }

/// Tabs and line ends, which separate the parts of a manifest, become `%09` and the like.
std::string Escaped(std::string_view path) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : path) {
    if (NeedsEscape(c)) {
      const auto byte = static_cast<unsigned char>(c);
      StrAppend(out, '%', kDigits[byte >> 4], kDigits[byte & 15]);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

/// Whether a path stays in the directory that it is relative to.
bool StaysInside(std::string_view path) {
  for (;;) {
    const size_t end = path.find('/');
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string_view::npos) {
      return false;
    }
    if (end == std::string_view::npos) {
      return true;
    }
    path.remove_prefix(end + 1);
  }
}

/// Takes `text` apart, one separated part after the other.
class Parts {
 public:
  Parts(std::string_view text, char separator) : rest_(text), separator_(separator) {}
  std::string_view Next() {
    const size_t end = rest_.find(separator_);
    const std::string_view part = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return part;
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  char separator_;
};

/// The number of a line `name TAB number`.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view line, std::string_view name) {
  Parts parts(line, '\t');
  return parts.Next() == name ? ParseInteger<Number>(parts.Next()) : std::nullopt;
}

Error Damaged(std::string_view what) { return Error::Corruption(std::string(what)); }

std::optional<BackupFile> ParseFile(Parts parts) {
  BackupFile file;
  if (parts.Next() != "file") {
    return std::nullopt;
  }
  file.sum.sha256 = parts.Next();
  const auto bytes = ParseInteger<uint64_t>(parts.Next());
  const auto stored = PercentDecode(parts.Next());
  const auto target = PercentDecode(parts.Next());
  const bool valid = file.sum.sha256.size() == kHexBytes && bytes && stored && target &&
                     parts.empty() && StaysInside(*stored) &&
                     (target->empty() || StaysInside(*target));
  if (!valid) {
    return std::nullopt;
  }
  file.sum.bytes = *bytes;
  file.stored = *stored;
  file.target = *target;
  return file;
}

}  // namespace

uint64_t BackupManifest::bytes() const {
  uint64_t sum = 0;
  for (const BackupFile& file : files) {
    sum += file.sum.bytes;
  }
  return sum;
}

std::string FormatManifest(const BackupManifest& manifest) {
  std::string text = StrCat(kTitle, "\nid\t", manifest.id, "\ncreated\t", manifest.created_ms,
                            "\nnew-bytes\t", manifest.new_bytes, "\n");
  for (const BackupFile& file : manifest.files) {
    StrAppend(text, "file\t", file.sum.sha256, "\t", file.sum.bytes, "\t", Escaped(file.stored),
              "\t", Escaped(file.target), "\n");
  }
  StrAppend(text, "sha256\t", crypto::Sha256Hex(text), "\n");
  return text;
}

Result<BackupManifest> ParseManifest(std::string_view text) {
  constexpr std::string_view kSum = "sha256\t";
  constexpr size_t kSumLine = kSum.size() + kHexBytes + 1;
  if (text.size() < kSumLine || text.back() != '\n' ||
      !text.substr(text.size() - kSumLine).starts_with(kSum)) {
    return Damaged("its end is missing");
  }
  const std::string_view body = text.substr(0, text.size() - kSumLine);
  if (text.substr(body.size() + kSum.size(), kHexBytes) != crypto::Sha256Hex(body)) {
    return Damaged("its checksum does not fit");
  }
  Parts lines(body, '\n');
  if (lines.Next() != kTitle) {
    return Damaged(StrCat("it is not of the format '", kTitle, "', which this version reads"));
  }
  const auto id = ParseNumber<uint32_t>(lines.Next(), "id");
  const auto created_ms = ParseNumber<int64_t>(lines.Next(), "created");
  const auto new_bytes = ParseNumber<uint64_t>(lines.Next(), "new-bytes");
  if (!id || !created_ms || !new_bytes) {
    return Damaged("its head cannot be read");
  }
  BackupManifest manifest{*id, *created_ms, *new_bytes, {}};
  while (!lines.empty()) {
    std::optional<BackupFile> file = ParseFile(Parts(lines.Next(), '\t'));
    if (!file) {
      return Damaged("its list of files cannot be read");
    }
    manifest.files.push_back(*std::move(file));
  }
  return manifest;
}

}  // namespace tintype::cli
