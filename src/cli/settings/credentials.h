#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tintype::cli {

/// One section of the credentials file: a profile of AWS's clients, and a key the endpoint accepts.
/// The file has the root key; other keys are kept beside the tables (access/keys/access_keys.h).
struct ProfileKey {
  std::string profile;
  std::string id;
  std::string secret;
  std::string session_token = {};  // Not empty: requests must carry it.
  std::string region = {};
  int64_t good_until_ms = 0;  // Not 0: a root key that was replaced.
};

/// Every access key of a credentials file: an AWS profile file, in which each section must have
/// `aws_access_key_id` and `aws_secret_access_key`, may have `aws_session_token`, `region` and
/// `tintype_good_until`, and may have more that is of no interest here. `file_name` is for
/// messages. Errors: kValidation with file and line for what cannot be read, for an incomplete
/// section, and for a profile or an access key id that comes twice.
Result<std::vector<ProfileKey>> ParseCredentials(std::string_view text,
                                                 const std::string& file_name);

/// The key of the directory's owner: that of the profile `default`, else the first. REQUIRES: there
/// is one.
const ProfileKey& RootOf(const std::vector<ProfileKey>& keys);

/// The access keys of the file at `path`, at least one. Errors: those of ReadFile and
/// ParseCredentials; kNotFound, with what helps, when there is no file or no key in it.
Result<std::vector<ProfileKey>> ReadCredentials(const std::string& path);

/// A key as a section of the file.
std::string FormatProfile(const ProfileKey& key, const std::string& region);

/// A new random key in the form of AWS's own: 20 upper-case characters, and 40 characters.
ProfileKey GenerateProfileKey(std::string profile);

/// Whether the parts of a key can stand in a credentials file and in a signature. Errors:
/// kValidation naming the part, never the secret.
Status ValidateProfileKey(const ProfileKey& key);

/// Creates the file with mode 0600 if there is none, with `root` as its only profile. Once this
/// returns, the key is on disk. Returns whether it was created.
Result<bool> CreateCredentials(const std::string& path, const ProfileKey& root,
                               const std::string& region);

/// Puts a new root key in place of the one that there is, which stays in the file for as long as
/// `overlap_ms` says; those whose time is over go, and with no overlap all that were replaced
/// before. The rest of the file is kept. Returns the new key as it is in the file. Errors:
/// kNotFound when there is none; those of ReadCredentials.
Result<ProfileKey> RotateRootKey(const std::string& path, int64_t overlap_ms, int64_t now_ms);

/// Removes the section of a profile (or of an access key id), keeping the rest of the file: a key
/// from before there were policies. Returns the removed key's id. Errors: kNotFound; kValidation
/// for the root key.
Result<std::string> RemoveProfileKey(const std::string& path, std::string_view profile_or_id);

}  // namespace tintype::cli
