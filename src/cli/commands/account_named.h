#pragma once

#include <string>

#include "base/result.h"
#include "flows/product.h"

namespace tintype::cli {

/// The account that a person means by its email or username. Errors: kNotFound, with the name that
/// was probably meant and where to find all of them.
Result<flows::Account> AccountNamed(flows::Product& product, const std::string& name);

}  // namespace tintype::cli
