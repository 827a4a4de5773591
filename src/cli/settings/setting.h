#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "cli/settings/address.h"

namespace tintype::cli {

struct ServeConfig;

/// A setting's text, and where it came from, for error messages.
struct SettingText {
  std::string value;
  std::string source;
};

/// The error for a text that a setting does not take.
Error InvalidSetting(const SettingText& text, std::string_view expected);

// How the text of a setting becomes a field of ServeConfig.

struct TextField {
  std::string ServeConfig::*field;
};
/// A whole number, times `unit`.
struct NumberField {
  uint64_t ServeConfig::*field;
  uint64_t min;
  uint64_t max;
  uint64_t unit = 1;
};
struct MegabytesField {
  uint64_t ServeConfig::*field;
  uint64_t min;
};
/// Seconds, with decimals, up to a day.
struct TimeoutField {
  std::chrono::milliseconds ServeConfig::*field;
};
struct WholeSecondsField {
  std::chrono::seconds ServeConfig::*field;
  uint64_t max;
};
/// One of the two words of the setting's value hint; `truth` is the one that means true.
struct ChoiceField {
  bool ServeConfig::*field;
  std::string_view truth;
};
struct AddressField {
  Address ServeConfig::*field;
};
/// Anything else that one text decides.
struct ParsedField {
  Status (*parse)(const SettingText& text, ServeConfig& config);
};
/// Read together with other settings or variables, in config.cc.
struct CombinedField {};

using SettingField =
    std::variant<CombinedField, TextField, NumberField, MegabytesField, TimeoutField,
                 WholeSecondsField, ChoiceField, AddressField, ParsedField>;

/// Who needs a setting, each of them also what the one before needs: all that opens the tables,
/// commands on photos, the server.
enum class SettingScope { kTables, kPhotos, kServer };

/// Whom --help shows a setting to. Settings that most people never need are shown by --help-all
/// alone.
enum class SettingUse { kUsual, kRare };

/// One setting: `--name` on the command line, TINTYPE_NAME in the environment, `name` in the file.
struct Setting {
  std::string_view name;
  std::string_view value_hint;  // `a|b` for a setting that takes one of two words.
  std::string_view fallback;
  std::string_view help;
  SettingScope scope = SettingScope::kServer;
  SettingField field = {};
  SettingUse use = SettingUse::kUsual;
};

}  // namespace tintype::cli
