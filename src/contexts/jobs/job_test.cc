#include "contexts/jobs/job.h"

#include <gtest/gtest.h>

#include "contexts/common/item.h"

namespace tintype::contexts::jobs {
namespace {

// Proves that of the 25 pairs of states four are arrows, by name.
TEST(JobTest, HasFourArrows) {
  std::string arrows;
  for (int from = 0; from < 5; ++from) {
    for (int to = 0; to < 5; ++to) {
      const auto start = static_cast<JobStatus>(from);
      const auto end = static_cast<JobStatus>(to);
      if (IsTransition(start, end)) {
        arrows += std::string(NameOf(start)) + ">" + std::string(NameOf(end)) + " ";
      }
    }
  }
  EXPECT_EQ(arrows, "QUEUED>PROCESSING PROCESSING>EDITING EDITING>COMPLETED EDITING>FAILED ");
}

// Proves that names and states belong together, and that no other name is one.
TEST(JobTest, NamesItsStates) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(JobStatusOf(NameOf(static_cast<JobStatus>(i))), static_cast<JobStatus>(i));
  }
  EXPECT_EQ(JobStatusOf("queued"), std::nullopt);
  EXPECT_EQ(JobStatusOf(""), std::nullopt);
}

// Proves that a job comes back from its item as it was, with and without what is optional.
TEST(JobTest, ReadsWhatWasWritten) {
  Job job;
  job.id = "1";
  job.user_id = "u";
  job.image_id = "i";
  job.status = JobStatus::kEditing;
  job.created_ms = 1;
  job.provider = "local";
  job.operations = "[]";
  const tables::Item plain = ToItem(job);
  EXPECT_EQ(ToItem(JobFromItem(plain)), plain);
  for (const std::string_view absent : {"editResult", "error", "s3TempKey", "replayOf"}) {
    EXPECT_FALSE(ItemReader(plain).Has(absent)) << absent;
  }
  job.edit_result = EditResult{"key", 1, 2, "webp", 3};
  job.error = JobError{"CODE", "message", 4};
  job.replay_of = "0";
  job.started_ms = 5;
  job.completed_ms = 6;
  job.s3_temp_key = "temp";
  job.s3_final_key = "final";
  job.correlation_id = "c";
  job.trace_id = "t";
  job.original_file_name = "a.jpg";
  EXPECT_EQ(ToItem(JobFromItem(ToItem(job))), ToItem(job));
  EXPECT_EQ(JobFromItem(ToItem(job)).error->retry_count, 4);
}

}  // namespace
}  // namespace tintype::contexts::jobs
