#include "cli/commands/models.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/strings.h"
#include "cli/console/console.h"
#include "cli/console/text_table.h"
#include "cli/gallery/analysis_service.h"
#include "models/model_files.h"

namespace tintype::cli {
namespace {

using models::KnownModel;
using models::ModelState;

constexpr const char* kBringThem = "'./dev models' brings what is missing.";
// What each kind of analysis needs at least. The others make some of them better.
constexpr std::string_view kQuickSet = "quick";

std::string NameOf(ModelState state) {
  return state == ModelState::kThere     ? "there"
         : state == ModelState::kMissing ? "missing"
                                         : "damaged";
}

ModelState LookAt(const models::ModelFiles& files, const KnownModel& model) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(files.PathOf(model.name), error);
  if (error) {
    return ModelState::kMissing;
  }
  return static_cast<int64_t>(bytes) == model.bytes ? ModelState::kThere : ModelState::kDamaged;
}

struct Looked {
  const KnownModel* model = nullptr;
  ModelState state = ModelState::kThere;
};

struct Shown {
  std::string text;
  int64_t there = 0;
};

/// Whether analysis is without what it needs, or has a file that is another.
bool IsWrong(const Looked& looked) {
  return looked.state == ModelState::kDamaged ||
         (looked.state == ModelState::kMissing && looked.model->set == kQuickSet);
}

/// Each as a line of a table or, for machines, an object that is printed here.
Shown Show(const models::ModelFiles& files, const std::vector<Looked>& looked, bool json) {
  std::vector<std::array<std::string, 6>> rows = {
      {"NAME", "STATE", "SET", "MB", "LICENCE", "WHAT IT IS"}};
  Shown shown;
  for (const auto& [model, state] : looked) {
    shown.there += state == ModelState::kThere ? 1 : 0;
    rows.push_back({std::string(model->name), NameOf(state), std::string(model->set),
                    StrCat((model->bytes + (1 << 20) - 1) >> 20), std::string(model->licence),
                    std::string(model->text)});
    if (json) {
      Console::Print(FormatMessage({"model",
                                    {{"name", std::string(model->name)},
                                     {"state", NameOf(state)},
                                     {"set", std::string(model->set)},
                                     {"bytes", model->bytes},
                                     {"sha256", std::string(model->sha256)},
                                     {"package", std::string(model->package)},
                                     {"licence", std::string(model->licence)}}}));
    }
  }
  shown.text = StrCat(TextTable(rows), "in ", files.folder());
  return shown;
}

}  // namespace

Status RunModelsList(const ServeConfig& config, bool json) {
  Console console(json);
  const models::ModelFiles files(ModelsFolder(config.models_dir));
  std::vector<Looked> looked;
  for (const KnownModel& model : models::KnownModels()) {
    looked.push_back({&model, LookAt(files, model)});
  }
  const Shown shown = Show(files, looked, json);
  const auto count = static_cast<int64_t>(looked.size());
  return console.End(OkStatus(), {{"count", count}, {"there", shown.there}},
                     shown.there == count ? shown.text : StrCat(shown.text, "\n", kBringThem));
}

Status RunModelsVerify(const ServeConfig& config, bool json) {
  Console console(json);
  const models::ModelFiles files(ModelsFolder(config.models_dir));
  std::vector<Looked> looked;
  for (const KnownModel& model : models::KnownModels()) {
    ASSIGN_OR_RETURN(const ModelState state, files.Verify(model));
    looked.push_back({&model, state});
  }
  const Shown shown = Show(files, looked, json);
  const auto count = static_cast<int64_t>(looked.size());
  const auto wrong = static_cast<int64_t>(std::ranges::count_if(looked, IsWrong));
  if (wrong > 0) {
    if (!json) {
      Console::Print(shown.text);
    }
    return console.Fail(Error::NotFound(
        StrCat(wrong, " of ", count, " models are missing or damaged. ", kBringThem)));
  }
  return console.End(
      OkStatus(), {{"count", count}, {"there", shown.there}},
      StrCat(shown.text, shown.there == count
                             ? "\nAll of them are as they should be."
                             : "\nThose that are here are as they should be, and those of the set "
                               "'quick' are all here. './dev models' brings the others."));
}

}  // namespace tintype::cli
