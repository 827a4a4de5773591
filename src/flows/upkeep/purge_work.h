#pragma once

#include <string>

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/parts.h"

/// What an operator takes out of the backlog without its being done.
namespace tintype::flows {

using PurgeParts = Uses<ConfigPart, DatabasePart, BlobsPart, ClockPart, AccountsPart, CatalogPart,
                        AnalysisPart, JobsPart, BacklogPart>;

/// What goes with the work, in a sentence for a person. Errors: kInUse while a worker is at it;
/// kValidation when purging would leave bytes without an owner or a user without what is theirs,
/// saying what to do instead.
Result<std::string> WhatPurgingLoses(const PurgeParts& parts, const contexts::backlog::Work& work);

/// Takes it out, together with what is true without it: an image that would wait for ever to be
/// developed is failed, a job that would wait to be done has ended. Errors: those above; kInUse
/// when the work has changed since it was read.
Status PurgeWork(const PurgeParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
