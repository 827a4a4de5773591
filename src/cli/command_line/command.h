#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "base/result.h"
#include "cli/settings/config.h"

/// What the program can be told to do: each file here describes a few commands to CLI11, next to
/// what they run.
namespace tintype::cli {

/// What the command line asked for: does it, and returns the exit code of the process. Empty until
/// it was parsed.
using Run = std::function<int()>;

// Each adds commands to `app`, and has parsing set `run`, which must outlive the app.
void DescribeServe(CLI::App& app, Run& run);
void DescribeKeys(CLI::App& app, Run& run);
void DescribeBackup(CLI::App& app, Run& run);  // And `restore`.
void DescribeTable(CLI::App& app, Run& run);
void DescribePhotos(CLI::App& app, Run& run);  // `encrypt`, `import`, `rebuild`, `scrub`.
void DescribeRotate(CLI::App& app, Run& run);
void DescribeUsers(CLI::App& app, Run& run);
void DescribeWork(CLI::App& app, Run& run);
void DescribeAudit(CLI::App& app, Run& run);
void DescribeModels(CLI::App& app, Run& run);
void DescribeBench(CLI::App& app, Run& run);

// What those files share.

inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

/// Prints an error; returns `code`.
int Fail(const Error& error, int code);
/// The exit code for how a command ended, whose error it prints.
int Finish(const Status& status);

/// For an argument that must not be empty by accident, such as an unset variable of a script.
CLI::Validator NotEmpty();

/// Adds `--name` for a setting, whose text is put into `flags`. Precedence is decided in config.cc,
/// because CLI11 would let a file win over the environment. `use` says whether --help shows it;
/// a setting that is usual for the server may be rare for another command.
void AddSetting(CLI::App& command, const Setting& setting, SettingValues& flags, SettingUse use);
inline void AddSetting(CLI::App& command, const Setting& setting, SettingValues& flags) {
  AddSetting(command, setting, flags, setting.use);
}
/// Whether --help leaves some of the flags of `command` out.
bool HasRareSettings(const CLI::App& command);
/// Has its help show them.
void ShowRareSettings(CLI::App& command);
/// The setting `--config`, which names the file that others are read from.
void AddConfigSetting(CLI::App& command, SettingValues& flags);
/// All that a command needs which opens the data directory when no server has it open.
void AddDataSettings(CLI::App& command, SettingValues& flags);

/// The same for a command that works on photos, which may be on S3.
void AddPhotoSettings(CLI::App& command, SettingValues& flags);

/// Runs `command` with what AddDataSettings took, as far as that is right.
int RunWithData(const SettingValues& flags,
                const std::function<Status(const ServeConfig& config)>& command);

/// The same with what AddPhotoSettings took.
int RunWithPhotos(const SettingValues& flags,
                  const std::function<Status(const ServeConfig& config)>& command);

/// Has `command` run `action(*arguments, config)`, where `arguments->flags` are those that
/// AddDataSettings filled, and `with` is RunWithData, or the same for AddPhotoSettings.
template <typename Arguments, typename Action>
void RunsWithData(CLI::App& command, Run& run, const std::shared_ptr<Arguments>& arguments,
                  Action action, decltype(&RunWithData) with = RunWithData) {
  command.callback([&run, arguments, action, with] {
    run = [arguments, action, with] {
      return with(arguments->flags,
                  [&](const ServeConfig& config) { return action(*arguments, config); });
    };
  });
}
template <typename Arguments, typename Action>
void RunsWithPhotos(CLI::App& command, Run& run, const std::shared_ptr<Arguments>& arguments,
                    Action action) {
  RunsWithData(command, run, arguments, action, RunWithPhotos);
}

}  // namespace tintype::cli
