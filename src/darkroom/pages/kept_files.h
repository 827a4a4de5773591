#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tintype::darkroom::pages {

/// Files of the system that libraries ask for by name while they work: fonts, and poppler's tables
/// of characters. The template keeps them in memory, where all its helpers share them, since a
/// helper can open no file. In this program fopen and FT_New_Face look here first (kept_files.cc).
/// What libraries get is memory that nobody can write to; no descriptor is handed out, and the
/// sandbox allows no more than it does to other helpers.
///
/// There is one, because functions of the C library have no other way to it. Set up by the
/// template, which has one thread; not changed after Seal.
class KeptFiles {
 public:
  static KeptFiles& Instance();

  /// Whether the file is in memory now, or was already. Not so when it cannot be read, is empty or
  /// would be more than may be kept.
  bool Keep(const std::string& path);
  /// Keeps the files of a folder and those below it.
  void KeepFolder(const std::string& path);
  /// From now on fopen knows no other file, sandbox or not.
  void Seal() { sealed_ = true; }

  /// The bytes of a kept file, for as long as the process runs; none of another.
  std::string_view Find(std::string_view path) const;
  bool sealed() const { return sealed_; }
  size_t count() const { return files_.size(); }

 private:
  std::map<std::string, std::string_view, std::less<>> files_;
  int64_t bytes_ = 0;
  bool sealed_ = false;
};
/// All of them, which are address space rather than memory: pages that nobody reads are not there.
/// Never more than a quarter of the address space that the process may have.
inline constexpr int64_t kKeptBytesMax = int64_t{384} << 20;
inline constexpr size_t kKeptFilesMax = 4'000;

}  // namespace tintype::darkroom::pages
