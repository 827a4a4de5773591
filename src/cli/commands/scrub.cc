#include "cli/commands/scrub.h"

#include <string>

#include "base/strings.h"
#include "cli/commands/product_command.h"
#include "cli/console/console.h"
#include "flows/scrub.h"

namespace tintype::cli {
namespace {

/// As many as a person reads; the number of all of them is told.
constexpr int64_t kShownMax = 1000;

Result<AdminFields> Scrub(flows::Product& product, const ProgressReport& report) {
  std::string shown;
  int64_t count = 0;
  const auto find = [&](const flows::Finding& finding) {
    if (++count <= kShownMax) {
      StrAppend(shown, finding.kind, " ", OneLine(finding.id), finding.id.empty() ? "" : " ",
                OneLine(finding.detail), "\n");
    }
  };
  const auto progress = [&](const flows::ScrubResult& result) {
    return report({"records and blobs",
                   static_cast<uint64_t>(result.images + result.records + result.blobs), 0});
  };
  ASSIGN_OR_RETURN(const flows::ScrubResult result, flows::Scrub(product, find, progress));
  return AdminFields{{"images", result.images},     {"records", result.records},
                     {"blobs", result.blobs},       {"in_progress", result.in_progress},
                     {"findings", result.findings}, {"shown", shown}};
}

}  // namespace

Status RunScrub(const ScrubArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const auto fields = DoOnProduct(config, {"scrub", {}}, ScrubCommand, console.report());
  if (!fields.ok()) {
    return console.Fail(fields.error());
  }
  ASSIGN_OR_RETURN(const int64_t images, fields->Number("images"));
  ASSIGN_OR_RETURN(const int64_t records, fields->Number("records"));
  ASSIGN_OR_RETURN(const int64_t blobs, fields->Number("blobs"));
  ASSIGN_OR_RETURN(const int64_t in_progress, fields->Number("in_progress"));
  ASSIGN_OR_RETURN(const int64_t findings, fields->Number("findings"));
  ASSIGN_OR_RETURN(const std::string shown, fields->Text("shown"));
  Status status = console.End(
      OkStatus(), *fields,
      StrCat(shown, "looked at ", images, " images (", in_progress, " of them being worked on), ",
             records, " other records and ", blobs, " blobs: ", findings, " findings"));
  if (status.ok() && findings > 0) {
    return Error::Corruption(StrCat(findings, " things do not fit together"));
  }
  return status;
}

AdminCommand ScrubCommand(flows::Product& product) {
  return [&product](const AdminFields& /*arguments*/, const ProgressReport& report) {
    return Scrub(product, report);
  };
}

}  // namespace tintype::cli
