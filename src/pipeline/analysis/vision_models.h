#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "models/model_files.h"

namespace tintype::pipeline {

/// The library without which no model runs.
inline constexpr std::string_view kRuntimeLibrary = "libonnxruntime.so.1";

/// Models that are open for as long as a request takes. Not thread-safe.
class OpenModels {
 public:
  explicit OpenModels(models::ModelFiles& files) : files_(files) {}

  /// A descriptor of the file, which stays open while this object is there. Errors: those of
  /// ModelFiles.
  Result<int> Open(std::string_view name) {
    ASSIGN_OR_RETURN(auto file, files_.Open(name));
    const int number = file->number();
    opened_.push_back(std::move(file));
    return number;
  }

 private:
  models::ModelFiles& files_;
  std::vector<std::shared_ptr<const Descriptor>> opened_;
};

}  // namespace tintype::pipeline
