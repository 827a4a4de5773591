#include "darkroom/imaging/torn/patched_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace tintype::darkroom {
namespace {

struct Reading {
  PatchedFile file;
  int64_t position = 0;
};

void ApplyPatch(const Patch& patch, int64_t begin, char* buffer, int64_t count) {
  const int64_t from = std::max(begin, patch.offset);
  const int64_t to =
      std::min(begin + count, patch.offset + static_cast<int64_t>(patch.bytes.size()));
  if (from < to) {
    std::memcpy(buffer + (from - begin), patch.bytes.data() + (from - patch.offset),
                static_cast<size_t>(to - from));
  }
}

// As libvips asks for it: the number of bytes, 0 at the end, -1 for an error.
gint64 ReadPatched(VipsSourceCustom* /*source*/, void* data, gint64 length, void* user) {
  auto& [file, position] = *static_cast<Reading*>(user);
  auto* const buffer = static_cast<char*>(data);
  const int64_t count = std::clamp<int64_t>(file.length - position, 0, length);
  const ssize_t there = ::pread(file.input, buffer, static_cast<size_t>(count), position);
  if (there < 0) {
    return -1;
  }
  std::memset(buffer + there, file.filler, static_cast<size_t>(count - there));
  for (const Patch& patch : file.patches) {
    ApplyPatch(patch, position, buffer, count);
  }
  position += count;
  return count;
}

gint64 SeekPatched(VipsSourceCustom* /*source*/, gint64 offset, int whence, void* user) {
  auto& [file, position] = *static_cast<Reading*>(user);
  const int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : file.length;
  if (offset < -base || offset > file.length - base) {
    return -1;
  }
  position = base + offset;
  return position;
}

void EndReading(void* user, GClosure* /*closure*/) {
  const std::unique_ptr<Reading> reading(static_cast<Reading*>(user));
}

}  // namespace

vips::VSource OpenPatched(PatchedFile file) {
  VipsSourceCustom* const custom = vips_source_custom_new();
  if (custom == nullptr) {
    throw vips::VError();
  }
  vips::VSource source(VIPS_SOURCE(custom));
  // It goes with the source: both of its signals end then, this one last.
  Reading* const reading = std::make_unique<Reading>(Reading{std::move(file)}).release();
  g_signal_connect_data(custom, "read", G_CALLBACK(ReadPatched), reading, EndReading,
                        GConnectFlags{});
  g_signal_connect_data(custom, "seek", G_CALLBACK(SeekPatched), reading, nullptr, GConnectFlags{});
  return source;
}

}  // namespace tintype::darkroom
