#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::blobs {

/// Computes a checksum of the kind that a client names, of bytes that pass by. Not thread-safe.
class Checksum {
 public:
  /// `sha1`, `sha256` or `md5`; nothing for any other name.
  static std::optional<Checksum> Of(std::string_view algorithm);

  Checksum(Checksum&&) noexcept;
  Checksum& operator=(Checksum&&) noexcept;
  ~Checksum();

  void Update(std::string_view piece);
  /// The bytes of the checksum. Ends it: nothing may follow.
  std::string Finish();

 private:
  struct State;
  explicit Checksum(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tintype::blobs
