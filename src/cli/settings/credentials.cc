#include "cli/settings/credentials.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/random.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

constexpr mode_t kMode = 0600;
constexpr std::string_view kBlanks = " \t\r";

/// A key and where its section is in the text, for messages and for cutting it out.
struct Section {
  AccessKey key;
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
    AccessKey& key = sections_.back().key;
    if (name == "aws_access_key_id") {
      key.id = value;
    } else if (name == "aws_secret_access_key") {
      key.secret = value;
    } else if (name == "aws_session_token") {
      key.session_token = value;
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

/// `count` characters of an alphabet whose size divides 256, so that each is equally likely.
std::string RandomText(size_t count, std::string_view alphabet) {
  CHECK(256 % alphabet.size() == 0);
  std::string text = RandomBytes(count);
  for (char& c : text) {
    c = alphabet[static_cast<unsigned char>(c) % alphabet.size()];
  }
  return text;
}

}  // namespace

Result<std::vector<AccessKey>> ParseCredentials(std::string_view text,
                                                const std::string& file_name) {
  ASSIGN_OR_RETURN(std::vector<Section> sections, Parser(text, file_name).Parse());
  std::vector<AccessKey> keys;
  keys.reserve(sections.size());
  for (Section& section : sections) {
    keys.push_back(std::move(section.key));
  }
  return keys;
}

Result<std::vector<AccessKey>> ReadCredentials(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadIfPresent(path));
  ASSIGN_OR_RETURN(std::vector<AccessKey> keys, ParseCredentials(text, path));
  if (keys.empty()) {
    return Error::NotFound(StrCat("There is no key in ", path,
                                  "; 'tintype keys create NAME --data-dir ", ParentFolder(path),
                                  "' adds one."));
  }
  return keys;
}

std::string FormatProfile(const AccessKey& key, const std::string& region) {
  return StrCat("[", key.profile, "]\naws_access_key_id = ", key.id,
                "\naws_secret_access_key = ", key.secret, "\nregion = ", region, "\n");
}

AccessKey GenerateAccessKey(std::string profile) {
  return {std::move(profile), "AKIA" + RandomText(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
          RandomText(40, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")};
}

Status ValidateAccessKey(const AccessKey& key) {
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

Result<bool> CreateCredentials(const std::string& path, const AccessKey& root,
                               const std::string& region) {
  const FolderLock lock(path);
  if (!lock.locked()) {
    return FileError("lock the folder of", path);
  }
  if (std::error_code error; std::filesystem::exists(path, error)) {
    return false;
  }
  RETURN_IF_ERROR(ValidateAccessKey(root));
  RETURN_IF_ERROR(WriteFileAtomically(
      path,
      StrCat("# Access keys of this Tintype server, as profiles of AWS clients:\n"
             "#   AWS_SHARED_CREDENTIALS_FILE=<this file> aws --endpoint-url ... dynamodb "
             "list-tables\n"
             "# Every profile is a valid key. 'tintype keys' lists, creates and deletes them.\n\n",
             FormatProfile(root, region)),
      kMode));
  return true;
}

Status AddAccessKey(const std::string& path, const AccessKey& key, const std::string& region) {
  RETURN_IF_ERROR(ValidateAccessKey(key));
  const FolderLock lock(path);
  if (!lock.locked()) {
    return FileError("lock the folder of", path);
  }
  ASSIGN_OR_RETURN(std::string text, ReadIfPresent(path));
  ASSIGN_OR_RETURN(const std::vector<AccessKey> keys, ParseCredentials(text, path));
  for (const AccessKey& other : keys) {
    if (other.profile == key.profile || other.id == key.id) {
      return Error::InUse(
          StrCat("There is already a key '", other.profile, "' with id ", other.id, " in ", path));
    }
  }
  if (!text.empty()) {
    text.append(text.back() == '\n' ? "\n" : "\n\n");
  }
  text.append(FormatProfile(key, region));
  return WriteFileAtomically(path, text, kMode);
}

Result<std::string> RemoveAccessKey(const std::string& path, std::string_view profile_or_id) {
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
  if (sections.size() == 1) {
    return Error::Validation(
        StrCat("'", profile_or_id, "' is the last key; create another one before deleting it"));
  }
  text.erase(found->begin, found->end - found->begin);
  RETURN_IF_ERROR(WriteFileAtomically(path, text, kMode));
  return found->key.id;
}

}  // namespace tintype::cli
