#pragma once

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/upkeep/reconcile.h"

/// The parts of reconcile.h that look at one image.
namespace tintype::flows {

/// Whether ReconcileImage would find anything to do.
Result<bool> IsImageToReconcile(const ReconcileParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
