#include "views/jobs.h"

#include <utility>

#include "views/access.h"

namespace tintype::views {

using contexts::jobs::Job;

Result<JobList> ListJobs(const Sources& sources, const Viewer& viewer, const PageRequest& page) {
  ASSIGN_OR_RETURN(auto found, sources.jobs.ListOfUser(viewer.id, page.limit, page.after));
  std::erase_if(found.jobs, [&](const Job& job) { return !MaySee(viewer, job); });
  return JobList{std::move(found.jobs), std::move(found.last_evaluated_key)};
}

Result<Job> FindJob(const Sources& sources, const Viewer& viewer, std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Job> job, sources.jobs.Find(id));
  if (!job || !MaySee(viewer, *job)) {
    return Error::NotFound("There is no such job.");
  }
  return *std::move(job);
}

}  // namespace tintype::views
