#include "darkroom/damage.h"

#include "base/check.h"

namespace tintype::darkroom {

std::string_view DamageName(Damage damage) {
  switch (damage) {
    case Damage::kNone:
      return "";
    case Damage::kTruncated:
      return "truncated";
    case Damage::kDamaged:
      return "damaged";
  }
  CHECK(false);
}

}  // namespace tintype::darkroom
