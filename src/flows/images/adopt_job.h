#pragma once

#include "base/result.h"
#include "contexts/backlog/work.h"
#include "flows/images/edit_image.h"

/// Edit jobs that somebody wrote straight into the table. Beside CreateJob in edit_image.cc, whose
/// rules they share.
namespace tintype::flows {

/// Whether AdoptJob would find anything to do.
Result<bool> IsJobToAdopt(const Uses<JobsPart, BacklogPart>& parts,
                          const contexts::backlog::Work& work);

/// Queues the work for a job, if it is QUEUED and there is none. A job that CreateJob would have
/// refused ends as FAILED. `work` names the job; it is leased, and complete when this succeeds.
Status AdoptJob(const EditParts& parts, const contexts::backlog::Work& work);

}  // namespace tintype::flows
