#pragma once

#include <string_view>

namespace tintype::blobs {

/// Files that were made of an image's blobs and are kept outside of the blob store, such as a cache
/// of resized pictures. They may not outlive the image. Implementations are thread-safe.
class DerivedFiles {
 public:
  virtual ~DerivedFiles() = default;

  /// The image is deleted: nothing of it stays, nor of what is being made of it.
  virtual void Forget(std::string_view image_id) = 0;
};

}  // namespace tintype::blobs
