#include "tables/language/values/item_size.h"

#include <gtest/gtest.h>

#include <string>

#include "tables/language/faults.h"

namespace tintype::tables {
namespace {

// An item may have 409,600 bytes, its names included, and not one more.
TEST(ItemSizeTest, HasALimit) {
  const Item fits = Item::Of({{"ab", Value::String(std::string(400 * 1024 - 2, 'x'))}});
  EXPECT_TRUE(CheckItemSize(fits.view(), SizedItem::kPut).ok());
  EXPECT_TRUE(CheckItemSize(fits.view(), SizedItem::kUpdated).ok());
  const Item large = Item::Of({{"abc", Value::String(std::string(400 * 1024 - 2, 'x'))}});
  for (const SizedItem which : {SizedItem::kPut, SizedItem::kUpdated}) {
    const Status status = CheckItemSize(large.view(), which);
    ASSERT_FALSE(status.ok());
    EXPECT_TRUE(status.error().Is(reasons::kItemTooLarge));
  }
}

}  // namespace
}  // namespace tintype::tables
