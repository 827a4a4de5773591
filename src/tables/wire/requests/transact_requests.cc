#include <utility>

#include "crypto/digest.h"
#include "tables/language/values/item_size.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/attribute_value.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_name.h"

// TransactGetItems and TransactWriteItems.
namespace tintype::tables::wire {

namespace {

using Action = TransactWriteItemsRequest::Action;

constexpr std::string_view kGetExpressions[] = {"ProjectionExpression"};
constexpr ExpressionFamily kGetFamily{kGetExpressions, {}};
constexpr std::string_view kConditionExpressions[] = {"ConditionExpression"};
constexpr ExpressionFamily kConditionFamily{kConditionExpressions, {}};
constexpr std::string_view kUpdateExpressions[] = {"UpdateExpression", "ConditionExpression"};
constexpr ExpressionFamily kUpdateFamily{kUpdateExpressions, {}};

/// A text from which two requests are equal exactly if their actions are, whatever the order of
/// members in their JSON. Each part carries its length, so that no two can run together.
class CanonicalForm {
 public:
  void Add(std::string_view part) {
    AppendVarint(text_, part.size());
    text_.append(part);
  }
  void Add(std::optional<std::string_view> part) {
    text_.push_back(part ? '1' : '0');
    if (part) {
      Add(*part);
    }
  }
  void Add(const PlaceholderMaps& maps) {
    AppendVarint(text_, maps.names.size());
    for (const auto& [placeholder, name] : maps.names) {
      Add(std::string_view(placeholder));
      Add(std::string_view(name));
    }
    AppendVarint(text_, maps.values.size());
    for (const auto& [placeholder, value] : maps.values) {
      Add(std::string_view(placeholder));
      Add(std::string_view(value.encoded()));
    }
  }

  std::string Digest() const {
    const crypto::Sha256Digest digest = crypto::Sha256(text_);
    return {digest.begin(), digest.end()};
  }

 private:
  std::string text_;
};

Result<TransactGetItemsRequest::Get> DecodeGet(const JsonObject& json) {
  RETURN_IF_ERROR(CheckTableNameLength(json.String("TableName").value_or("")));
  RETURN_IF_ERROR(CheckExpressionFamily(json, kGetFamily));
  TransactGetItemsRequest::Get get;
  get.table = DecodeTableName(json);
  ASSIGN_OR_RETURN(get.key, DecodeItem(json.RequiredObject("Key")));
  ASSIGN_OR_RETURN(PlaceholderMaps maps, DecodePlaceholders(json, PlaceholderKinds::kNames));
  Placeholders placeholders = std::move(maps).Take();
  ASSIGN_OR_RETURN(get.projection, DecodeProjectionExpression(json, placeholders));
  RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return get;
}

/// The one action that an element of TransactItems names, and its parameters.
struct NamedAction {
  std::string_view name;
  JsonObject json;
};
Result<NamedAction> FindAction(const JsonObject& element) {
  std::optional<NamedAction> found;
  for (const std::string_view name : {"ConditionCheck", "Put", "Delete", "Update"}) {
    if (const auto json = element.Object(name)) {
      if (found) {
        return Error::Validation(
            "TransactItems can only contain one of Check, Put, Update or Delete");
      }
      found = NamedAction{name, *json};
    }
  }
  if (!found) {
    return Error::Validation(
        "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
  }
  return *found;
}

Result<Action> DecodeAction(const NamedAction& named, CanonicalForm& canonical) {
  const JsonObject& json = named.json;
  const bool is_put = named.name == "Put";
  const bool is_update = named.name == "Update";
  RETURN_IF_ERROR(CheckTableNameLength(json.String("TableName").value_or("")));
  RETURN_IF_ERROR(CheckExpressionFamily(json, is_update ? kUpdateFamily : kConditionFamily));

  Action action;
  action.table = DecodeTableName(json);
  action.return_old_on_condition_failure = DecodeReturnOldOnConditionFailure(json);
  ASSIGN_OR_RETURN(Item item, DecodeItem(json.RequiredObject(is_put ? "Item" : "Key")));
  if (is_put) {
    RETURN_IF_ERROR(CheckItemSize(item.view(), SizedItem::kPut));
  }
  ASSIGN_OR_RETURN(PlaceholderMaps maps,
                   DecodePlaceholders(json, PlaceholderKinds::kNamesAndValues));

  canonical.Add(named.name);
  canonical.Add(std::string_view(action.table));
  canonical.Add(std::string_view(item.payload()));
  canonical.Add(json.String("UpdateExpression"));
  canonical.Add(json.String("ConditionExpression"));
  canonical.Add(maps);
  canonical.Add(std::string_view(action.return_old_on_condition_failure ? "ALL_OLD" : "NONE"));

  Placeholders placeholders = std::move(maps).Take();
  if (is_put) {
    action.what = TransactWriteItemsRequest::Put{std::move(item)};
  } else if (is_update) {
    ASSIGN_OR_RETURN(Update update,
                     ParseUpdateExpression(*json.String("UpdateExpression"), placeholders));
    action.what = TransactWriteItemsRequest::UpdateAction{std::move(item), std::move(update)};
  } else if (named.name == "Delete") {
    action.what = TransactWriteItemsRequest::Delete{std::move(item)};
  } else {
    action.what = TransactWriteItemsRequest::Check{std::move(item)};
  }
  ASSIGN_OR_RETURN(action.condition, DecodeConditionExpression(json, placeholders));
  RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return action;
}

}  // namespace

Result<TransactGetItemsRequest> DecodeTransactGetItems(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kTransactGetItemsShape));
  TransactGetItemsRequest request;
  request.return_capacity = DecodeReturnCapacity(json);
  for (const JsonElement element : json.RequiredArray("TransactItems")) {
    ASSIGN_OR_RETURN(TransactGetItemsRequest::Get get,
                     DecodeGet(JsonObject(element).RequiredObject("Get")));
    request.gets.push_back(std::move(get));
  }
  return request;
}

Result<TransactWriteItemsRequest> DecodeTransactWriteItems(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kTransactWriteItemsShape));
  TransactWriteItemsRequest request;
  request.return_capacity = DecodeReturnCapacity(json);
  request.return_collection_metrics = DecodeReturnCollectionMetrics(json);
  if (const auto token = json.String("ClientRequestToken")) {
    request.client_token = std::string(*token);
  }
  CanonicalForm canonical;
  for (const JsonElement element : json.RequiredArray("TransactItems")) {
    ASSIGN_OR_RETURN(const NamedAction named, FindAction(JsonObject(element)));
    ASSIGN_OR_RETURN(Action action, DecodeAction(named, canonical));
    request.actions.push_back(std::move(action));
  }
  request.parameters_digest = canonical.Digest();
  return request;
}

}  // namespace tintype::tables::wire
