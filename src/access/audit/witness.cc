#include "access/audit/witness.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "access/audit/chain_items.h"
#include "base/files.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace tintype::access::audit {
namespace {

// Twenty digits, a blank, the hash and the end of the line: less than a sector, so that it is
// written whole or not at all.
constexpr size_t kNumberBytes = 20;
constexpr size_t kHashBytes = 64;
constexpr size_t kLineBytes = kNumberBytes + 1 + kHashBytes + 1;

std::string LineOf(const Head& head) {
  return StrCat(SequenceText(head.sequence), " ", head.hash, "\n");
}

std::optional<Head> ParseLine(std::string_view line) {
  if (line.size() != kLineBytes || line[kNumberBytes] != ' ' || line.back() != '\n') {
    return std::nullopt;
  }
  const std::optional<int64_t> sequence = ParseDigits<int64_t>(line.substr(0, kNumberBytes));
  if (!sequence) {
    return std::nullopt;
  }
  return Head{*sequence, std::string(line.substr(kNumberBytes + 1, kHashBytes))};
}

}  // namespace

Result<std::optional<Head>> ReadWitness(const std::string& path) {
  const Result<std::string> line = ReadFile(path, kLineBytes);
  if (!line.ok() && line.error().kind() == ErrorKind::kNotFound) {
    return std::optional<Head>();
  }
  if (!line.ok()) {
    return line.error();
  }
  if (line->empty()) {
    return std::optional<Head>();  // Made, but not written to.
  }
  std::optional<Head> head = ParseLine(*line);
  if (!head) {
    return Error::Corruption(
        StrCat(path, " is damaged. Remove it, after 'tintype audit verify' found nothing wrong."));
  }
  return head;
}

Result<Witness> Witness::Open(const std::string& path) {
  if (path.empty()) {
    return Witness(path, std::nullopt, std::nullopt);
  }
  ASSIGN_OR_RETURN(std::optional<Head> found, ReadWitness(path));
  constexpr mode_t kOwnerOnly = 0600;
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kOwnerOnly));
  if (!file.valid()) {
    return FileError("open", path);
  }
  return Witness(path, std::move(file), std::move(found));
}

Status Witness::Write(const Head& head) {
  if (!file_) {
    return OkStatus();
  }
  const std::string line = LineOf(head);
  ssize_t written = -1;
  do {
    written = ::pwrite(file_->number(), line.data(), line.size(), 0);
  } while (written < 0 && errno == EINTR);
  return written == static_cast<ssize_t>(line.size()) ? OkStatus()
                                                      : Status(FileError("write", path_));
}

}  // namespace tintype::access::audit
