#include "pipeline/edit_operations.h"

#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "base/strings.h"
#include "contract/limits.h"
#include "json/value.h"
#include "json/writer.h"

namespace tintype::pipeline {
namespace {

using darkroom::EditOperation;

constexpr size_t kJsonBytesMax = 16 * 1024;

Result<int32_t> WholeNumber(const json::Value& operation, std::string_view name) {
  const json::Value* member = operation.Find(name);
  const std::optional<int64_t> number = member == nullptr ? std::nullopt : member->integer();
  if (!number || *number < 0 || *number > std::numeric_limits<int32_t>::max()) {
    return Error::Validation(StrCat("An operation needs `", name, "`, a whole number from 0 on."));
  }
  return static_cast<int32_t>(*number);
}

Result<EditOperation> ParseRotate(const json::Value& operation) {
  ASSIGN_OR_RETURN(const int32_t degrees, WholeNumber(operation, "degrees"));
  if (degrees != 90 && degrees != 180 && degrees != 270) {
    return Error::Validation("`degrees` of a rotation is 90, 180 or 270.");
  }
  return EditOperation(darkroom::Rotate{degrees});
}

Result<EditOperation> ParseCrop(const json::Value& operation) {
  darkroom::Crop crop;
  ASSIGN_OR_RETURN(crop.left, WholeNumber(operation, "left"));
  ASSIGN_OR_RETURN(crop.top, WholeNumber(operation, "top"));
  ASSIGN_OR_RETURN(crop.width, WholeNumber(operation, "width"));
  ASSIGN_OR_RETURN(crop.height, WholeNumber(operation, "height"));
  if (crop.width == 0 || crop.height == 0) {
    return Error::Validation("A crop leaves at least one pixel.");
  }
  return EditOperation(crop);
}

Result<EditOperation> ParseOperation(const json::Value& operation) {
  const json::Value* op = operation.Find("op");
  const std::string* name = op == nullptr ? nullptr : op->text();
  if (name == nullptr) {
    return Error::Validation("Each operation is an object with a member `op`.");
  }
  if (*name == "rotate") {
    return ParseRotate(operation);
  }
  if (*name == "crop") {
    return ParseCrop(operation);
  }
  if (*name == "auto_levels") {
    return EditOperation(darkroom::AutoLevels{});
  }
  if (*name == "black_and_white") {
    return EditOperation(darkroom::BlackAndWhite{});
  }
  return Error::Validation("`op` is none of `rotate`, `crop`, `auto_levels`, `black_and_white`.");
}

void Write(json::Writer& json, const darkroom::Rotate& rotate) {
  json.Text("op", "rotate");
  json.Integer("degrees", rotate.degrees);
}

void Write(json::Writer& json, const darkroom::Crop& crop) {
  json.Text("op", "crop");
  json.Integer("left", crop.left);
  json.Integer("top", crop.top);
  json.Integer("width", crop.width);
  json.Integer("height", crop.height);
}

void Write(json::Writer& json, const darkroom::AutoLevels& /*levels*/) {
  json.Text("op", "auto_levels");
}

void Write(json::Writer& json, const darkroom::BlackAndWhite& /*grey*/) {
  json.Text("op", "black_and_white");
}

}  // namespace

Result<std::vector<EditOperation>> ParseEditOperations(std::string_view json) {
  ASSIGN_OR_RETURN(const json::Value parsed, json::Parse(json, kJsonBytesMax));
  const json::Value::Array* members = parsed.array();
  constexpr limits::ListLimit kLimit = limits::kEditOperations;
  static_assert(kLimit.max <= darkroom::kEditOperationsMax);
  if (members == nullptr || members->size() < kLimit.min || members->size() > kLimit.max) {
    return Error::Validation(
        StrCat("`operations` is a list of ", kLimit.min, " to ", kLimit.max, " operations."));
  }
  std::vector<EditOperation> operations;
  for (const json::Value& member : *members) {
    ASSIGN_OR_RETURN(EditOperation operation, ParseOperation(member));
    operations.push_back(operation);
  }
  return operations;
}

std::string FormatEditOperations(const std::vector<EditOperation>& operations) {
  json::Writer json;
  json.OpenArray();
  for (const EditOperation& operation : operations) {
    json.OpenObject();
    std::visit([&](const auto& each) { Write(json, each); }, operation);
    json.CloseObject();
  }
  json.CloseArray();
  return std::move(json).Take();
}

}  // namespace tintype::pipeline
