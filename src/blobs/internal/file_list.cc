#include "blobs/internal/file_list.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "blobs/internal/key_path.h"

namespace tintype::blobs {
namespace {

/// Collects one page and one blob more, to know whether there are more.
class Lister {
 public:
  Lister(FileSystem& files, const ListRequest& request) : files_(files), request_(request) {}

  /// Goes through the folder of keys that begin with `folder`, which is empty or ends in '/'.
  Status Walk(const std::string& folder) {
    std::string last;
    for (bool more = true; more && !full();) {
      // Not all at once, lest memory grow with the folder; and more than once, since folders may
      // turn out to be empty.
      ASSIGN_OR_RETURN(const Names names, FirstNamesAfter(folder, last));
      for (const std::string& name : names) {
        RETURN_IF_ERROR(name.ends_with('/') ? Walk(folder + name) : Add(folder + name));
      }
      more = names.size() == names_max();
      last = more ? *names.rbegin() : "";
    }
    return OkStatus();
  }

  BlobList Take() {
    page_.more = page_.blobs.size() > request_.limit;
    if (page_.more) {
      page_.blobs.pop_back();
    }
    return std::move(page_);
  }

 private:
  /// Names of files, and names of folders with a '/' behind: that is how the keys in them sort.
  using Names = std::set<std::string>;

  size_t names_max() const { return request_.limit + 1; }
  bool full() const { return page_.blobs.size() > request_.limit; }

  std::string PathOf(const std::string& key) const {
    return StrCat(request_.bucket, "/", EncodeKey(key));
  }

  /// The smallest names in a folder that are greater than `last` and of interest.
  Result<Names> FirstNamesAfter(const std::string& folder, const std::string& last) {
    Names names;
    const std::string path = PathOf(folder);
    const SystemError error =
        files_.ReadDirectory(path, [&](std::string_view raw_name, bool is_directory) {
          std::optional<std::string> name = DecodeComponent(raw_name);
          if (!name.has_value()) {
            return;
          }
          if (is_directory) {
            name->push_back('/');
          }
          if (*name > last && (names.size() < names_max() || *name < *names.rbegin()) &&
              IsWanted(folder + *name)) {
            names.insert(*std::move(name));
            if (names.size() > names_max()) {
              names.erase(std::prev(names.end()));
            }
          }
        });
    if (error != 0 && !IsMissing(error)) {
      return StorageError(error, "read a folder", path);
    }
    return names;
  }

  /// Whether a blob, or any in a folder (which ends in '/'), can be in the page.
  bool IsWanted(std::string_view key) const {
    const std::string_view prefix = request_.prefix;
    const std::string_view after = request_.after;
    const bool is_folder = key.ends_with('/');
    return (key.starts_with(prefix) || (is_folder && prefix.starts_with(key))) &&
           (key > after || (is_folder && after.starts_with(key)));
  }

  Status Add(std::string key) {
    if (full()) {
      return OkStatus();
    }
    FileStatus status;
    const std::string path = PathOf(key);
    const SystemError error = files_.Status(path, status);
    if (error != 0 && !IsMissing(error)) {
      return StorageError(error, "look at a file", path);
    }
    if (error == 0 && status.is_file) {
      page_.blobs.push_back({std::move(key), {status.bytes, status.modified_ms}});
    }
    return OkStatus();
  }

  FileSystem& files_;
  const ListRequest& request_;
  BlobList page_;
};

}  // namespace

Result<BlobList> ListFiles(FileSystem& files, const ListRequest& request) {
  // Begins in the deepest folder that all wanted keys share, so that what is in one image's folder
  // can be listed without a look at the others'.
  const size_t slash = request.prefix.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "" : request.prefix.substr(0, slash + 1);
  if (!folder.empty() && !ValidateBlobKey({request.bucket, folder.substr(0, slash)}).ok()) {
    return BlobList{};  // No key can begin so.
  }
  Lister lister(files, request);
  RETURN_IF_ERROR(lister.Walk(folder));
  return lister.Take();
}

}  // namespace tintype::blobs
