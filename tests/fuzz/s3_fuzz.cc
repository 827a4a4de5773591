// The XML of S3: whatever a storage answers is read or refused, never as two things at once and
// never as a page that does not say where the next one begins; a key comes back from a list as it
// was stored.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/percent.h"
#include "base/strings.h"
#include "blobs/s3/internal/documents.h"
#include "sigv4/sigv4.h"

namespace tintype::blobs::s3 {
namespace {

void CheckAnswer(std::string_view body) {
  const bool error = !ParseError(body).code.empty();
  const auto objects = ParseObjects(body);
  const auto uploads = ParseUploads(body);
  const auto id = ParseUploadId(body);
  const auto deleted = ParseDeleteErrors(body);
  CHECK((error ? 1 : 0) + (objects.ok() ? 1 : 0) + (uploads.ok() ? 1 : 0) + (id.ok() ? 1 : 0) +
            (deleted.ok() ? 1 : 0) <=
        1);
  CHECK(!objects.ok() || !objects->truncated || !objects->next_token.empty());
  CHECK(!uploads.ok() || !uploads->truncated || !uploads->next_key.empty());
  CHECK(!id.ok() || !id->empty());
  const auto etag = ParseETag(body);
  CHECK(!etag.ok() || (!etag->empty() && !error));
}

void CheckKey(const std::string& key) {
  const auto page = ParseObjects(
      StrCat("<?xml version=\"1.0\"?>\n<ListBucketResult "
             "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
             "<Contents><Key>",
             PercentEncoded(key),
             "</Key><LastModified>2026-11-15T12:00:00.181Z</LastModified><Size>7</Size></Contents>"
             "</ListBucketResult>"));
  CHECK(page.ok() && page->objects.size() == 1);
  CHECK(page->objects[0].key == key && page->objects[0].info.bytes == 7);
  CHECK(page->objects[0].info.modified_ms == 1794744000000);
}

}  // namespace
}  // namespace tintype::blobs::s3

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  tintype::blobs::s3::CheckAnswer(input);
  tintype::blobs::s3::CheckKey(input);
  return 0;
}
