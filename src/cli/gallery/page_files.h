#pragma once

#include <span>

#include "http/rest/page/static_files.h"

namespace tintype::cli {

/// The files of the page that were built into this program (tools/embed_page.py): none if the page
/// was not built before it.
std::span<const http::rest::StaticFile> PageFiles();

}  // namespace tintype::cli
