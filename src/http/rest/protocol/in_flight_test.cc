#include "http/rest/protocol/in_flight.h"

#include <gtest/gtest.h>

namespace tintype::http::rest {
namespace {

// Proves that each name has so many at once, that others do not matter, and that a ticket counts
// once however it is moved about.
TEST(InFlightTest, LimitsEachName) {
  InFlight in_flight(2);
  {
    auto first = in_flight.Enter("ada");
    ASSERT_TRUE(first);
    {
      const auto second = in_flight.Enter("ada");
      EXPECT_TRUE(second);
      EXPECT_FALSE(in_flight.Enter("ada"));
      EXPECT_TRUE(in_flight.Enter("bob"));
    }
    const InFlight::Ticket moved = *std::move(first);
    const auto second = in_flight.Enter("ada");
    EXPECT_TRUE(second);
    EXPECT_FALSE(in_flight.Enter("ada"));
  }
  const auto again = in_flight.Enter("ada");
  EXPECT_TRUE(again && in_flight.Enter("ada"));
}

}  // namespace
}  // namespace tintype::http::rest
