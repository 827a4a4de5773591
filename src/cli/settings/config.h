#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/settings/environment.h"
#include "cli/settings/serve_settings.h"

namespace tintype::cli {

/// What links to photos begin with: the setting, else where the server listens, with the port that
/// it has got.
std::string PublicUrlOf(const ServeConfig& config, uint16_t http_port);

/// What to open in a browser to see the page, on this machine unless the setting names another.
std::string PageUrlOf(const ServeConfig& config, uint16_t http_port);

/// What `tintype keys rotate-master` runs with.
struct MasterKeyConfig {
  std::string data_dir;
  MasterKeySource source;
};

/// Every setting that has a flag, in the order --help shows them.
std::span<const Setting> ServeSettings();

/// REQUIRES: `name` is one of ServeSettings().
const Setting& FindSetting(std::string_view name);

/// Values by setting name.
using SettingValues = std::map<std::string, std::string, std::less<>>;

/// Resolves every setting: a flag wins over the environment, which wins over the file, which wins
/// over the default. The file is the one that the setting `config` names, else ./tintype.toml if
/// there is one. Secrets come from the environment only (secrets/secret.h).
///
/// Errors: kValidation, naming the flag, variable or file key that is wrong; kNotFound or kIo for a
/// file that cannot be read.
Result<ServeConfig> ResolveServeConfig(const SettingValues& flags, const Environment& environment);

/// As above, but fills in only what opening the tables needs, for commands that do so while no
/// server runs.
Result<ServeConfig> ResolveTablesConfig(const SettingValues& flags, const Environment& environment);

/// As above, but also what the photo product is set up with, for commands that work on photos while
/// no server runs: they make the same of them as the server would.
Result<ServeConfig> ResolvePhotosConfig(const SettingValues& flags, const Environment& environment);

/// As above, but looks only at the settings that commands which read the master key use, so that
/// one which only a server cares about cannot be in their way.
Result<MasterKeyConfig> ResolveMasterKeyConfig(const SettingValues& flags,
                                               const Environment& environment);

}  // namespace tintype::cli
