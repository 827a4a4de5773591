#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "darkroom/vision/onnx_runtime.h"
#include "darkroom/vision/text/read_line.h"

namespace tintype::darkroom::vision {

/// The models of the kind that this helper did last. They stay until it does another one, or has
/// nothing to do: loading takes longer than a run. Not thread-safe.
class LoadedModels {
 public:
  explicit LoadedModels(OnnxRuntime& runtime) : runtime_(runtime) {}

  /// The models are those of that name from now on: others go.
  void Use(const std::string& models);
  /// The model of an order's place, from its file if it is not loaded yet.
  Result<ModelSession*> Model(size_t place, int file, ModelMemory memory = ModelMemory::kGivenBack);
  Result<const Characters*> CharactersOf(size_t place, int file);
  void Forget();

 private:
  OnnxRuntime& runtime_;
  std::string models_;
  std::map<size_t, std::unique_ptr<ModelSession>> sessions_;
  std::map<size_t, Characters> characters_;
};

}  // namespace tintype::darkroom::vision
