// What is kept of exports and imports, the manifests that exports have, and the lines of their
// data. Arbitrary text is refused, or written as it was read; what is written is read as it was.

#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "input.h"
#include "tables/language/errors.h"
#include "tables/transfer/internal/export_manifests.h"
#include "tables/transfer/internal/record_json.h"
#include "tables/wire/item_json.h"

namespace tintype::tables::transfer {
namespace {

template <typename Record>
void CheckRecord(std::string_view text) {
  const Result<Record> record = ParseRecord<Record>(text);
  if (!record.ok()) {
    CHECK(record.error().kind() == ErrorKind::kCorruption);
    return;
  }
  const std::string written = FormatRecord(*record);
  const Result<Record> again = ParseRecord<Record>(written);
  CHECK(again.ok());
  CHECK(FormatRecord(*again) == written);
}

void CheckManifests(std::string_view text) {
  const auto keys = ParseFilesManifest(text);
  if (keys.ok()) {
    std::vector<ExportedFile> files;
    for (const std::string& key : *keys) {
      files.push_back({key, 1, "", ""});
    }
    CHECK(*ParseFilesManifest(FormatFilesManifest(files)) == *keys);
  } else {
    CHECK(keys.error().kind() == ErrorKind::kCorruption);
  }
  const auto totals = ParseSummary(text);
  if (totals.ok()) {
    const auto again = ParseSummary(FormatSummary({}, {"", 0, totals->items, totals->bytes}));
    CHECK(again->items == totals->items && again->bytes == totals->bytes);
  } else {
    CHECK(totals.error().kind() == ErrorKind::kCorruption);
  }
}

// Texts come from requests and from the names of files, which can be any bytes.
void CheckWritten(fuzz::Input& input) {
  const auto text = [&] { return std::string(input.Bytes(input.Byte() % 16)); };
  ExportRecord record;
  record.description.arn = text();
  record.description.prefix = text();
  record.description.failure_message = text();
  record.parameters = text();
  CHECK(ParseRecord<ExportRecord>(FormatRecord(record)).ok());
  CHECK(ParseFilesManifest(FormatFilesManifest({{text(), 0, "", ""}}))->size() == 1);
}

void CheckItemLine(std::string_view line) {
  const Result<Item> item = wire::DecodeItemLine(line);
  if (!item.ok()) {
    CHECK(item.error().Is(ErrorKind::kValidation));
    return;
  }
  std::string written;
  wire::AppendItemLine(written, item->view());
  CHECK(written.find('\n') == std::string::npos);
  const Result<Item> again = wire::DecodeItemLine(written);
  CHECK(again.ok() && *again == *item);
}

}  // namespace
}  // namespace tintype::tables::transfer

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tintype::tables::transfer;
  tintype::fuzz::Input input(data, size);
  switch (input.Byte() % 5) {
    case 0:
      CheckRecord<ExportRecord>(input.Rest());
      break;
    case 1:
      CheckRecord<ImportRecord>(input.Rest());
      break;
    case 2:
      CheckManifests(input.Rest());
      break;
    case 3:
      CheckWritten(input);
      break;
    default:
      CheckItemLine(input.Rest());
  }
  return 0;
}
