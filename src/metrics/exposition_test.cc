#include "metrics/exposition.h"

#include <gtest/gtest.h>

namespace tintype::metrics {
namespace {

// Proves that each type of family is written as Prometheus reads it, and that no text can break out
// of its place.
TEST(ExpositionTest, WritesFamilies) {
  Samples samples;
  Family& work = samples.Counter("tintype_work_total", "Work\\done\nso far.");
  work.Sample({}, 3);
  work.Sample({{"type", "a\"b\\c\nd"}, {"state", "dead"}}, uint64_t{18'446'744'073'709'551'615U});
  Family& age = samples.Gauge("tintype_age_seconds", "Age.");
  age.Sample({{"priority", "low"}}, 1.5);
  age.Sample({{"priority", "high"}}, -2);
  age.Sample({{"priority", "none"}}, 1'763'300'000.25);
  EXPECT_EQ(WriteExposition(samples),
            "# HELP tintype_age_seconds Age.\n"
            "# TYPE tintype_age_seconds gauge\n"
            "tintype_age_seconds{priority=\"high\"} -2\n"
            "tintype_age_seconds{priority=\"low\"} 1.5\n"
            "tintype_age_seconds{priority=\"none\"} 1763300000.25\n"
            "# HELP tintype_work_total Work\\\\done\\nso far.\n"
            "# TYPE tintype_work_total counter\n"
            "tintype_work_total 3\n"
            "tintype_work_total{type=\"a\\\"b\\\\c\\nd\",state=\"dead\"} 18446744073709551615\n");
}

// Proves that the buckets of a histogram add up, and that its last one is its count.
TEST(ExpositionTest, AddsBucketsUp) {
  Samples samples;
  samples.Histogram("tintype_time_seconds", "Time.")
      .Sample({{"type", "edit"}}, Distribution{{0.1, 2}, {1, 0, 4}, 12.25});
  EXPECT_EQ(WriteExposition(samples),
            "# HELP tintype_time_seconds Time.\n"
            "# TYPE tintype_time_seconds histogram\n"
            "tintype_time_seconds_bucket{type=\"edit\",le=\"0.1\"} 1\n"
            "tintype_time_seconds_bucket{type=\"edit\",le=\"2\"} 1\n"
            "tintype_time_seconds_bucket{type=\"edit\",le=\"+Inf\"} 5\n"
            "tintype_time_seconds_sum{type=\"edit\"} 12.25\n"
            "tintype_time_seconds_count{type=\"edit\"} 5\n");
}

// Proves that a family that nothing has happened to is still told of.
TEST(ExpositionTest, WritesFamiliesWithoutSamples) {
  Samples samples;
  samples.Counter("tintype_failures_total", "Failures.");
  EXPECT_EQ(WriteExposition(samples),
            "# HELP tintype_failures_total Failures.\n# TYPE tintype_failures_total counter\n");
}

// Proves that a gauge cannot be called as counters are, nor a counter as gauges are, and that a
// sample is of its family's type.
TEST(ExpositionDeathTest, HoldsNamesAndSamplesToTheirTypes) {
  Samples samples;
  EXPECT_DEATH(samples.Gauge("tintype_work_total", ""), "");
  EXPECT_DEATH(samples.Counter("tintype_work", ""), "");
  EXPECT_DEATH(samples.Counter("work_total", ""), "");
  EXPECT_DEATH(samples.Gauge("tintype_Work", ""), "");
  EXPECT_DEATH(samples.Histogram("tintype_work_seconds", "").Sample({}, 1), "");
  EXPECT_DEATH(samples.Gauge("tintype_work", "").Sample({}, Distribution{{1}, {1, 2}, 0}), "");
}

}  // namespace
}  // namespace tintype::metrics
