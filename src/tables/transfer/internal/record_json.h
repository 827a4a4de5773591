#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/language/transfers.h"

/// What is kept of one export or import, as JSON (docs/formats/export.md).
namespace tintype::tables::transfer {

struct ExportRecord {
  ExportDescription description;
  std::string parameters;  // A digest of the request: a client token stands for one request.
};
struct ImportRecord {
  ImportDescription description;
  std::string parameters;
};

std::string FormatRecord(const ExportRecord& record);
std::string FormatRecord(const ImportRecord& record);

/// An ExportRecord or ImportRecord. Errors: kCorruption when it is not what FormatRecord writes.
/// Members beside are passed over.
template <typename Record>
Result<Record> ParseRecord(std::string_view text);

}  // namespace tintype::tables::transfer
