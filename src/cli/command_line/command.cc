#include "cli/command_line/command.h"

#include <cstdio>
#include <string>

#include "base/strings.h"

namespace tintype::cli {
namespace {

// CLI11 leaves options of this group out of the help.
constexpr const char* kHiddenGroup = "";

bool IsHidden(const CLI::Option* option) { return option->get_group() == kHiddenGroup; }

}  // namespace

int Fail(const Error& error, int code) {
  std::fprintf(stderr, "tintype: %s\n", error.message().c_str());
  if (!error.note().empty()) {
    std::fprintf(stderr, "tintype: %s\n", error.note().c_str());
  }
  return code;
}

int Finish(const Status& status) { return status.ok() ? 0 : Fail(status.error(), kExitFailed); }

CLI::Validator NotEmpty() {
  return CLI::Validator([](const std::string& text) { return text.empty() ? "it is empty" : ""; },
                        "");
}

void AddSetting(CLI::App& command, const Setting& setting, SettingValues& flags, SettingUse use) {
  std::string help(setting.help);
  if (!setting.fallback.empty()) {
    StrAppend(help, "\nDefault: ", setting.fallback);
  }
  CLI::Option* option = command.add_option_function<std::string>(
      StrCat("--", setting.name),
      [&flags, name = std::string(setting.name)](const std::string& value) { flags[name] = value; },
      help);
  option->option_text(std::string(setting.value_hint));
  if (use == SettingUse::kRare) {
    option->group(kHiddenGroup);
  }
}

bool HasRareSettings(const CLI::App& command) { return !command.get_options(IsHidden).empty(); }

void ShowRareSettings(CLI::App& command) {
  for (CLI::Option* option : command.get_options(IsHidden)) {
    option->group("Rarely needed");
  }
}

void AddConfigSetting(CLI::App& command, SettingValues& flags) {
  constexpr Setting kConfigSetting{"config", "FILE", "tintype.toml, if there is one",
                                   "A file to read settings from."};
  AddSetting(command, kConfigSetting, flags);
}

void AddDataSettings(CLI::App& command, SettingValues& flags) {
  AddSetting(command, FindSetting("data-dir"), flags);
  AddConfigSetting(command, flags);
  // A running server has these from its own settings, and opening the directory without one finds
  // them in tintype.toml.
  for (const char* name :
       {"tables", "encryption", "master-key-file", "master-key-file-mode", "master-key-command"}) {
    AddSetting(command, FindSetting(name), flags, SettingUse::kRare);
  }
}

void AddPhotoSettings(CLI::App& command, SettingValues& flags) {
  AddDataSettings(command, flags);
  for (const char* name : {"stack", "environment", "blobs", "uploads-bucket", "images-bucket",
                           "s3-endpoint", "s3-region", "s3-access-key-id", "s3-encryption"}) {
    AddSetting(command, FindSetting(name), flags, SettingUse::kRare);
  }
}

int RunWithData(const SettingValues& flags,
                const std::function<Status(const ServeConfig& config)>& command) {
  const auto config = ResolveTablesConfig(flags, ProcessEnvironment());
  return config.ok() ? Finish(command(*config)) : Fail(config.error(), kExitUsage);
}

int RunWithPhotos(const SettingValues& flags,
                  const std::function<Status(const ServeConfig& config)>& command) {
  const auto config = ResolvePhotosConfig(flags, ProcessEnvironment());
  return config.ok() ? Finish(command(*config)) : Fail(config.error(), kExitUsage);
}

}  // namespace tintype::cli
