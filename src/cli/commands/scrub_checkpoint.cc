#include "cli/commands/scrub_checkpoint.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "cli/admin/message.h"

namespace tintype::cli {
namespace {

/// Of the file. Another one is not read.
constexpr int64_t kCheckpointFormat = 1;
/// Far more than a thousand findings take.
constexpr size_t kCheckpointBytesMax = size_t{16} << 20;
constexpr std::string_view kSealContext = "scrub state";

/// The counts by name.
struct CountField {
  const char* name;
  int64_t flows::ScrubCounts::*count;
};
constexpr std::array<CountField, 10> kCountFields = {{
    {"images", &flows::ScrubCounts::images},
    {"files", &flows::ScrubCounts::files},
    {"records", &flows::ScrubCounts::records},
    {"blobs", &flows::ScrubCounts::blobs},
    {"bytes_read", &flows::ScrubCounts::bytes_read},
    {"in_progress", &flows::ScrubCounts::in_progress},
    {"findings", &flows::ScrubCounts::findings},
    {"images_total", &flows::ScrubCounts::images_total},
    {"bytes_total", &flows::ScrubCounts::bytes_total},
    {"bytes_passed", &flows::ScrubCounts::bytes_passed},
}};

/// The texts of the findings by name, a list for each.
struct FindingField {
  const char* name;
  std::string flows::Finding::*text;
};
constexpr std::array<FindingField, 4> kFindingFields = {{
    {"finding_kinds", &flows::Finding::kind},
    {"finding_ids", &flows::Finding::id},
    {"finding_details", &flows::Finding::detail},
    {"finding_nexts", &flows::Finding::next},
}};

Error NoCheckpoint(std::string_view what) {
  return Error::Validation(StrCat("This is not where a scrub stopped: ", what));
}

Result<std::map<std::string, std::string>> PlaceIn(const AdminFields& fields) {
  ASSIGN_OR_RETURN(const AdminFields::Texts names, fields.List("place_names"));
  ASSIGN_OR_RETURN(const AdminFields::Texts texts, fields.List("place_texts"));
  if (names.size() != texts.size()) {
    return NoCheckpoint("its place is torn");
  }
  std::map<std::string, std::string> place;
  for (size_t i = 0; i < names.size(); ++i) {
    place.emplace(names[i], texts[i]);
  }
  return place;
}

Result<std::vector<flows::Finding>> FindingsIn(const AdminFields& fields) {
  std::vector<flows::Finding> findings;
  for (const FindingField& field : kFindingFields) {
    ASSIGN_OR_RETURN(AdminFields::Texts texts, fields.List(field.name));
    if (field.text == kFindingFields.front().text) {
      findings.resize(texts.size());
    }
    if (texts.size() != findings.size() || texts.size() > flows::kFindingsMax) {
      return NoCheckpoint("its findings are torn");
    }
    for (size_t i = 0; i < texts.size(); ++i) {
      findings[i].*field.text = std::move(texts[i]);
    }
  }
  return findings;
}

}  // namespace

std::string FormatCheckpoint(const ScrubCheckpoint& checkpoint) {
  AdminFields fields = {{"format", kCheckpointFormat},
                        {"version", checkpoint.version},
                        {"settings", checkpoint.settings},
                        {"began", checkpoint.began},
                        {"stage", checkpoint.state.stage}};
  for (const CountField& field : kCountFields) {
    fields.Set(field.name, checkpoint.state.counts.*field.count);
  }
  AdminFields::Texts names;
  AdminFields::Texts texts;
  for (const auto& [name, text] : checkpoint.state.place) {
    names.push_back(name);
    texts.push_back(text);
  }
  fields.Set("place_names", std::move(names));
  fields.Set("place_texts", std::move(texts));
  for (const FindingField& field : kFindingFields) {
    AdminFields::Texts of_findings;
    for (const flows::Finding& finding : checkpoint.state.findings) {
      of_findings.push_back(finding.*field.text);
    }
    fields.Set(field.name, std::move(of_findings));
  }
  return FormatMessage({"scrub", std::move(fields)});
}

Result<ScrubCheckpoint> ParseCheckpoint(std::string_view line) {
  ASSIGN_OR_RETURN(const AdminMessage message, ParseMessage(line));
  ASSIGN_OR_RETURN(const int64_t format, message.fields.Number("format"));
  if (message.name != "scrub" || format != kCheckpointFormat) {
    return NoCheckpoint("it has another format");
  }
  ScrubCheckpoint checkpoint;
  ASSIGN_OR_RETURN(checkpoint.version, message.fields.Text("version"));
  ASSIGN_OR_RETURN(checkpoint.settings, message.fields.Text("settings"));
  ASSIGN_OR_RETURN(checkpoint.began, message.fields.Text("began"));
  ASSIGN_OR_RETURN(checkpoint.state.stage, message.fields.Text("stage"));
  for (const CountField& field : kCountFields) {
    ASSIGN_OR_RETURN(checkpoint.state.counts.*field.count, message.fields.Number(field.name));
  }
  ASSIGN_OR_RETURN(checkpoint.state.place, PlaceIn(message.fields));
  ASSIGN_OR_RETURN(checkpoint.state.findings, FindingsIn(message.fields));
  return checkpoint;
}

contexts::Key256 CheckpointKeyOf(std::string_view secret) {
  return contexts::DeriveKey(secret, kSealContext);
}

Result<FoundCheckpoint> FindCheckpoint(const DataDirectory& directory, const contexts::Key256& key,
                                       const ScrubCheckpoint& wanted) {
  const Result<std::string> content = ReadFile(directory.scrub_state(), kCheckpointBytesMax);
  if (!content.ok()) {
    return content.error().kind() == ErrorKind::kNotFound
               ? FoundCheckpoint()
               : Result<FoundCheckpoint>(content.error());
  }
  const Result<std::string> line = contexts::Unseal(key, kSealContext, *content);
  Result<ScrubCheckpoint> parsed = line.ok() ? ParseCheckpoint(*line) : line.error();
  FoundCheckpoint found;
  if (!parsed.ok()) {
    found.ignored = "its file cannot be read";
  } else if (parsed->version != wanted.version) {
    found.ignored = StrCat("it was one of version ", parsed->version);
  } else if (parsed->settings != wanted.settings) {
    found.ignored = "it had other settings";
  } else {
    found.checkpoint = *std::move(parsed);
  }
  return found;
}

Status KeepCheckpoint(const DataDirectory& directory, const contexts::Key256& key,
                      const ScrubCheckpoint& checkpoint) {
  return WriteFileAtomically(directory.scrub_state(),
                             contexts::Seal(key, kSealContext, FormatCheckpoint(checkpoint)), 0600);
}

Status ForgetCheckpoint(const DataDirectory& directory) {
  if (::unlink(directory.scrub_state().c_str()) != 0 && errno != ENOENT) {
    return FileError("remove", directory.scrub_state());
  }
  return OkStatus();
}

}  // namespace tintype::cli
