#include "cli/secrets/secret.h"

#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "cli/secrets/parameter_store.h"
#include "cli/secrets/run_command.h"
#include "cli/settings/secret_files.h"

namespace tintype::cli {
namespace {

/// Editors and commands end what they write with a newline, which is no part of the secret.
std::string WithoutLineEnd(std::string text) {
  const size_t end = text.find_last_not_of("\r\n");
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

}  // namespace

Result<std::string> ReadSecretFile(const std::string& path, std::string_view source) {
  RETURN_IF_ERROR(CheckSecretFile(path, SecretReaders::kGroup, StrCat("The secret of ", source)));
  auto content = ReadFile(path);
  if (!content.ok()) {
    return Error(content.error().kind(), StrCat(source, ": ", content.error().message()));
  }
  return WithoutLineEnd(*std::move(content));
}

Result<std::optional<std::string>> FindSecret(const std::string& variable,
                                              const Environment& environment) {
  const std::string file_variable = StrCat(variable, "_FILE");
  const std::string command_variable = StrCat(variable, "_COMMAND");
  std::optional<std::string> value = environment(variable);
  const std::optional<std::string> file = environment(file_variable);
  const std::optional<std::string> command = environment(command_variable);
  if ((value ? 1 : 0) + (file ? 1 : 0) + (command ? 1 : 0) > 1) {
    return Error::Validation(StrCat(variable, ", ", file_variable, " and ", command_variable,
                                    " exclude each other: set only one"));
  }
  if (file) {
    ASSIGN_OR_RETURN(value, ReadSecretFile(*file, file_variable));
  } else if (command) {
    auto output = RunCommand(*command, {});
    if (!output.ok()) {
      return Error(output.error().reason(),
                   StrCat(command_variable, ": ", output.error().message()));
    }
    value = WithoutLineEnd(*std::move(output));
  } else if (const auto name = value ? ParameterNameIn(*value) : std::nullopt) {
    auto parameter = ReadParameter(*name, environment);
    if (!parameter.ok()) {
      return Error(parameter.error().reason(), StrCat(variable, ": ", parameter.error().message()));
    }
    value = WithoutLineEnd(*std::move(parameter));
  }
  if (value && value->empty()) {
    return Error::Validation(
        StrCat("There is no secret where ", variable, " or its _FILE or _COMMAND leads."));
  }
  return value;
}

}  // namespace tintype::cli
