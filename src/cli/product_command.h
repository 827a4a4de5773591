#pragma once

#include <functional>

#include "base/result.h"
#include "cli/admin/message.h"
#include "cli/admin/socket.h"
#include "cli/progress.h"
#include "cli/settings/config.h"
#include "flows/product.h"

namespace tintype::cli {

/// Makes a command that works on a product, which outlives it.
using ProductCommand = std::function<AdminCommand(flows::Product& product)>;

/// Has the server that has the data directory open do what `request` names, or opens the directory
/// and does it here when no server has.
Result<AdminFields> DoOnProduct(const ServeConfig& config, const AdminMessage& request,
                                const ProductCommand& command, const ProgressReport& report);

}  // namespace tintype::cli
