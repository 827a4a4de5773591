#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include <vips/vips8>

namespace tintype::darkroom {

/// Bytes that are read in place of those that a file has there.
struct Patch {
  int64_t offset = 0;
  std::string bytes;
};

/// A torn file as it is shown to a loader that takes whole files alone: as long as it should be,
/// and with some of what it says about itself put right. Nothing is copied.
struct PatchedFile {
  int input = -1;
  /// With what is missing at its end.
  int64_t length = 0;
  /// What is read there.
  unsigned char filler = 0;
  /// A few.
  std::vector<Patch> patches = {};
};

/// Reads the descriptor by position, for as long as the source lives. Throws what libvips throws.
vips::VSource OpenPatched(PatchedFile file);

}  // namespace tintype::darkroom
