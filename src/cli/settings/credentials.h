#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tintype::cli {

/// One section of the credentials file: a profile of AWS's clients, and a key the endpoint accepts.
struct AccessKey {
  std::string profile;
  std::string id;
  std::string secret;
  std::string session_token = {};  // Not empty: requests must carry it.
};

/// Every access key of a credentials file: an AWS profile file, in which each section must have
/// `aws_access_key_id` and `aws_secret_access_key`, may have `aws_session_token`, and may have more
/// that is of no interest here. `file_name` is for messages. Errors: kValidation with file and line
/// for what cannot be read, for an incomplete section, and for a profile or an access key id that
/// comes twice.
Result<std::vector<AccessKey>> ParseCredentials(std::string_view text,
                                                const std::string& file_name);

/// The access keys of the file at `path`, at least one. Errors: those of ReadFile and
/// ParseCredentials; kNotFound, with the command that helps, when there is no file or no key in it.
Result<std::vector<AccessKey>> ReadCredentials(const std::string& path);

/// A key as a section of the file.
std::string FormatProfile(const AccessKey& key, const std::string& region);

/// A new random key in the form of AWS's own: 20 upper-case characters, and 40 characters.
AccessKey GenerateAccessKey(std::string profile);

/// Whether the parts of a key can stand in a credentials file and in a signature. Errors:
/// kValidation naming the part, never the secret.
Status ValidateAccessKey(const AccessKey& key);

/// Creates the file with mode 0600 if there is none, with `root` as its only profile. Once this
/// returns, the key is on disk. Returns whether it was created.
Result<bool> CreateCredentials(const std::string& path, const AccessKey& root,
                               const std::string& region);

/// Adds a section, keeping the rest of the file byte by byte. Creates the file if there is none. A
/// running server accepts the key within a second. Errors: kInUse when the profile or the id is
/// taken.
Status AddAccessKey(const std::string& path, const AccessKey& key, const std::string& region);

/// Removes the section of a profile (or of an access key id), keeping the rest of the file. Returns
/// the removed key's id. Errors: kNotFound; kValidation for the last key, since a server without
/// any cannot be used.
Result<std::string> RemoveAccessKey(const std::string& path, std::string_view profile_or_id);

}  // namespace tintype::cli
