#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contexts/jobs/job.h"
#include "views/sources.h"

/// Edit jobs of the viewer.
namespace tintype::views {

struct JobList {
  std::vector<contexts::jobs::Job> jobs;
  std::optional<tables::Item> next;  // Nothing at the end.
};

/// Newest first. One call of the database.
Result<JobList> ListJobs(const Sources& sources, const Viewer& viewer, const PageRequest& page);

/// Errors: kNotFound when there is none, or it is another's.
Result<contexts::jobs::Job> FindJob(const Sources& sources, const Viewer& viewer,
                                    std::string_view id);

}  // namespace tintype::views
