#include "cli/commands/encrypt.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/strings.h"
#include "cli/commands/give_way.h"
#include "cli/console/console.h"
#include "cli/console/interruption.h"
#include "flows/upkeep/encrypt_blobs.h"

namespace tintype::cli {
namespace {

using flows::EncryptBlobsProgress;

ProgressStep StepOf(const EncryptBlobsProgress& progress) {
  if (progress.total == 0) {
    return {"files found", progress.seen, 0};
  }
  ProgressStep step;
  step.stage = "encrypt";
  step.unit = "files";
  step.done = progress.seen;
  step.total = std::max(progress.total, progress.seen);
  step.detail = StrCat(progress.encrypted, " encrypted (", FormatBytes(progress.bytes), ")");
  if (progress.failed > 0) {
    StrAppend(step.detail, ", ", progress.failed, " failed");
  }
  return step;
}

AdminFields FieldsOf(const EncryptBlobsProgress& progress) {
  AdminFields fields = {{"files", static_cast<int64_t>(progress.seen)},
                        {"encrypted", static_cast<int64_t>(progress.encrypted)},
                        {"bytes", static_cast<int64_t>(progress.bytes)},
                        {"failed", static_cast<int64_t>(progress.failed)}};
  AdminFields::Texts failures;
  for (const flows::UnencryptedBlob& blob : progress.failures) {
    failures.push_back(OneLine(StrCat(blob.key, ": ", blob.reason)));
  }
  fields.Set("failures", std::move(failures));
  return fields;
}

/// What came of it, for a person.
Result<std::string> EncryptionSummary(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const int64_t files, fields.Number("files"));
  ASSIGN_OR_RETURN(const int64_t encrypted, fields.Number("encrypted"));
  ASSIGN_OR_RETURN(const int64_t bytes, fields.Number("bytes"));
  ASSIGN_OR_RETURN(const int64_t failed, fields.Number("failed"));
  const std::string left = failed > 0 ? StrCat("; ", failed, " could not be") : "";
  return encrypted == 0 && failed == 0
             ? StrCat("all ", files, " files were encrypted already")
             : StrCat(encrypted, " of ", files, " files were encrypted now (",
                      FormatBytes(static_cast<uint64_t>(bytes)), ")", left);
}

}  // namespace

Status RunEncrypt(const EncryptArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Interruption interruption;
  const auto fields = DoOnProduct(config, {"encrypt", {}}, EncryptCommand(),
                                  [show = console.report()](const ProgressStep& step) {
                                    return show(step) && !Interruption::requested();
                                  });
  if (!fields.ok()) {
    return console.Fail(
        Interruption::requested()
            ? Error(ErrorKind::kUnavailable,
                    "Interrupted. Encrypted files stay encrypted; the same command does the rest")
            : fields.error());
  }
  ASSIGN_OR_RETURN(const AdminFields::Texts failures, fields->List("failures"));
  ASSIGN_OR_RETURN(const int64_t failed, fields->Number("failed"));
  ASSIGN_OR_RETURN(const std::string summary, EncryptionSummary(*fields));
  AdminFields outcome;
  for (const auto& [name, value] : fields->values()) {
    if (name != "failures") {
      outcome.Set(name, value);
    }
  }
  console.EndProgress();
  for (const std::string& failure : failures) {
    Console::Print(arguments.json ? FormatMessage({"failure", {{"file", failure}}}) : failure);
  }
  RETURN_IF_ERROR(console.End(OkStatus(), outcome, summary));
  return failed > 0 ? Status(Error::Io(StrCat(failed,
                                              " files are not encrypted. 'tintype scrub' "
                                              "tells more of damaged ones; the same "
                                              "command tries the others again")))
                    : OkStatus();
}

ProductCommand EncryptCommand() {
  // Shared by all calls: two would do the same work twice.
  const auto running = std::make_shared<std::atomic<bool>>(false);
  return [running](const ProductHost& host) -> AdminCommand {
    flows::Product& product = host.product;
    return [running, &product](const AdminFields& /*arguments*/,
                               const ProgressReport& report) -> Result<AdminFields> {
      if (running->exchange(true)) {
        return Error::InUse("The photos are being encrypted already.");
      }
      GiveWay();
      const auto ended = flows::EncryptBlobs(
          product, [&](const EncryptBlobsProgress& progress) { return report(StepOf(progress)); });
      *running = false;
      return ended.ok() ? Result<AdminFields>(FieldsOf(*ended)) : ended.error();
    };
  };
}

}  // namespace tintype::cli
