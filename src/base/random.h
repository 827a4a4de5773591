#pragma once

#include <cstddef>
#include <string>

namespace tintype {

/// `count` bytes from the operating system's generator. Thread-safe.
std::string RandomBytes(size_t count);

/// A random (version 4) UUID in its usual spelling.
std::string RandomUuid();

}  // namespace tintype
