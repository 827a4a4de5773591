#include "cli/settings/credentials.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "access/keys/access_key.h"
#include "base/files.h"
#include "base/strings.h"
#include "base/time_text.h"

namespace tintype::cli {
namespace {

constexpr mode_t kMode = 0600;
constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kGoodUntil = "tintype_good_until";

/// A key and where its section is in the text, for messages and for cutting it out.
struct Section {
  ProfileKey key;
  size_t line = 0;
  size_t begin = 0;
  size_t end = 0;
};

/// Reads one line after the other, so that each message can say which.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file_name)
      : text_(text), file_name_(file_name) {}

  Result<std::vector<Section>> Parse() {
    size_t begin = 0;
    while (begin < text_.size()) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      ++line_;
      RETURN_IF_ERROR(ParseLine(Trim(text_.substr(begin, end - begin), kBlanks), begin));
      begin = end + 1;
    }
    RETURN_IF_ERROR(CloseSection(text_.size()));
    return std::move(sections_);
  }

 private:
  Error At(size_t line, std::string_view what) const {
    return Error::Validation(StrCat(file_name_, ":", line, ": ", what));
  }

  Status ParseLine(std::string_view line, size_t begin) {
    if (line.empty() || line.front() == '#' || line.front() == ';') {
      return OkStatus();
    }
    if (line.front() == '[') {
      return OpenSection(line, begin);
    }
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return At(line_, "expected [profile] or name = value");
    }
    if (sections_.empty()) {
      return At(line_, "a value before the first [profile]");
    }
    const std::string_view name = Trim(line.substr(0, equals), kBlanks);
    const std::string_view value = Trim(line.substr(equals + 1), kBlanks);
    ProfileKey& key = sections_.back().key;
    if (name == "aws_access_key_id") {
      key.id = value;
    } else if (name == "aws_secret_access_key") {
      key.secret = value;
    } else if (name == "aws_session_token") {
      key.session_token = value;
    } else if (name == "region") {
      key.region = value;
    } else if (name == kGoodUntil) {
      const Result<int64_t> moment = ParseTimeText(value);
      if (!moment.ok()) {
        return At(line_, StrCat(kGoodUntil, " is not a time such as 2030-01-31T12:00:00.000Z"));
      }
      key.good_until_ms = *moment;
    }
    return OkStatus();
  }

  Status OpenSection(std::string_view line, size_t begin) {
    RETURN_IF_ERROR(CloseSection(begin));
    const std::string_view name = Trim(line.substr(1, line.find(']') - 1), kBlanks);
    if (line.back() != ']' || name.empty()) {
      return At(line_, "expected a profile's name between [ and ]");
    }
    for (const Section& other : sections_) {
      if (other.key.profile == name) {
        return At(line_, StrCat("the profile '", name, "' is already on line ", other.line));
      }
    }
    Section section;
    section.key.profile = name;
    section.line = line_;
    section.begin = begin;
    sections_.push_back(std::move(section));
    return OkStatus();
  }

  Status CloseSection(size_t end) {
    if (sections_.empty()) {
      return OkStatus();
    }
    Section& last = sections_.back();
    last.end = end;
    if (last.key.id.empty() || last.key.secret.empty()) {
      return At(last.line,
                StrCat("the profile '", last.key.profile, "' has no ",
                       last.key.id.empty() ? "aws_access_key_id" : "aws_secret_access_key"));
    }
    for (const Section& other : sections_) {
      if (&other != &last && other.key.id == last.key.id) {
        return At(last.line,
                  StrCat("the profile '", last.key.profile, "' has the same aws_access_key_id as '",
                         other.key.profile, "'"));
      }
    }
    return OkStatus();
  }

  std::string_view text_;
  const std::string& file_name_;
  size_t line_ = 0;
  std::vector<Section> sections_;
};

/// Makes changes to a credentials file exclusive between processes while it lives.
class FolderLock {
 public:
  explicit FolderLock(const std::string& file)
      : descriptor_(::open(ParentFolder(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0) {
      locked_ = ::flock(descriptor_, LOCK_EX) == 0;
    }
  }
  ~FolderLock() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  bool locked() const { return locked_; }

 private:
  int descriptor_;
  bool locked_ = false;
};

/// The file's text; empty when there is no file.
Result<std::string> ReadIfPresent(const std::string& path) {
  auto text = ReadFile(path);
  if (!text.ok() && text.error().kind() == ErrorKind::kNotFound) {
    return std::string();
  }
  return text;
}

/// The lines of a section with another key in it.
std::string WithKey(std::string_view lines, const ProfileKey& key) {
  std::string changed;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
    const std::string_view line = lines.substr(begin, end - begin);
    const std::string_view name = Trim(line.substr(0, line.find('=')), kBlanks);
    if (name == "aws_access_key_id") {
      StrAppend(changed, name, " = ", key.id, "\n");
    } else if (name == "aws_secret_access_key") {
      StrAppend(changed, name, " = ", key.secret, "\n");
    } else if (name != "aws_session_token") {
      changed += line;
    }
    begin = end;
  }
  return changed;
}

}  // namespace

Result<std::vector<ProfileKey>> ParseCredentials(std::string_view text,
                                                 const std::string& file_name) {
  ASSIGN_OR_RETURN(std::vector<Section> sections, Parser(text, file_name).Parse());
  std::vector<ProfileKey> keys;
  keys.reserve(sections.size());
  for (Section& section : sections) {
    keys.push_back(std::move(section.key));
  }
  return keys;
}

Result<std::vector<ProfileKey>> ReadCredentials(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadIfPresent(path));
  ASSIGN_OR_RETURN(std::vector<ProfileKey> keys, ParseCredentials(text, path));
  if (keys.empty()) {
    return Error::NotFound(StrCat("There is no key in ", path,
                                  ". Remove the file: the next start of the server writes a new "
                                  "root key."));
  }
  return keys;
}

const ProfileKey& RootOf(const std::vector<ProfileKey>& keys) {
  const auto named = std::ranges::find(keys, "default", &ProfileKey::profile);
  return named == keys.end() ? keys.front() : *named;
}

std::string FormatProfile(const ProfileKey& key, const std::string& region) {
  return StrCat("[", key.profile, "]\naws_access_key_id = ", key.id,
                "\naws_secret_access_key = ", key.secret,
                region.empty() ? "" : StrCat("\nregion = ", region), "\n");
}

ProfileKey GenerateProfileKey(std::string profile) {
  return {std::move(profile), access::NewAccessKeyId(), access::NewSecretAccessKey()};
}

Status ValidateProfileKey(const ProfileKey& key) {
  const auto is_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '-' || c == '.';
  };
  const auto is_short_word = [is_word](const std::string& text) {
    return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), is_word);
  };
  if (!is_short_word(key.profile)) {
    return Error::Validation("A profile's name has 1 to 128 letters, digits, '_', '-' or '.'");
  }
  if (!is_short_word(key.id)) {
    return Error::Validation("An access key id has 1 to 128 letters, digits, '_', '-' or '.'");
  }
  const bool printable = std::all_of(key.secret.begin(), key.secret.end(),
                                     [](char c) { return c > ' ' && c < '\x7f'; });
  if (key.secret.empty() || key.secret.size() > 256 || !printable) {
    return Error::Validation(
        "A secret access key has 1 to 256 printable ASCII characters and no spaces");
  }
  return OkStatus();
}

Result<bool> CreateCredentials(const std::string& path, const ProfileKey& root,
                               const std::string& region) {
  const FolderLock lock(path);
  if (!lock.locked()) {
    return FileError("lock the folder of", path);
  }
  if (std::error_code error; std::filesystem::exists(path, error)) {
    return false;
  }
  RETURN_IF_ERROR(ValidateProfileKey(root));
  RETURN_IF_ERROR(WriteFileAtomically(
      path,
      StrCat("# The root key of this Tintype server, as a profile of AWS clients:\n"
             "#   AWS_SHARED_CREDENTIALS_FILE=<this file> aws --endpoint-url ... dynamodb "
             "list-tables\n"
             "# It may do everything. 'tintype keys create' makes keys that may do less.\n\n",
             FormatProfile(root, region)),
      kMode));
  return true;
}

Result<ProfileKey> RotateRootKey(const std::string& path, int64_t overlap_ms, int64_t now_ms) {
  const FolderLock lock(path);
  if (!lock.locked()) {
    return FileError("lock the folder of", path);
  }
  ASSIGN_OR_RETURN(const std::vector<ProfileKey> keys, ReadCredentials(path));
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSIGN_OR_RETURN(const std::vector<Section> sections, Parser(text, path).Parse());
  const ProfileKey& root = RootOf(keys);
  ProfileKey made = GenerateProfileKey(root.profile);
  made.region = root.region;
  // Text before the first section belongs to none.
  std::string changed = text.substr(0, sections.front().begin);
  for (const Section& section : sections) {
    const int64_t good_until_ms = section.key.good_until_ms;
    const std::string_view lines =
        std::string_view(text).substr(section.begin, section.end - section.begin);
    const bool stays = good_until_ms == 0 || (overlap_ms > 0 && good_until_ms > now_ms);
    if (section.key.id == root.id) {
      changed += WithKey(lines, made);
    } else if (stays) {
      changed += lines;
    }
  }
  if (overlap_ms > 0) {
    ProfileKey old = root;
    // Two of a second would have one name, and no file may have that.
    old.profile = StrCat("root-", root.id);
    const std::string until = TimeText(now_ms + overlap_ms);
    const std::string section = FormatProfile(old, old.region);
    const size_t behind_name = section.find('\n') + 1;
    StrAppend(changed,
              changed.ends_with("\n\n") ? ""
              : changed.ends_with('\n') ? "\n"
                                        : "\n\n",
              section.substr(0, behind_name), "# The root key before that of the profile '",
              root.profile, "'.\n", section.substr(behind_name), kGoodUntil, " = ", until, "\n");
    if (!old.session_token.empty()) {
      StrAppend(changed, "aws_session_token = ", old.session_token, "\n");
    }
  }
  RETURN_IF_ERROR(WriteFileAtomically(path, changed, kMode));
  return made;
}

Result<std::string> RemoveProfileKey(const std::string& path, std::string_view profile_or_id) {
  const FolderLock lock(path);
  if (!lock.locked()) {
    return FileError("lock the folder of", path);
  }
  ASSIGN_OR_RETURN(std::string text, ReadIfPresent(path));
  ASSIGN_OR_RETURN(const std::vector<Section> sections, Parser(text, path).Parse());
  const auto found =
      std::find_if(sections.begin(), sections.end(), [profile_or_id](const Section& section) {
        return section.key.profile == profile_or_id || section.key.id == profile_or_id;
      });
  if (found == sections.end()) {
    return Error::NotFound(StrCat("There is no key '", profile_or_id, "' in ", path));
  }
  std::vector<ProfileKey> keys;
  keys.reserve(sections.size());
  for (const Section& section : sections) {
    keys.push_back(section.key);
  }
  if (RootOf(keys).id == found->key.id) {
    return Error::Validation(StrCat("'", profile_or_id,
                                    "' is the root key, without which nobody could manage this "
                                    "server. To replace it: tintype rotate root"));
  }
  text.erase(found->begin, found->end - found->begin);
  RETURN_IF_ERROR(WriteFileAtomically(path, text, kMode));
  return found->key.id;
}

}  // namespace tintype::cli
