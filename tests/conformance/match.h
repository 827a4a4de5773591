#pragma once

#include <simdjson.h>

#include <string>

namespace tintype::conformance {

/// Compares an answer with what a case expects (README.md tells the matchers). Empty when they
/// agree, else where and how they differ.
std::string Differences(simdjson::dom::element expected, simdjson::dom::element actual,
                        bool partial = false);

}  // namespace tintype::conformance
