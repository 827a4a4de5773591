// A program that wants to be a template though it has two threads.

#include <chrono>
#include <thread>

#include "darkroom/protocol/template.h"

int main() {
  std::thread([] {
    while (true) {
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }).detach();
  tintype::darkroom::BecomeTemplate();
  return 0;
}
