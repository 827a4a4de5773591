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

/// Numbers that the library holds, so that a run takes what another gave without a copy. The model
/// may go before it, the library may not. Not thread-safe.
class ModelValue {
 public:
  ModelValue(ModelValue&&) noexcept;
  ModelValue& operator=(ModelValue&&) noexcept;
  ~ModelValue();

  const std::vector<int64_t>& shape() const;
  /// They are there as long as this object is. Errors: they are of another kind.
  Result<std::span<const float>> Floats() const;

 private:
  friend class ModelSession;
  struct Handle;
  explicit ModelValue(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

struct NamedValue {
  std::string name;
  const ModelValue* value = nullptr;
};

/// What becomes of memory that a run does not need any more.
enum class ModelMemory : uint8_t {
  kGivenBack,
  kKept,  ///< For the next run, until the model goes.
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

  /// The same with several inputs, for those outputs that are named, in that order.
  Result<std::vector<ModelValue>> Run(std::span<const NamedValue> inputs,
                                      std::span<const std::string> outputs);
  const std::vector<std::string>& inputs() const;

  Result<ModelValue> MakeFloats(Tensor tensor) const;
  Result<ModelValue> MakeIntegers(std::vector<int64_t> shape, std::vector<int64_t> values) const;
  Result<ModelValue> MakeFlag(bool value) const;

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
  Result<std::unique_ptr<ModelSession>> Open(int model,
                                             ModelMemory memory = ModelMemory::kGivenBack);

 private:
  struct Handle;
  explicit OnnxRuntime(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

}  // namespace tintype::darkroom::vision
