#include "base/recent_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tintype {
namespace {

// Proves that it holds no more than it may, and that what is asked for stays while others come.
TEST(RecentCacheTest, KeepsWhatIsUsedWithinItsBound) {
  RecentCache<int> cache(10);
  cache.Add("used", 7);
  for (int i = 0; i < 1000; ++i) {
    cache.Add(std::to_string(i), i);
    ASSERT_EQ(cache.Find("used"), 7) << i;
    ASSERT_LE(cache.size(), 10U);
  }
  EXPECT_EQ(cache.Find("999"), 999);
  EXPECT_EQ(cache.Find("0"), std::nullopt);
}

// Proves that the newest value of a name counts, also after it was in the older generation.
TEST(RecentCacheTest, HasOneValueOfAName) {
  RecentCache<int> cache(4);
  cache.Add("a", 1);
  cache.Add("b", 1);
  cache.Add("c", 1);  // `a` and `b` are the older generation now.
  cache.Add("a", 2);
  EXPECT_EQ(cache.Find("a"), 2);
  cache.Add("a", 3);
  EXPECT_EQ(cache.Find("a"), 3);
}

// Proves that the second to come gets what is there, from either generation.
TEST(RecentCacheTest, FindsOrAdds) {
  RecentCache<std::shared_ptr<int>> cache(4);
  const auto first = cache.FindOrAdd("a", std::make_shared<int>(1));
  EXPECT_EQ(cache.FindOrAdd("a", std::make_shared<int>(2)), first);
  cache.Add("b", nullptr);
  cache.Add("c", nullptr);
  EXPECT_EQ(cache.FindOrAdd("a", std::make_shared<int>(3)), first);
}

// Proves that nothing is left once it was cleared.
TEST(RecentCacheTest, Clears) {
  RecentCache<int> cache(4);
  for (const char* name : {"a", "b", "c"}) {
    cache.Add(name, 1);
  }
  cache.Clear();
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(cache.Find("a"), std::nullopt);
  EXPECT_EQ(cache.Find("c"), std::nullopt);
}

}  // namespace
}  // namespace tintype
