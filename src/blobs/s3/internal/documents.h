#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "blobs/blob_store.h"

/// The XML documents of S3, in both directions. pugixml, which resolves no entities from outside,
/// stays in documents.cc. Errors of the parsers are kIo: the answer is not what it should be.
namespace tintype::blobs::s3 {

struct ErrorText {
  std::string code;  // Empty when it is no error document.
  std::string message;
};
ErrorText ParseError(std::string_view body);

struct ObjectPage {
  std::vector<ListedBlob> objects;
  bool truncated = false;
  std::string next_token;
};
/// Of ListObjectsV2 with `encoding-type=url`.
Result<ObjectPage> ParseObjects(std::string_view body);

struct UnfinishedUpload {
  std::string key;
  std::string upload_id;
  int64_t begun_ms = 0;
};
struct UploadPage {
  std::vector<UnfinishedUpload> uploads;
  bool truncated = false;
  std::string next_key;
  std::string next_upload_id;
};
/// Of ListMultipartUploads with `encoding-type=url`.
Result<UploadPage> ParseUploads(std::string_view body);

/// Of CreateMultipartUpload.
Result<std::string> ParseUploadId(std::string_view body);

/// The ETag, unquoted, of CopyObject and UploadPartCopy.
Result<std::string> ParseETag(std::string_view body);

/// The first error that DeleteObjects tells of; an empty code when there is none.
Result<ErrorText> ParseDeleteErrors(std::string_view body);

/// The body of CompleteMultipartUpload: the parts' ETags in order.
std::string WriteParts(const std::vector<std::string>& etags);
/// The body of DeleteObjects.
std::string WriteDelete(const std::vector<std::string>& keys);
/// The body of CreateBucket.
std::string WriteLocation(std::string_view region);

}  // namespace tintype::blobs::s3
