#include "tables/language/expressions/update.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <span>
#include <string_view>

#include "tables/language/faults.h"
#include "tables/language/limits.h"
#include "tables/language/values/item_size.h"

namespace tintype::tables {
namespace {

Error WrongType() {
  return Error::Validation("An operand in the update expression has an incorrect data type");
}
Error WrongTypeToUpdate(const Update& update) {
  return update.legacy ? Error::Validation("Type mismatch for attribute to update") : WrongType();
}
Error MissingAttribute() {
  return Error::Validation(
      "The provided expression refers to an attribute that does not exist in the item");
}
Error InvalidPath() {
  return Error::Validation(
      "The document path provided in the update expression is invalid for update");
}
Error TooDeep() {
  return {reasons::kNestedTooDeep,
          "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
          "levels beyond supported limit"};
}

enum class Clause { kSet, kRemove, kAdd, kDelete };

template <typename Visitor>
void VisitWrittenPaths(const Update& update, const Visitor& visit) {
  for (const Update::Set& set : update.sets) {
    visit(set.path, Clause::kSet);
  }
  for (const Path& path : update.removes) {
    visit(path, Clause::kRemove);
  }
  for (const Update::Add& add : update.adds) {
    visit(add.path, Clause::kAdd);
  }
  for (const Update::Delete& del : update.deletes) {
    visit(del.path, Clause::kDelete);
  }
}

// One change: the value to put at a path, or nothing to remove what is there.
struct Write {
  const Path* path;
  std::optional<std::string_view> value;
};

// Where a path would write.
enum class TargetState { kFits, kMissing, kWrongType };

TargetState FindPlace(const Path& path, MapView item) {
  if (path.is_top_level()) {
    return TargetState::kFits;
  }
  std::optional<ValueView> parent = item.Find(path.attribute());
  for (size_t i = 1; parent; ++i) {
    const PathStep& step = path.steps[i];
    if (parent->type() != (step.is_index ? Type::kList : Type::kMap)) {
      return TargetState::kWrongType;
    }
    if (i + 1 == path.steps.size()) {
      return TargetState::kFits;
    }
    parent = step.is_index ? parent->AsList().At(step.index) : parent->AsMap().Find(step.name);
  }
  return TargetState::kMissing;
}

// Works out all writes of an update from the item as it was. Values are views of the item, of the
// update's literals, or of the evaluation's own storage.
//
// An update may be wrong in several ways at once. DynamoDB reports paths through values that are no
// documents first, then operands of the wrong type, then paths through what is not there, then
// missing attributes, then numbers out of range; so some are kept until the end.
class Evaluation {
 public:
  /// `item` is the key alone if there is no item yet.
  Evaluation(MapView item, bool exists) : item_(item), exists_(exists) {}

  Status Add(const Update& update) {
    bool through_wrong_type = false;
    bool through_missing = false;
    VisitWrittenPaths(update, [&](const Path& path, Clause clause) {
      // There is nothing to remove from an item that does not exist, so that DynamoDB does not ask
      // where the path leads.
      if (clause == Clause::kRemove && !exists_) {
        return;
      }
      const TargetState place = FindPlace(path, item_);
      through_wrong_type = through_wrong_type || place == TargetState::kWrongType;
      through_missing = through_missing || place == TargetState::kMissing;
    });
    if (through_wrong_type) {
      return InvalidPath();
    }
    for (const Update::Set& set : update.sets) {
      ASSIGN_OR_RETURN(const std::optional<std::string_view> value, Evaluate(set.value));
      if (value) {
        writes_.push_back({&set.path, value});
      }
    }
    for (const Path& path : update.removes) {
      if (exists_ || path.is_top_level()) {
        writes_.push_back({&path, std::nullopt});
      }
    }
    for (const Update::Add& add : update.adds) {
      RETURN_IF_ERROR(EvaluateAdd(update, add));
    }
    for (const Update::Delete& del : update.deletes) {
      RETURN_IF_ERROR(EvaluateDelete(update, del));
    }
    if (through_missing) {
      return InvalidPath();
    }
    if (attribute_missing_) {
      return MissingAttribute();
    }
    return arithmetic_error_ ? Status(*arithmetic_error_) : OkStatus();
  }

  std::vector<Write>& writes() { return writes_; }

 private:
  using MaybeBytes = std::optional<std::string_view>;

  // Nothing if there is no value, for a reason that has been kept.
  Result<MaybeBytes> Evaluate(const UpdateOperand& operand) {
    switch (operand.kind) {
      case UpdateOperand::Kind::kValue:
        return MaybeBytes(operand.value->encoded());
      case UpdateOperand::Kind::kPath:
        if (const std::optional<ValueView> found = operand.path.Find(item_)) {
          return MaybeBytes(found->encoded());
        }
        attribute_missing_ = true;
        return MaybeBytes();
      case UpdateOperand::Kind::kIfNotExists:
        if (const std::optional<ValueView> found = operand.path.Find(item_)) {
          return MaybeBytes(found->encoded());
        }
        return Evaluate(operand.operands[0]);
      case UpdateOperand::Kind::kListAppend:
        return EvaluatePair(operand, Type::kList);
      case UpdateOperand::Kind::kPlus:
      case UpdateOperand::Kind::kMinus:
        return EvaluatePair(operand, Type::kNumber);
    }
    return MaybeBytes();
  }

  Result<MaybeBytes> EvaluatePair(const UpdateOperand& operand, Type type) {
    ASSIGN_OR_RETURN(const MaybeBytes left, Evaluate(operand.operands[0]));
    if (left && ValueView(*left).type() != type) {
      return WrongType();
    }
    ASSIGN_OR_RETURN(const MaybeBytes right, Evaluate(operand.operands[1]));
    // A missing left operand is reported, whatever the right one is.
    if (left && right && ValueView(*right).type() != type) {
      return WrongType();
    }
    if (!left || !right) {
      return MaybeBytes();
    }
    if (type == Type::kList) {
      return Append(ValueView(*left), ValueView(*right));
    }
    const Number a = ValueView(*left).AsNumber();
    const Number b = ValueView(*right).AsNumber();
    return StoreNumber(operand.kind == UpdateOperand::Kind::kPlus ? Number::Add(a, b)
                                                                  : Number::Subtract(a, b));
  }

  Status EvaluateAdd(const Update& update, const Update::Add& add) {
    const ValueView value = add.value.view();
    const std::optional<ValueView> old = add.path.Find(item_);
    if (!old) {
      writes_.push_back({&add.path, value.encoded()});
      return OkStatus();
    }
    if (old->type() != value.type()) {
      return WrongTypeToUpdate(update);
    }
    MaybeBytes result;
    if (value.type() == Type::kNumber) {
      result = StoreNumber(Number::Add(old->AsNumber(), value.AsNumber()));
    } else if (IsSet(value.type())) {
      std::vector<std::string_view> members;
      std::set_union(old->AsSet().begin(), old->AsSet().end(), value.AsSet().begin(),
                     value.AsSet().end(), std::back_inserter(members));
      result = StoreSet(value.type(), members);
    } else if (value.type() == Type::kList) {
      // Only the legacy parameter can ask for this.
      ASSIGN_OR_RETURN(result, Append(*old, value));
    } else {
      return WrongTypeToUpdate(update);
    }
    if (result) {
      writes_.push_back({&add.path, result});
    }
    return OkStatus();
  }

  Status EvaluateDelete(const Update& update, const Update::Delete& del) {
    const ValueView value = del.value.view();
    const std::optional<ValueView> old = del.path.Find(item_);
    if (!old) {
      return OkStatus();
    }
    if (old->type() != value.type() || !IsSet(value.type())) {
      return WrongTypeToUpdate(update);
    }
    std::vector<std::string_view> members;
    std::set_difference(old->AsSet().begin(), old->AsSet().end(), value.AsSet().begin(),
                        value.AsSet().end(), std::back_inserter(members));
    // There are no empty sets, so with its last member the attribute goes too.
    writes_.push_back(
        {&del.path, members.empty() ? MaybeBytes() : MaybeBytes(StoreSet(value.type(), members))});
    return OkStatus();
  }

  // Nested calls could make a small request build a long row of growing lists, so that what does
  // not fit an item ends here already.
  Result<MaybeBytes> Append(ValueView first, ValueView second) {
    stored_bytes_ += first.payload().size() + second.payload().size();
    if (stored_bytes_ > kStoredBytesMax) {
      return ItemTooLarge(SizedItem::kUpdated);
    }
    std::string& out = storage_.emplace_back();
    ValueWriter writer(out);
    writer.OpenList();
    writer.Encoded(first.payload());
    writer.Encoded(second.payload());
    writer.CloseList();
    return MaybeBytes(out);
  }

  std::string_view StoreSet(Type type, const std::vector<std::string_view>& members) {
    std::string& out = storage_.emplace_back();
    const Status written =
        ValueWriter(out).Set(type, std::vector<std::string>(members.begin(), members.end()));
    CHECK(written.ok());
    return out;
  }

  MaybeBytes StoreNumber(const Result<Number>& number) {
    if (!number.ok()) {
      arithmetic_error_ = number.error();
      return std::nullopt;
    }
    std::string& out = storage_.emplace_back();
    ValueWriter(out).OfNumber(*number);
    return out;
  }

  MapView item_;
  bool exists_;
  std::vector<Write> writes_;
  // All lists that one update builds, intermediate ones included: several times what an item holds.
  static constexpr size_t kStoredBytesMax = 8 * limits::kItemBytes;

  std::deque<std::string> storage_;  // A deque, because views of its strings must stay valid.
  size_t stored_bytes_ = 0;
  bool attribute_missing_ = false;
  std::optional<Error> arithmetic_error_;
};

bool SortsBefore(const Write& a, const Write& b) {
  return std::lexicographical_compare(
      a.path->steps.begin(), a.path->steps.end(), b.path->steps.begin(), b.path->steps.end(),
      [](const PathStep& x, const PathStep& y) {
        return x.is_index && y.is_index ? x.index < y.index : x.name < y.name;
      });
}

Status CheckDepth(const std::vector<Write>& writes) {
  for (const Write& write : writes) {
    if (write.value &&
        static_cast<int>(write.path->steps.size()) - 1 + NestingLevels(ValueView(*write.value)) >
            limits::kNestingLevels) {
      return TooDeep();
    }
  }
  return OkStatus();
}

// The writes that share their step at `depth` with the first, which they then have in front. Writes
// are sorted, and none is in another's way.
std::span<const Write> TakeGroup(std::span<const Write>& writes, size_t depth) {
  const PathStep& step = writes.front().path->steps[depth];
  size_t count = 1;
  while (count < writes.size() && writes[count].path->steps[depth] == step) {
    ++count;
  }
  const std::span<const Write> group = writes.first(count);
  writes = writes.subspan(count);
  return group;
}

void Rebuild(ValueView old, std::span<const Write> writes, size_t depth, ValueWriter& writer);

// Writes what a group of writes makes of the value it is about. `name` is null in lists.
void WriteChanged(const std::string_view* name, const std::optional<ValueView>& old,
                  std::span<const Write> group, size_t depth, ValueWriter& writer) {
  const Write& first = group.front();
  const bool here = first.path->steps.size() == depth + 1;
  if (here && !first.value) {
    return;
  }
  if (name != nullptr) {
    writer.Name(*name);
  }
  if (here) {
    writer.Encoded(*first.value);
  } else {
    Rebuild(*old, group, depth + 1, writer);
  }
}

// Merges the old entries with the writes; both are sorted by name.
void RebuildEntries(MapView old, std::span<const Write> writes, size_t depth, ValueWriter& writer) {
  auto entry = old.begin();
  while (entry != old.end() || !writes.empty()) {
    const std::string_view wanted = writes.empty()
                                        ? std::string_view()
                                        : std::string_view(writes.front().path->steps[depth].name);
    if (entry == old.end()) {
      WriteChanged(&wanted, std::nullopt, TakeGroup(writes, depth), depth, writer);
      continue;
    }
    const auto [name, value] = *entry;
    if (!writes.empty() && wanted < name) {
      WriteChanged(&wanted, std::nullopt, TakeGroup(writes, depth), depth, writer);
      continue;
    }
    if (!writes.empty() && wanted == name) {
      WriteChanged(&name, value, TakeGroup(writes, depth), depth, writer);
    } else {
      writer.Name(name);
      writer.Encoded(value.encoded());
    }
    ++entry;
  }
}

void RebuildMembers(ListView old, std::span<const Write> writes, size_t depth,
                    ValueWriter& writer) {
  uint32_t index = 0;
  for (const ValueView member : old) {
    if (!writes.empty() && writes.front().path->steps[depth].index == index) {
      WriteChanged(nullptr, member, TakeGroup(writes, depth), depth, writer);
    } else {
      writer.Encoded(member.encoded());
    }
    ++index;
  }
  // Past the end there are no gaps: new members follow one another in the order of their indexes.
  while (!writes.empty()) {
    WriteChanged(nullptr, std::nullopt, TakeGroup(writes, depth), depth, writer);
  }
}

void Rebuild(ValueView old, std::span<const Write> writes, size_t depth, ValueWriter& writer) {
  if (old.type() == Type::kMap) {
    writer.OpenMap();
    RebuildEntries(old.AsMap(), writes, depth, writer);
    writer.CloseMap();
  } else {
    writer.OpenList();
    RebuildMembers(old.AsList(), writes, depth, writer);
    writer.CloseList();
  }
}

}  // namespace

std::vector<Path> Update::WrittenPaths() const {
  std::vector<Path> paths;
  paths.reserve(sets.size() + removes.size() + adds.size() + deletes.size());
  VisitWrittenPaths(*this, [&](const Path& path, Clause /*clause*/) { paths.push_back(path); });
  return paths;
}

std::vector<Path> Update::KeptPaths() const {
  std::vector<Path> paths;
  for (const Set& set : sets) {
    paths.push_back(set.path);
  }
  for (const Add& add : adds) {
    paths.push_back(add.path);
  }
  for (const Delete& del : deletes) {
    paths.push_back(del.path);
  }
  // Where a member of a list was, the next one has moved to, which DynamoDB shows.
  for (const Path& path : removes) {
    if (path.steps.back().is_index) {
      paths.push_back(path);
    }
  }
  return paths;
}

Result<Item> Update::Apply(MapView old_item, MapView key) const {
  const bool exists = !old_item.empty();
  const MapView base = exists ? old_item : key;
  Evaluation evaluation(base, exists);
  RETURN_IF_ERROR(evaluation.Add(*this));
  std::vector<Write>& writes = evaluation.writes();
  RETURN_IF_ERROR(CheckDepth(writes));
  std::sort(writes.begin(), writes.end(), SortsBefore);

  std::string payload;
  payload.reserve(base.payload().size() + 64);
  ValueWriter writer(payload);
  writer.OpenItem();
  RebuildEntries(base, writes, 0, writer);
  writer.CloseItem();
  return Item(std::move(payload));
}

}  // namespace tintype::tables
