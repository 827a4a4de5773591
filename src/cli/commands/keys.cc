#include "cli/commands/keys.h"

#include <cstdio>
#include <vector>

#include "cli/settings/credentials.h"
#include "cli/settings/data_directory.h"

namespace tintype::cli {

Status ListKeys(const std::string& data_dir) {
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(data_dir));
  ASSIGN_OR_RETURN(const std::vector<AccessKey> keys, ReadCredentials(directory.credentials()));
  for (const AccessKey& key : keys) {
    std::printf("%-24s %s\n", key.profile.c_str(), key.id.c_str());
  }
  return OkStatus();
}

Status CreateKey(const std::string& data_dir, const std::string& profile,
                 const std::string& region) {
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(data_dir));
  const AccessKey key = GenerateAccessKey(profile);
  RETURN_IF_ERROR(AddAccessKey(directory.credentials(), key, region));
  std::fputs(FormatProfile(key, region).c_str(), stdout);
  return OkStatus();
}

Status DeleteKey(const std::string& data_dir, const std::string& profile_or_id) {
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(data_dir));
  ASSIGN_OR_RETURN(const std::string id, RemoveAccessKey(directory.credentials(), profile_or_id));
  std::printf("deleted %s\n", id.c_str());
  return OkStatus();
}

}  // namespace tintype::cli
