#include "cli/settings/aws_credentials.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

constexpr std::string_view kAwsBlanks = " \t\r";

/// The key of one profile. Other sections may be anything: such files are also for programs that
/// know other ways to sign in.
std::optional<sigv4::Credentials> FindProfile(std::string_view text, std::string_view profile) {
  sigv4::Credentials key;
  bool here = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end), kAwsBlanks);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) {
      here = line.ends_with(']') && Trim(line.substr(1, line.size() - 2), kAwsBlanks) == profile;
      continue;
    }
    const size_t equals = line.find('=');
    if (!here || equals == std::string_view::npos) {
      continue;
    }
    const std::string_view name = Trim(line.substr(0, equals), kAwsBlanks);
    const std::string value(Trim(line.substr(equals + 1), kAwsBlanks));
    if (name == "aws_access_key_id") {
      key.access_key_id = value;
    } else if (name == "aws_secret_access_key") {
      key.secret = value;
    } else if (name == "aws_session_token") {
      key.session_token = value;
    }
  }
  return key.access_key_id.empty() || key.secret.empty() ? std::nullopt
                                                         : std::optional(std::move(key));
}

}  // namespace

Result<sigv4::Credentials> FindAwsCredentials(const Environment& environment,
                                              std::string_view wanted_for) {
  const auto id = environment("AWS_ACCESS_KEY_ID");
  const auto secret = environment("AWS_SECRET_ACCESS_KEY");
  if (id && secret) {
    return sigv4::Credentials{*id, *secret, environment("AWS_SESSION_TOKEN")};
  }
  if (id || secret) {
    return Error::Validation(StrCat("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY go together; ",
                                    id ? "the second" : "the first", " is missing"));
  }
  const std::string profile = environment("AWS_PROFILE").value_or("default");
  const auto named = environment("AWS_SHARED_CREDENTIALS_FILE");
  const auto home = environment("HOME");
  const std::string path =
      named ? *named : StrCat(home.value_or(""), home ? "/" : "", ".aws/credentials");
  const auto text = ReadFile(path);
  if (!text.ok() && (named || text.error().kind() != ErrorKind::kNotFound)) {
    return Error(text.error().reason(),
                 StrCat("AWS_SHARED_CREDENTIALS_FILE: ", text.error().message()));
  }
  auto key = text.ok() ? FindProfile(*text, profile) : std::nullopt;
  if (!key) {
    return Error::Validation(
        StrCat(wanted_for,
               " needs an access key of that service: set AWS_ACCESS_KEY_ID and "
               "AWS_SECRET_ACCESS_KEY, or the profile '",
               profile, "' in ", path, " (AWS_PROFILE and AWS_SHARED_CREDENTIALS_FILE name others)",
               wanted_for == "--tables" ? ". There, 'tintype keys create NAME' makes a key" : ""));
  }
  return *std::move(key);
}

}  // namespace tintype::cli
