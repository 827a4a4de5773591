#include "cli/commands/models.h"

#include <memory>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kModelsFooter = R"(
Analysis needs files beside the program: the library that runs models, and models. A server fetches none of
them; './dev models' brings them, and a server that runs uses them as soon as they are there. What is
missing makes a kind of analysis SKIPPED, and its record says why. The set 'quick' has what each kind needs
at least; 'full' has the others, which read more scripts and hear better.
Exit codes: 0 done, 1 a model is damaged or one of 'quick' is missing (verify), 2 wrong usage.

Examples
  tintype models list
  tintype models verify --models-dir /srv/models --json)";

struct ModelsCommandArguments {
  SettingValues flags;
  bool json = false;
};

void DescribeOne(CLI::App& command, Run& run, Status (*action)(const ServeConfig&, bool)) {
  const auto arguments = std::make_shared<ModelsCommandArguments>();
  AddSetting(command, FindSetting("models-dir"), arguments->flags, SettingUse::kUsual);
  AddConfigSetting(command, arguments->flags);
  command.add_flag("--json", arguments->json, "Print one JSON object per line.");
  command.callback([&run, arguments, action] {
    run = [arguments, action] {
      return RunWithPhotos(arguments->flags, [&](const ServeConfig& config) {
        return action(config, arguments->json);
      });
    };
  });
}

}  // namespace

void DescribeModels(CLI::App& app, Run& run) {
  CLI::App* models = app.add_subcommand("models", "List or verify the models for analysis.");
  models->require_subcommand(1);
  models->footer(kModelsFooter);
  DescribeOne(*models->add_subcommand("list", "Show which models there are, and which are here."),
              run, RunModelsList);
  DescribeOne(*models->add_subcommand("verify", "Compare each with its SHA-256."), run,
              RunModelsVerify);
}

}  // namespace tintype::cli
