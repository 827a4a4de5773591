#include "http/dynamodb/exposition.h"

#include <gtest/gtest.h>

#include <array>

namespace tintype::http::dynamodb {
namespace {

// Proves that each kind of family is written as Prometheus reads it, and that no text can break out
// of its place.
TEST(ExpositionTest, WritesFamilies) {
  Exposition out;
  out.Begin("work_total", Exposition::Type::kCounter, "Work\\done\nso far.");
  out.Sample({}, uint64_t{3});
  out.Sample({{"type", "a\"b\\c\nd"}, {"state", "dead"}}, uint64_t{18'446'744'073'709'551'615U});
  out.Begin("age_seconds", Exposition::Type::kGauge, "Age.");
  out.Sample({{"priority", "low"}}, 1.5);
  EXPECT_EQ(std::move(out).Take(),
            "# HELP work_total Work\\\\done\\nso far.\n"
            "# TYPE work_total counter\n"
            "work_total 3\n"
            "work_total{type=\"a\\\"b\\\\c\\nd\",state=\"dead\"} 18446744073709551615\n"
            "# HELP age_seconds Age.\n"
            "# TYPE age_seconds gauge\n"
            "age_seconds{priority=\"low\"} 1.5\n");
}

// Proves that the buckets of a histogram add up, and that its last one is its count.
TEST(ExpositionTest, AddsBucketsUp) {
  Exposition out;
  out.Begin("time_seconds", Exposition::Type::kHistogram, "Time.");
  constexpr std::array<double, 2> kBounds = {0.1, 2};
  constexpr std::array<uint64_t, 3> kCounts = {1, 0, 4};
  out.Histogram({{"type", "edit"}}, {kBounds, kCounts, 12.25});
  EXPECT_EQ(std::move(out).Take(),
            "# HELP time_seconds Time.\n"
            "# TYPE time_seconds histogram\n"
            "time_seconds_bucket{type=\"edit\",le=\"0.1\"} 1\n"
            "time_seconds_bucket{type=\"edit\",le=\"2\"} 1\n"
            "time_seconds_bucket{type=\"edit\",le=\"+Inf\"} 5\n"
            "time_seconds_sum{type=\"edit\"} 12.25\n"
            "time_seconds_count{type=\"edit\"} 5\n");
}

// Proves that a gauge cannot be called as counters are, nor a counter as gauges are.
TEST(ExpositionDeathTest, HoldsNamesToTheirTypes) {
  Exposition out;
  EXPECT_DEATH(out.Begin("work_total", Exposition::Type::kGauge, ""), "");
  EXPECT_DEATH(out.Begin("work", Exposition::Type::kCounter, ""), "");
}

}  // namespace
}  // namespace tintype::http::dynamodb
