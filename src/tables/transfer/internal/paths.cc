#include "tables/transfer/internal/paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/strings.h"
#include "tables/transfer/internal/export_names.h"

namespace tintype::tables::transfer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNameBytes = 255;     // Of a file, on every usual file system.
constexpr size_t kPrefixBytes = 1024;  // Of a key, in S3.
constexpr size_t kFilesMax = 50'000;   // DynamoDB's quota of objects for one import.

bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool IsWanted(const std::string& name, SourceKind kind) {
  if (name.ends_with(".gz")) {
    return kind != SourceKind::kPlain;
  }
  return kind != SourceKind::kGzip && name.ends_with(".json") && !IsExportMetadata(name);
}

}  // namespace

Status CheckBucket(std::string_view bucket) {
  const bool valid = !bucket.empty() && bucket.size() <= kNameBytes &&
                     IsAlphanumeric(bucket.front()) && IsAlphanumeric(bucket.back()) &&
                     std::ranges::all_of(bucket, [](char c) {
                       return IsAlphanumeric(c) || c == '.' || c == '-' || c == '_';
                     });
  return valid
             ? OkStatus()
             : Status(Error::Validation(StrCat(
                   "One or more parameter values were invalid: S3Bucket is not a name: ", bucket)));
}

Result<std::string> NormalizePrefix(std::string_view prefix) {
  const auto invalid = [](std::string_view why) {
    return Error::Validation(StrCat("One or more parameter values were invalid: the prefix ", why));
  };
  if (prefix.size() > kPrefixBytes) {
    return invalid("is too long");
  }
  if (prefix.find('\0') != std::string_view::npos) {
    return invalid("must not contain zero bytes");
  }
  std::string normalized;
  for (std::string_view rest = prefix; !rest.empty();) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    const bool folder = end < rest.size();
    rest.remove_prefix(folder ? end + 1 : end);
    if (part == "." || part == "..") {
      return invalid("must not have parts that are '.' or '..'");
    }
    if (part.size() > kNameBytes) {
      return invalid("has a part that is too long");
    }
    if (!part.empty()) {
      StrAppend(normalized, part, folder ? "/" : "");
    }
  }
  return normalized;
}

Result<std::vector<SourceFile>> ListSources(const SourceQuery& query) {
  std::error_code error;
  const fs::path bucket(query.folder);
  if (!fs::is_directory(bucket, error)) {
    return Error::NotFound(StrCat("There is no folder ", query.folder));
  }
  // A prefix may end within a name, so the last folder it names in full is where to look.
  std::vector<SourceFile> files;
  fs::path start = bucket;
  for (size_t begin = 0, end = 0; (end = query.prefix.find('/', begin)) != std::string::npos;
       begin = end + 1) {
    start /= query.prefix.substr(begin, end - begin);
    if (!fs::is_directory(fs::symlink_status(start, error))) {
      return files;
    }
  }
  fs::recursive_directory_iterator entries(start, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    std::error_code gone;
    const std::string key = entries->path().lexically_relative(bucket).string();
    if (!key.starts_with(query.prefix) || !fs::is_regular_file(entries->symlink_status(gone)) ||
        !IsWanted(entries->path().filename().string(), query.kind)) {
      continue;
    }
    if (files.size() == kFilesMax) {
      return Error::LimitExceeded(StrCat("More than ", kFilesMax, " files to import"));
    }
    files.push_back(
        {entries->path().string(), key, key.ends_with(".gz"), entries->file_size(gone)});
  }
  if (error) {
    return Error::Io(StrCat("Cannot list ", query.folder, ": ", error.message()));
  }
  std::ranges::sort(files, {}, &SourceFile::key);
  return files;
}

}  // namespace tintype::tables::transfer
