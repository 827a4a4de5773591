#include "base/clock.h"

#include <chrono>

namespace tintype {
namespace {

class WallClock : public Clock {
 public:
  int64_t NowMs() const override {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    return duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  }
};

}  // namespace

const Clock& SystemClock() {
  static const WallClock clock;
  return clock;
}

}  // namespace tintype
