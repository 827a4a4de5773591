#include <algorithm>

#include "base/strings.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/items/page.h"
#include "tables/engine/rows/item_keys.h"

namespace tintype::tables::engine {
namespace {

using Operator = KeyCondition::Operator;

const KeyCondition::Term* FindTerm(const KeyCondition& condition, std::string_view attribute) {
  const auto found = std::find_if(condition.terms.begin(), condition.terms.end(),
                                  [&](const auto& term) { return term.attribute == attribute; });
  return found == condition.terms.end() ? nullptr : &*found;
}

Error MissedElement(std::string_view attribute) {
  return Error::Validation(StrCat("Query condition missed key schema element: ", attribute));
}

Status CheckTermTypes(const KeyCondition::Term& term, const KeyAttribute& attribute) {
  for (const Value& value : term.values) {
    if (value.type() != attribute.type) {
      return Error::Validation(
          "One or more parameter values were invalid: Condition parameter type does not match "
          "schema type");
    }
  }
  return OkStatus();
}

// The operator that selects the same values where the order is turned around.
Operator Mirrored(Operator op) {
  switch (op) {
    case Operator::kLess:
      return Operator::kGreater;
    case Operator::kLessOrEqual:
      return Operator::kGreaterOrEqual;
    case Operator::kGreater:
      return Operator::kLess;
    case Operator::kGreaterOrEqual:
      return Operator::kLessOrEqual;
    default:
      return op;
  }
}

// Narrows [plan.lower, plan.upper), whose keys all start with `prefix`, to those whose next
// attribute satisfies the term.
void ApplyRangeTerm(PagePlan& plan, const std::string& prefix, const KeyCondition::Term& term) {
  const bool descending = plan.descending();
  // The first key that has the value, and the first after all that have it.
  const auto at = [&](const Value& value) {
    std::string key = prefix;
    AppendKeyComponent(key, value.view());
    if (descending) {
      InvertBytes(key, prefix.size());
    }
    return key;
  };
  const auto after = [&](const Value& value) { return PrefixSuccessor(at(value)); };
  const Value& first = term.values.front();
  const Value& last = term.values.back();
  switch (descending ? Mirrored(term.op) : term.op) {
    case Operator::kEqual:
      plan.lower = at(first);
      plan.upper = after(first);
      return;
    case Operator::kLess:
      plan.upper = at(first);
      return;
    case Operator::kLessOrEqual:
      plan.upper = after(first);
      return;
    case Operator::kGreater:
      plan.lower = after(first);
      return;
    case Operator::kGreaterOrEqual:
      plan.lower = at(first);
      return;
    case Operator::kBetween:
      plan.lower = at(descending ? last : first);
      plan.upper = after(descending ? first : last);
      return;
    case Operator::kBeginsWith:
      plan.lower = prefix;
      AppendKeyComponentPrefix(plan.lower, first.view().payload());
      if (descending) {
        InvertBytes(plan.lower, prefix.size());
      }
      plan.upper = PrefixSuccessor(plan.lower);
      return;
  }
}

// Turns the key condition into bounds: equality on every hash attribute, then range attributes from
// left to right, all but the last by equality.
Status ApplyKeyCondition(PagePlan& plan, const KeyCondition& condition) {
  const auto& hash = plan.IndexHash();
  const auto& range = plan.IndexRange();
  const size_t attributes = hash.size() + range.size();
  if (attributes == 1 && condition.terms.size() > 1) {
    return Error::Validation("Query key condition not supported");
  }
  if (condition.terms.size() > attributes) {
    return Error::Validation(
        StrCat("The number of query conditions (", condition.terms.size(),
               ") exceeds the number of key attributes defined in the schema (", attributes, ")"));
  }
  std::string components;
  size_t used = 0;
  for (const KeyAttribute& attribute : hash) {
    const KeyCondition::Term* term = FindTerm(condition, attribute.name);
    if (term == nullptr) {
      return MissedElement(attribute.name);
    }
    RETURN_IF_ERROR(CheckTermTypes(*term, attribute));
    if (term->op != Operator::kEqual) {
      return Error::Validation("Query key condition not supported");
    }
    RETURN_IF_ERROR(CheckTableKeyValue(attribute.name, term->values.front().view(), true));
    AppendKeyComponent(components, term->values.front().view());
    ++used;
  }
  AppendPartitionPrefix(plan.lower, plan.table->id, plan.index_id(), components);
  plan.upper = PrefixSuccessor(plan.lower);
  for (const KeyAttribute& attribute : range) {
    if (used == condition.terms.size()) {
      break;
    }
    const KeyCondition::Term* term = FindTerm(condition, attribute.name);
    if (term == nullptr) {
      return MissedElement(attribute.name);
    }
    RETURN_IF_ERROR(CheckTermTypes(*term, attribute));
    for (const Value& value : term->values) {
      RETURN_IF_ERROR(CheckTableKeyValue(attribute.name, value.view(), false));
    }
    ++used;
    if (term->op != Operator::kEqual && used != condition.terms.size()) {
      return Error::Validation("Query key condition not supported");
    }
    const std::string prefix = plan.lower;
    ApplyRangeTerm(plan, prefix, *term);
  }
  if (used != condition.terms.size()) {
    return Error::Validation("Query key condition not supported");
  }
  return OkStatus();
}

Status CheckFilter(const PagePlan& plan, const ReadOptions& options) {
  std::string offending;
  options.filter->VisitPaths([&](const Path& path) {
    const auto is_key = [&](const std::vector<KeyAttribute>& attributes) {
      return std::any_of(attributes.begin(), attributes.end(), [&](const KeyAttribute& attribute) {
        return attribute.name == path.attribute();
      });
    };
    if (offending.empty() && (is_key(plan.IndexHash()) || is_key(plan.IndexRange()))) {
      offending = path.attribute();
    }
  });
  if (!offending.empty()) {
    return Error::Validation(StrCat(options.legacy_filter ? "QueryFilter" : "Filter Expression",
                                    " can only contain non-primary key attributes: Primary key "
                                    "attribute: ",
                                    offending));
  }
  if (plan.index != nullptr) {
    // Of a local index too, although it could fetch them as it does for a projection.
    std::vector<std::string> missing;
    options.filter->VisitPaths(
        [&](const Path& path) { plan.index->NoteUnprojected(path, missing); });
    if (!missing.empty()) {
      return Error::Validation(StrCat("One or more parameter values were invalid: Secondary index ",
                                      plan.index->definition.name,
                                      " does not project one or more filter attributes: [",
                                      StrJoin(missing, ", "), "]"));
    }
  }
  return OkStatus();
}

Status ApplyStartKey(PagePlan& plan, const QueryRequest& request) {
  ASSIGN_OR_RETURN(
      const std::string key,
      EncodeStartKey(plan, request.options.exclusive_start_key->view(), kStartKeyInvalid));
  if (key < plan.lower || key >= plan.upper) {
    const bool has_range_term = request.key_condition.terms.size() > plan.IndexHash().size();
    return Error::Validation(
        has_range_term ? "The provided starting key does not match the range key predicate"
                       : "The provided starting key is outside query boundaries based on provided "
                         "conditions");
  }
  StartAfter(plan, key);
  return OkStatus();
}

Result<PagePlan> PlanQuery(Core& core, const QueryRequest& request) {
  ASSIGN_OR_RETURN(PagePlan plan, PlanPage(core, request.table, request.options));
  plan.forward = request.forward != plan.descending();
  RETURN_IF_ERROR(ApplyKeyCondition(plan, request.key_condition));
  if (request.options.filter) {
    RETURN_IF_ERROR(CheckFilter(plan, request.options));
  }
  if (request.options.exclusive_start_key) {
    RETURN_IF_ERROR(ApplyStartKey(plan, request));
  }
  return plan;
}

}  // namespace

void Query(Core& core, QueryRequest request, ReadOn where, Done<ReadResponse> done) {
  Result<PagePlan> plan = PlanQuery(core, request);
  if (!plan.ok()) {
    done(std::move(plan).error());
    return;
  }
  RunInSteps(core, PageRead(core, *std::move(plan), std::move(request.options)), where,
             std::move(done));
}

}  // namespace tintype::tables::engine
