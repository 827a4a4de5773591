#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/mutex.h"
#include "base/result.h"
#include "models/known_models.h"

namespace tintype::models {

enum class ModelState {
  kThere,
  kMissing,
  kDamaged,  ///< A file of that name has other bytes.
};

/// The folder in which models are. Nothing is ever fetched from here: what is missing stays so
/// until somebody brings it, which is noticed at once. Thread-safe.
class ModelFiles {
 public:
  explicit ModelFiles(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  std::string PathOf(std::string_view name) const;

  /// A file, open for reading, whose bytes are those of the list: they are hashed when it is opened
  /// for the first time, and again once its size or times are others. Shared by all who read it at
  /// an offset of their own. Errors: kNotFound when it is missing; kCorruption when it has other
  /// bytes; kIo. REQUIRES: the list has the name.
  Result<std::shared_ptr<const Descriptor>> Open(std::string_view name);

  /// Why what needs these files cannot be done, and what to do about it; nothing when all of them
  /// can be opened.
  std::optional<std::string> WhyMissing(const std::vector<std::string_view>& names);

  /// Looks at the file itself, whatever is known of it.
  Result<ModelState> Verify(const KnownModel& model) const;

 private:
  struct Known {
    ino_t file = 0;
    int64_t modified_ns = 0;
    std::shared_ptr<const Descriptor> open;
  };

  const std::string folder_;
  Mutex mutex_;
  std::map<std::string, Known, std::less<>> known_ GUARDED_BY(mutex_);
};

}  // namespace tintype::models
