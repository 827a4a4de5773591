#include <utility>
#include <variant>

#include "access/tables/touch.h"

// What reading and writing items touches.
namespace tintype::access {
namespace {

using tables::ReturnCapacity;
using tables::ReturnValues;
using tables::Select;

std::string_view NameOf(ReturnCapacity capacity) {
  switch (capacity) {
    case ReturnCapacity::kTotal:
      return "TOTAL";
    case ReturnCapacity::kIndexes:
      return "INDEXES";
    case ReturnCapacity::kNone:
      break;
  }
  return "NONE";
}

std::string_view NameOf(ReturnValues values) {
  switch (values) {
    case ReturnValues::kAllOld:
      return "ALL_OLD";
    case ReturnValues::kUpdatedOld:
      return "UPDATED_OLD";
    case ReturnValues::kAllNew:
      return "ALL_NEW";
    case ReturnValues::kUpdatedNew:
      return "UPDATED_NEW";
    case ReturnValues::kNone:
      break;
  }
  return "NONE";
}

/// What is selected when the request does not say so itself: with a projection what that names.
std::string_view SelectOf(const std::optional<tables::Projection>& projection) {
  return projection ? "SPECIFIC_ATTRIBUTES" : "ALL_ATTRIBUTES";
}

std::string_view SelectOf(const tables::ReadOptions& options) {
  if (!options.select) {
    return options.index && !options.projection ? "ALL_PROJECTED_ATTRIBUTES"
                                                : SelectOf(options.projection);
  }
  switch (*options.select) {
    case Select::kAllProjectedAttributes:
      return "ALL_PROJECTED_ATTRIBUTES";
    case Select::kSpecificAttributes:
      return "SPECIFIC_ATTRIBUTES";
    case Select::kCount:
      return "COUNT";
    case Select::kAllAttributes:
      break;
  }
  return "ALL_ATTRIBUTES";
}

template <typename T>
const T* PointerTo(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}

Touch ReadTouch(std::string_view action, std::string_view table, const tables::Item& key,
                const std::optional<tables::Projection>& projection, ReturnCapacity capacity) {
  Touch touch{.action = action, .table = table};
  touch.item = &key;
  touch.projection = PointerTo(projection);
  touch.select = SelectOf(projection);
  touch.return_capacity = NameOf(capacity);
  return touch;
}

Touch WriteTouch(std::string_view action, std::string_view table, const tables::Item& item,
                 const tables::WriteOptions& options) {
  Touch touch{.action = action, .table = table};
  touch.item = &item;
  touch.condition = PointerTo(options.condition);
  touch.return_values = NameOf(options.return_values);
  touch.return_capacity = NameOf(options.return_capacity);
  return touch;
}

/// Visits what writes an item, and the same once more as one that returns the whole old item when
/// the request has a failed condition show that: a policy decides about either by
/// `dynamodb:ReturnValues`, for a condition can be made to fail. Twice, because neither name says
/// all that may come back: one of them may be denied and the other one not.
Status VisitWrite(Touch touch, bool return_old_on_condition_failure, const OnTouch& visit) {
  RETURN_IF_ERROR(visit(touch));
  const std::string_view whole = NameOf(ReturnValues::kAllOld);
  if (!return_old_on_condition_failure || touch.return_values == whole) {
    return OkStatus();
  }
  touch.return_values = whole;
  return visit(touch);
}

Touch PageTouch(std::string_view action, std::string_view table,
                const tables::ReadOptions& options) {
  Touch touch{.action = action, .table = table};
  if (options.index) {
    touch.index = *options.index;
  }
  touch.start_key = PointerTo(options.exclusive_start_key);
  touch.projection = PointerTo(options.projection);
  touch.condition = PointerTo(options.filter);
  touch.select = SelectOf(options);
  touch.return_capacity = NameOf(options.return_capacity);
  return touch;
}

/// An action of a transaction counts as the operation that does the same alone.
struct ActionTouch {
  Touch touch;

  void operator()(const tables::TransactWriteItemsRequest::Put& put) {
    touch.action = "dynamodb:PutItem";
    touch.item = &put.item;
  }
  void operator()(const tables::TransactWriteItemsRequest::Delete& removal) {
    touch.action = "dynamodb:DeleteItem";
    touch.item = &removal.key;
  }
  void operator()(const tables::TransactWriteItemsRequest::UpdateAction& update) {
    touch.action = "dynamodb:UpdateItem";
    touch.item = &update.key;
    touch.update = &update.update;
  }
  void operator()(const tables::TransactWriteItemsRequest::Check& check) {
    touch.action = "dynamodb:ConditionCheckItem";
    touch.item = &check.key;
  }
};

}  // namespace

Status VisitTouches(const tables::GetItemRequest& request, const OnTouch& visit) {
  return visit(ReadTouch("dynamodb:GetItem", request.table, request.key, request.projection,
                         request.return_capacity));
}

Status VisitTouches(const tables::PutItemRequest& request, const OnTouch& visit) {
  return VisitWrite(WriteTouch("dynamodb:PutItem", request.table, request.item, request.options),
                    request.options.return_old_on_condition_failure, visit);
}

Status VisitTouches(const tables::DeleteItemRequest& request, const OnTouch& visit) {
  return VisitWrite(WriteTouch("dynamodb:DeleteItem", request.table, request.key, request.options),
                    request.options.return_old_on_condition_failure, visit);
}

Status VisitTouches(const tables::UpdateItemRequest& request, const OnTouch& visit) {
  Touch touch = WriteTouch("dynamodb:UpdateItem", request.table, request.key, request.options);
  touch.update = &request.update;
  return VisitWrite(touch, request.options.return_old_on_condition_failure, visit);
}

Status VisitTouches(const tables::BatchGetItemRequest& request, const OnTouch& visit) {
  for (const auto& table : request.tables) {
    for (const tables::Item& key : table.keys) {
      RETURN_IF_ERROR(visit(ReadTouch("dynamodb:BatchGetItem", table.table, key, table.projection,
                                      request.return_capacity)));
    }
  }
  return OkStatus();
}

Status VisitTouches(const tables::BatchWriteItemRequest& request, const OnTouch& visit) {
  using Put = tables::BatchWriteItemRequest::Put;
  using Delete = tables::BatchWriteItemRequest::Delete;
  for (const auto& table : request.tables) {
    for (const std::variant<Put, Delete>& action : table.actions) {
      Touch touch{.action = "dynamodb:BatchWriteItem", .table = table.table};
      touch.item = std::holds_alternative<Put>(action) ? &std::get<Put>(action).item
                                                       : &std::get<Delete>(action).key;
      touch.return_capacity = NameOf(request.return_capacity);
      RETURN_IF_ERROR(visit(touch));
    }
  }
  return OkStatus();
}

Status VisitTouches(const tables::TransactGetItemsRequest& request, const OnTouch& visit) {
  for (const auto& get : request.gets) {
    Touch touch =
        ReadTouch("dynamodb:GetItem", get.table, get.key, get.projection, request.return_capacity);
    touch.enclosing_operation = "TransactGetItems";
    RETURN_IF_ERROR(visit(touch));
  }
  return OkStatus();
}

Status VisitTouches(const tables::TransactWriteItemsRequest& request, const OnTouch& visit) {
  for (const auto& action : request.actions) {
    ActionTouch made{{.action = {}, .table = action.table}};
    std::visit(made, action.what);
    made.touch.condition = PointerTo(action.condition);
    made.touch.return_values = NameOf(ReturnValues::kNone);
    made.touch.return_capacity = NameOf(request.return_capacity);
    made.touch.enclosing_operation = "TransactWriteItems";
    RETURN_IF_ERROR(VisitWrite(made.touch, action.return_old_on_condition_failure, visit));
  }
  return OkStatus();
}

Status VisitTouches(const tables::QueryRequest& request, const OnTouch& visit) {
  Touch touch = PageTouch("dynamodb:Query", request.table, request.options);
  touch.key_condition = &request.key_condition;
  return visit(touch);
}

Status VisitTouches(const tables::ScanRequest& request, const OnTouch& visit) {
  Touch touch = PageTouch("dynamodb:Scan", request.table, request.options);
  touch.full_table_scan = true;
  return visit(touch);
}

}  // namespace tintype::access
