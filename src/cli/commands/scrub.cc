#include "cli/commands/scrub.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "cli/commands/give_way.h"
#include "cli/commands/scrub_checkpoint.h"
#include "cli/console/console.h"
#include "cli/console/interruption.h"
#include "cli/settings/data_directory.h"
#include "flows/scrub.h"

namespace tintype::cli {
namespace {

using flows::Finding;
using flows::ScrubCounts;
using flows::ScrubState;

constexpr int64_t kMegabyte = int64_t{1} << 20;

/// What a scrub looks at, so that one with other settings does not go on where this one stopped.
std::string SettingsOf(const flows::ProductConfig& config, const flows::ScrubOptions& options) {
  return StrCat(options.read_originals ? "full" : "quick", " ", config.images_bucket, " ",
                config.uploads_bucket, " ", config.stack, " ", config.environment);
}

ProgressStep StepOf(const ScrubState& state, bool quick) {
  const ScrubCounts& counts = state.counts;
  if (state.stage == "count") {
    return {"photos found", static_cast<uint64_t>(counts.images_total), 0};
  }
  if (state.stage != "images") {
    return {"records and files", static_cast<uint64_t>(counts.records + counts.blobs), 0};
  }
  ProgressStep step;
  step.stage = "photos";
  if (quick) {
    step.unit = "photos";
    step.done = static_cast<uint64_t>(counts.images);
    step.total = static_cast<uint64_t>(std::max(counts.images_total, counts.images));
    step.detail = StrCat(counts.files, " files");
  } else {
    step.done = static_cast<uint64_t>(counts.bytes_passed);
    step.total = static_cast<uint64_t>(std::max(counts.bytes_total, counts.bytes_passed));
    step.detail = StrCat(counts.images, " of ", std::max(counts.images_total, counts.images),
                         " photos, ", counts.files, " files");
  }
  if (counts.findings > 0) {
    StrAppend(step.detail, ", ", counts.findings, " findings");
  }
  return step;
}

AdminFields FieldsOf(const ScrubState& state) {
  AdminFields fields = {
      {"images", state.counts.images},         {"files", state.counts.files},
      {"records", state.counts.records},       {"blobs", state.counts.blobs},
      {"bytes_read", state.counts.bytes_read}, {"in_progress", state.counts.in_progress},
      {"findings", state.counts.findings}};
  AdminFields::Texts kinds;
  AdminFields::Texts ids;
  AdminFields::Texts details;
  AdminFields::Texts nexts;
  for (const Finding& finding : state.findings) {
    kinds.push_back(finding.kind);
    ids.push_back(OneLine(finding.id));
    details.push_back(OneLine(finding.detail));
    nexts.push_back(OneLine(finding.next));
  }
  fields.Set("finding_kinds", std::move(kinds));
  fields.Set("finding_ids", std::move(ids));
  fields.Set("finding_details", std::move(details));
  fields.Set("finding_nexts", std::move(nexts));
  return fields;
}

Result<std::vector<Finding>> TakeFindings(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const AdminFields::Texts kinds, fields.List("finding_kinds"));
  ASSIGN_OR_RETURN(const AdminFields::Texts ids, fields.List("finding_ids"));
  ASSIGN_OR_RETURN(const AdminFields::Texts details, fields.List("finding_details"));
  ASSIGN_OR_RETURN(const AdminFields::Texts nexts, fields.List("finding_nexts"));
  std::vector<Finding> findings;
  const size_t count = std::min({kinds.size(), ids.size(), details.size(), nexts.size()});
  for (size_t i = 0; i < count; ++i) {
    findings.push_back({kinds[i], ids[i], details[i], nexts[i]});
  }
  return findings;
}

/// Where it begins, and what its user is told of that.
Result<ScrubCheckpoint> BeginAt(const DataDirectory& directory, const contexts::Key256& key,
                                ScrubCheckpoint fresh, bool restart, const ProgressReport& report) {
  ASSIGN_OR_RETURN(FoundCheckpoint found, FindCheckpoint(directory, key, fresh));
  ProgressStep told;
  if (restart) {
    RETURN_IF_ERROR(ForgetCheckpoint(directory));
    return fresh;
  }
  if (found.checkpoint) {
    const ScrubCounts& counts = found.checkpoint->state.counts;
    told.note = StrCat("continuing the scrub that began at ", found.checkpoint->began, ": ",
                       counts.images, " of ", counts.images_total, " photos done, ",
                       counts.findings, " findings so far (--restart begins again)");
  } else if (!found.ignored.empty()) {
    told.note = StrCat("not continuing the scrub that was interrupted: ", found.ignored);
  }
  if (!told.note.empty()) {
    report(told);
  }
  return found.checkpoint ? *std::move(found.checkpoint) : std::move(fresh);
}

Result<AdminFields> Scrub(const ProductHost& host, const DataDirectory& directory,
                          const AdminFields& arguments, const ProgressReport& report) {
  ASSIGN_OR_RETURN(const bool quick, arguments.Flag("quick"));
  ASSIGN_OR_RETURN(const bool restart, arguments.Flag("restart"));
  ASSIGN_OR_RETURN(const int64_t rate_mb, arguments.Number("rate_mb"));
  flows::Product& product = host.product;
  ASSIGN_OR_RETURN(const std::string secret, host.secret());
  const contexts::Key256 key = CheckpointKeyOf(secret);
  GiveWay();
  flows::ScrubOptions options;
  options.read_originals = !quick;
  options.read_bytes_per_s = rate_mb * kMegabyte;
  ASSIGN_OR_RETURN(ScrubCheckpoint checkpoint, BeginAt(directory, key,
                                                       {TINTYPE_VERSION,
                                                        SettingsOf(product.config, options),
                                                        TimeText(product.clock.NowMs()),
                                                        {}},
                                                       restart, report));
  flows::ScrubEvents events;
  events.progress = [&](const ScrubState& state) { return report(StepOf(state, quick)); };
  events.save = [&](const ScrubState& state) {
    checkpoint.state = state;
    return KeepCheckpoint(directory, key, checkpoint);
  };
  ASSIGN_OR_RETURN(const ScrubState ended,
                   flows::Scrub(product, options, checkpoint.state, events));
  RETURN_IF_ERROR(ForgetCheckpoint(directory));
  return FieldsOf(ended);
}

std::string LineOf(const Finding& finding) {
  return StrCat(finding.kind, " ", finding.id, finding.id.empty() ? "" : " ", finding.detail,
                "\n    next: ", finding.next);
}

/// What came of it, for a person.
Result<std::string> Summary(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const int64_t images, fields.Number("images"));
  ASSIGN_OR_RETURN(const int64_t records, fields.Number("records"));
  ASSIGN_OR_RETURN(const int64_t blobs, fields.Number("blobs"));
  ASSIGN_OR_RETURN(const int64_t bytes, fields.Number("bytes_read"));
  ASSIGN_OR_RETURN(const int64_t in_progress, fields.Number("in_progress"));
  ASSIGN_OR_RETURN(const int64_t findings, fields.Number("findings"));
  return StrCat("looked at ", images, " images (", in_progress, " of them being worked on), ",
                records, " other records and ", blobs, " blobs, read ",
                FormatBytes(static_cast<uint64_t>(bytes)), ": ", findings, " findings");
}

/// What the user of the command is told when it did not come to its end.
Error Interrupted(const Error& error, const std::string& data_dir) {
  const bool is_kept = ::access(DataDirectory{data_dir}.scrub_state().c_str(), F_OK) == 0;
  if (!is_kept) {
    return Interruption::requested() ? Error(ErrorKind::kUnavailable, "Interrupted") : error;
  }
  return {error.kind(), StrCat(Interruption::requested() ? "Interrupted" : error.message(),
                               ". The same command goes on where this one ended")};
}

}  // namespace

Status RunScrub(const ScrubArguments& arguments, const ServeConfig& config) {
  Console console(arguments.json);
  const Interruption interruption;
  const AdminMessage request = {
      "scrub",
      {{"quick", arguments.quick}, {"restart", arguments.restart}, {"rate_mb", arguments.rate_mb}}};
  const auto fields = DoOnProduct(config, request, ScrubCommand(config.data_dir),
                                  [show = console.report()](const ProgressStep& step) {
                                    return show(step) && !Interruption::requested();
                                  });
  if (!fields.ok()) {
    return console.Fail(Interrupted(fields.error(), config.data_dir));
  }
  ASSIGN_OR_RETURN(const std::vector<Finding> findings, TakeFindings(*fields));
  ASSIGN_OR_RETURN(const int64_t count, fields->Number("findings"));
  ASSIGN_OR_RETURN(const std::string summary, Summary(*fields));
  AdminFields outcome;
  for (const auto& [name, value] : fields->values()) {
    if (!name.starts_with("finding_")) {
      outcome.Set(name, value);
    }
  }
  console.EndProgress();
  for (const Finding& finding : findings) {
    Console::Print(arguments.json ? FormatMessage({"finding",
                                                   {{"kind", finding.kind},
                                                    {"id", finding.id},
                                                    {"detail", finding.detail},
                                                    {"next", finding.next}}})
                                  : LineOf(finding));
  }
  RETURN_IF_ERROR(console.End(OkStatus(), outcome, summary));
  if (count > static_cast<int64_t>(findings.size())) {
    return Error::Corruption(
        StrCat(count, " things do not fit together, of which ", findings.size(), " are shown"));
  }
  return count > 0 ? Status(Error::Corruption(StrCat(count, " things do not fit together")))
                   : OkStatus();
}

ProductCommand ScrubCommand(const std::string& data_dir) {
  // Shared by all calls: two would write one checkpoint.
  const auto running = std::make_shared<std::atomic<bool>>(false);
  const DataDirectory directory{data_dir};
  return [running, directory](const ProductHost& host) -> AdminCommand {
    return [running, directory, host](const AdminFields& arguments,
                                      const ProgressReport& report) -> Result<AdminFields> {
      // One whose user has just gone away ends within moments.
      constexpr int kTriesMax = 20;
      for (int tries = 1; running->exchange(true); ++tries) {
        if (tries == kTriesMax) {
          return Error::InUse("Another scrub is in progress. Try again when it has ended.");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      Result<AdminFields> result = Scrub(host, directory, arguments, report);
      *running = false;
      return result;
    };
  };
}

}  // namespace tintype::cli
