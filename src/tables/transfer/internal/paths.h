#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// Where the keys of a bucket are on disk. A bucket is a folder of that name below the configured
/// root, a key a path within. Names come from clients: nothing they say leads out of the bucket.
namespace tintype::tables::transfer {

/// Fails unless `bucket` is a plain name, as S3 has them.
Status CheckBucket(std::string_view bucket);

/// A prefix of keys without empty parts: `/a//b/` is `a/b/`. A slash at the end is kept: it says
/// that the prefix is a folder. Errors: kValidation for parts that mean another folder (`.`, `..`),
/// are too long to be names of files, or have zero bytes.
Result<std::string> NormalizePrefix(std::string_view prefix);

/// A file to import.
struct SourceFile {
  std::string path;
  std::string key;  // Its name for messages: the path within the bucket or folder.
  bool gzip = false;
  uint64_t bytes = 0;
};

enum class SourceKind { kPlain, kGzip, kAny };

/// The data files below `folder` whose key starts with `prefix`, sorted by key: *.json for kPlain,
/// *.gz for kGzip. Files that an export writes beside its data are left out, and so are links, also
/// in the prefix, which might lead anywhere. Errors: kNotFound when there is no such folder, kIo;
/// kLimitExceeded for more files than DynamoDB would import.
struct SourceQuery {
  std::string folder;
  std::string prefix = {};  // Normalized.
  SourceKind kind = SourceKind::kAny;
};
Result<std::vector<SourceFile>> ListSources(const SourceQuery& query);

}  // namespace tintype::tables::transfer
