#include "cli/settings/toml_file.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>

#include "base/files.h"
#include "base/strings.h"

namespace tintype::cli {

Result<SettingValues> ReadTomlFile(const std::string& path, std::span<const Setting> settings) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Error::Validation(
        StrCat(path, ":", error.source().begin.line, ": ", std::string(error.description())));
  }
  SettingValues values;
  for (const auto& [key, node] : parsed.table()) {
    const std::string name(key.str());
    const std::string where = StrCat(path, ":", key.source().begin.line, ": ");
    const auto setting = std::find_if(settings.begin(), settings.end(),
                                      [&name](const Setting& each) { return each.name == name; });
    if (setting == settings.end()) {
      return Error::Validation(
          StrCat(where, "there is no setting '", name, "'; 'tintype serve --help' lists them"));
    }
    if (const auto* string = node.as_string()) {
      values[name] = string->get();
    } else if (const auto* integer = node.as_integer()) {
      values[name] = std::to_string(integer->get());
    } else if (const auto* boolean = node.as_boolean();
               boolean != nullptr && setting->value_hint.find('|') != std::string_view::npos) {
      // Nearly `on` or `off`: the code that uses the setting refuses it, and says which words it
      // takes.
      values[name] = boolean->get() ? "true" : "false";
    } else {
      return Error::Validation(
          StrCat(where, "the value of '", name, "' must be a string or a whole number"));
    }
  }
  return values;
}

}  // namespace tintype::cli
