// What the REST API reads of clients: forms in pieces of any size, ranges, targets, JSON, keys of
// media, and the headers of resumable uploads. Each is refused or means the same however it
// arrives.

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/base64.h"
#include "base/check.h"
#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "flows/media_keys.h"
#include "http/rest/media/ranges.h"
#include "http/rest/protocol/url.h"
#include "http/rest/uploads/multipart.h"
#include "http/rest/uploads/tus.h"
#include "input.h"
#include "json/value.h"

namespace tintype::http::rest {
namespace {

struct Form {
  bool complete = false;
  std::string file;
  std::string filename;
  std::map<std::string, std::string> fields;
};

Form ReadForm(std::string_view boundary, std::string_view body, size_t piece_bytes) {
  Form form;
  const auto take = [&](std::string_view bytes) {
    form.file += bytes;
    return OkStatus();
  };
  MultipartReader reader(boundary, take, [](std::string_view) { return OkStatus(); });
  while (!body.empty()) {
    const std::string_view piece = body.substr(0, piece_bytes);
    if (const Status written = reader.Write(piece); !written.ok()) {
      CHECK(written.error().kind() == ErrorKind::kValidation);
      return {};
    }
    body.remove_prefix(piece.size());
  }
  if (const Status finished = reader.Finish(); !finished.ok()) {
    CHECK(finished.error().kind() == ErrorKind::kValidation);
    return {};
  }
  form.complete = true;
  form.filename = reader.filename();
  form.fields = reader.fields();
  return form;
}

void CheckForm(fuzz::Input& input) {
  const size_t piece_bytes = size_t{input.Byte()} + 1;
  const std::string_view body = input.Rest();
  const Form whole = ReadForm("b", body, body.size() + 1);
  const Form pieces = ReadForm("b", body, piece_bytes);
  CHECK(whole.complete == pieces.complete);
  CHECK(whole.file == pieces.file || !whole.complete);
  CHECK(whole.filename == pieces.filename && whole.fields == pieces.fields);
  CHECK(whole.file.size() <= body.size());
}

void CheckRange(fuzz::Input& input) {
  const uint64_t size = input.Byte() % 20;
  const RangeDecision decision = DecideRange(input.Rest(), size);
  if (decision.kind == RangeDecision::Kind::kPart) {
    CHECK(decision.range.length > 0 && decision.range.offset < size);
    CHECK(decision.range.length <= size - decision.range.offset);
  }
}

void CheckTarget(std::string_view text) {
  const std::optional<Target> target = ParseTarget(text);
  if (target) {
    CHECK(text.starts_with(target->path));
    for (const std::string& segment : target->segments) {
      CHECK(!segment.empty());
    }
  }
  const std::optional<std::string> decoded = PercentDecode(text);
  CHECK(!decoded || decoded->size() <= text.size());
}

void CheckJson(std::string_view text) {
  constexpr size_t kBytesMax = 1000;
  const Result<json::Value> value = json::Parse(text, kBytesMax);
  CHECK(value.ok() || value.error().kind() == ErrorKind::kValidation);
  CHECK(!value.ok() || text.size() <= kBytesMax);
}

/// Base64 with its usual digits, without padding.
std::string Base64(std::string_view bytes) {
  std::string text = Base64Url(bytes);
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  return text;
}

/// Metadata read from tus's headers reads the same when it is written again.
void CheckTusHeaders(std::string_view header) {
  const Result<TusMetadata> metadata = ParseTusMetadata(header);
  CHECK(metadata.ok() || metadata.error().kind() == ErrorKind::kValidation);
  if (metadata.ok()) {
    std::string again;
    for (const auto& [name, value] : *metadata) {
      CHECK(!name.empty() && name.find_first_of(" ,") == std::string::npos);
      StrAppend(again, again.empty() ? "" : ",", name, " ", Base64(value));
    }
    CHECK(ParseTusMetadata(again).value() == *metadata);
  }
  const Result<TusChecksum> checksum = ParseTusChecksum(header);
  CHECK(checksum.ok() || checksum.error().kind() == ErrorKind::kValidation);
  if (checksum.ok()) {
    const auto again = ParseTusChecksum(StrCat(checksum->algorithm, " ", Base64(checksum->digest)));
    CHECK(again.ok() && again->algorithm == checksum->algorithm &&
          again->digest == checksum->digest);
  }
  const std::optional<int64_t> number = ParseDigits<int64_t>(header);
  CHECK(!number || *number >= 0);
}

void CheckMediaKey(std::string_view key) {
  const std::optional<flows::MediaName> name = flows::ResolveMediaKey(key, 3);
  if (!name) {
    return;
  }
  CHECK(!name->id.empty() && name->id.find('/') == std::string::npos && name->revision >= 0);
  const auto again =
      flows::ResolveMediaKey(flows::StoredKey(name->id, name->revision, name->size), 3);
  CHECK(again && again->id == name->id && again->revision == name->revision &&
        again->size == name->size);
}

}  // namespace
}  // namespace tintype::http::rest

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::http::rest;
  tintype::fuzz::Input input(data, size);
  switch (input.Byte() % 6) {
    case 0:
      CheckForm(input);
      break;
    case 1:
      CheckRange(input);
      break;
    case 2:
      CheckTarget(input.Rest());
      break;
    case 3:
      CheckJson(input.Rest());
      break;
    case 4:
      CheckMediaKey(input.Rest());
      break;
    default:
      CheckTusHeaders(input.Rest());
  }
  return 0;
}
