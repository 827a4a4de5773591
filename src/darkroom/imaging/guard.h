#pragma once

#include <exception>
#include <new>
#include <vips/vips8>

#include "base/result.h"

namespace tintype::darkroom {

/// The error that a text of libvips stands for: out of memory, or a damaged file. Forgets what
/// libvips has gathered; its buffer is the process's.
Error FromVips(const vips::VError& error);
Error OutOfMemory();
Error FromException(const std::exception& error);

/// Runs a function that returns a Result and uses libvips or exiv2; their exceptions stop here.
template <typename Function>
auto Guard(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const vips::VError& error) {
    return FromVips(error);
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  } catch (const std::exception& error) {
    return FromException(error);
  }
}

}  // namespace tintype::darkroom
