#include "metrics/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <future>
#include <string>
#include <thread>

#include "base/descriptor.h"

namespace tintype::metrics {
namespace {

class ProcessTest : public ::testing::Test {
 protected:
  double Value(const std::string& name) const {
    const std::string text = registry_.Render();
    const size_t found = text.find("\n" + name + " ");
    EXPECT_NE(found, std::string::npos) << name << "\n" << text;
    return std::strtod(text.c_str() + found + name.size() + 2, nullptr);
  }

  Registry registry_;
  const Registration registration_ = CollectProcess(registry_);
};

// Proves that each figure is about this process, and moves with it.
TEST_F(ProcessTest, TellsOfThisProcess) {
  EXPECT_GT(Value("tintype_process_resident_memory_bytes"), 1 << 20);
  const auto now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_LE(Value("tintype_process_start_time_seconds"), now + 1);
  EXPECT_GT(Value("tintype_process_start_time_seconds"), now - 3600);
  EXPECT_GT(Value("tintype_process_open_descriptors_limit"), 0);
}

TEST_F(ProcessTest, CountsDescriptorsAndThreads) {
  const double descriptors = Value("tintype_process_open_descriptors");
  const double threads = Value("tintype_process_threads");
  const Descriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(Value("tintype_process_open_descriptors"), descriptors + 1);
  std::promise<void> seen;
  std::thread thread([&seen] { seen.get_future().wait(); });
  EXPECT_EQ(Value("tintype_process_threads"), threads + 1);
  seen.set_value();
  thread.join();
}

TEST_F(ProcessTest, CountsProcessorTime) {
  const double before = Value("tintype_process_cpu_seconds_total");
  while (Value("tintype_process_cpu_seconds_total") < before + 0.02) {
  }
  EXPECT_LT(before, 60);
}

}  // namespace
}  // namespace tintype::metrics
