#pragma once

#include <optional>
#include <string>
#include <string_view>

/// How keys become paths. A component of a key is a file's or a folder's name, as it is, but for
/// what a name cannot begin with or what means something here: a dot in front and every '%' become
/// "%2E" and "%25". So no key can be a hidden file, and `.tmp` is nobody's key.
namespace tintype::blobs {

inline constexpr size_t kFileNameBytesMax = 255;

/// The name of a component.
std::string EncodeComponent(std::string_view component);

/// The component whose name this is, or nothing for a name that EncodeComponent never gives: what
/// somebody else put there.
std::optional<std::string> DecodeComponent(std::string_view name);

/// The path below a bucket of a key, or of a folder when it ends in '/'.
std::string EncodeKey(std::string_view key);

}  // namespace tintype::blobs
