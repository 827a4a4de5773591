#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// ONNX Runtime, by its C interface: a table of functions whose order never changes, new ones come
/// at its end. The library is loaded when the program starts, from the file that the server names,
/// so that the program is built without it and says what is missing where it is not there.
namespace tintype::darkroom::vision {

/// Numbers in rows, as models take and give them.
struct Tensor {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

/// A model that is loaded. Not thread-safe.
class ModelSession {
 public:
  ~ModelSession();
  ModelSession(const ModelSession&) = delete;
  ModelSession& operator=(const ModelSession&) = delete;

  /// Runs the model, which has one input, and gives its outputs in their order. Errors:
  /// kOutOfMemory and kDied of this room's failures; the input does not fit the model.
  Result<std::vector<Tensor>> Run(Tensor& input);

 private:
  friend class OnnxRuntime;
  struct Handle;
  explicit ModelSession(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

/// The library. One is enough for a process, which keeps it to its end. Starts no threads.
class OnnxRuntime {
 public:
  /// Loads the library at `path`, an absolute name. Errors: kUnavailable, saying what is wrong.
  static Result<std::unique_ptr<OnnxRuntime>> Load(const std::string& path);
  ~OnnxRuntime();
  OnnxRuntime(const OnnxRuntime&) = delete;
  OnnxRuntime& operator=(const OnnxRuntime&) = delete;

  /// Loads the model in a file that is open, which may be closed afterwards. Errors: as Run; a file
  /// that is no model.
  Result<std::unique_ptr<ModelSession>> Open(int model);

 private:
  struct Handle;
  explicit OnnxRuntime(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

}  // namespace tintype::darkroom::vision
