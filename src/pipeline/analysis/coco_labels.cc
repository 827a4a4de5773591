#include "pipeline/analysis/coco_labels.h"

#include <array>
#include <cstddef>

namespace tintype::pipeline {
namespace {

constexpr std::array<CocoLabel, 90> kLabels = {{
    {"Person", ""},
    {"Bicycle", "Vehicle"},
    {"Car", "Vehicle"},
    {"Motorcycle", "Vehicle"},
    {"Airplane", "Vehicle"},
    {"Bus", "Vehicle"},
    {"Train", "Vehicle"},
    {"Truck", "Vehicle"},
    {"Boat", "Vehicle"},
    {"Traffic Light", "Street Furniture"},
    {"Fire Hydrant", "Street Furniture"},
    {},
    {"Stop Sign", "Street Furniture"},
    {"Parking Meter", "Street Furniture"},
    {"Bench", "Street Furniture"},
    {"Bird", "Animal"},
    {"Cat", "Animal"},
    {"Dog", "Animal"},
    {"Horse", "Animal"},
    {"Sheep", "Animal"},
    {"Cow", "Animal"},
    {"Elephant", "Animal"},
    {"Bear", "Animal"},
    {"Zebra", "Animal"},
    {"Giraffe", "Animal"},
    {},
    {"Backpack", "Accessory"},
    {"Umbrella", "Accessory"},
    {},
    {},
    {"Handbag", "Accessory"},
    {"Tie", "Accessory"},
    {"Suitcase", "Accessory"},
    {"Frisbee", "Sports Equipment"},
    {"Skis", "Sports Equipment"},
    {"Snowboard", "Sports Equipment"},
    {"Sports Ball", "Sports Equipment"},
    {"Kite", "Sports Equipment"},
    {"Baseball Bat", "Sports Equipment"},
    {"Baseball Glove", "Sports Equipment"},
    {"Skateboard", "Sports Equipment"},
    {"Surfboard", "Sports Equipment"},
    {"Tennis Racket", "Sports Equipment"},
    {"Bottle", "Tableware"},
    {},
    {"Wine Glass", "Tableware"},
    {"Cup", "Tableware"},
    {"Fork", "Tableware"},
    {"Knife", "Tableware"},
    {"Spoon", "Tableware"},
    {"Bowl", "Tableware"},
    {"Banana", "Food"},
    {"Apple", "Food"},
    {"Sandwich", "Food"},
    {"Orange (Fruit)", "Food"},
    {"Broccoli", "Food"},
    {"Carrot", "Food"},
    {"Hot Dog", "Food"},
    {"Pizza", "Food"},
    {"Donut", "Food"},
    {"Cake", "Food"},
    {"Chair", "Furniture"},
    {"Couch", "Furniture"},
    {"Potted Plant", "Plant"},
    {"Bed", "Furniture"},
    {},
    {"Dining Table", "Furniture"},
    {},
    {},
    {"Toilet", "Furniture"},
    {},
    {"TV", "Electronics"},
    {"Laptop", "Electronics"},
    {"Computer Mouse", "Electronics"},
    {"Remote Control", "Electronics"},
    {"Keyboard", "Electronics"},
    {"Cell Phone", "Electronics"},
    {"Microwave", "Appliance"},
    {"Oven", "Appliance"},
    {"Toaster", "Appliance"},
    {"Sink", "Appliance"},
    {"Refrigerator", "Appliance"},
    {},
    {"Book", "Household Item"},
    {"Clock", "Household Item"},
    {"Vase", "Household Item"},
    {"Scissors", "Household Item"},
    {"Teddy Bear", "Household Item"},
    {"Hair Drier", "Appliance"},
    {"Toothbrush", "Household Item"},
}};

}  // namespace

const CocoLabel* FindCocoLabel(int32_t number) {
  if (number < 1 || static_cast<size_t>(number) > kLabels.size()) {
    return nullptr;
  }
  const CocoLabel& label = kLabels[static_cast<size_t>(number) - 1];
  return label.name.empty() ? nullptr : &label;
}

}  // namespace tintype::pipeline
