#include "tables/language/values/value.h"

#include <algorithm>
#include <array>

#include "tables/language/faults.h"
#include "tables/language/limits.h"

namespace tintype::tables {
namespace {

using internal::kFalseTag;
using internal::kNullTag;
using internal::kTrueTag;
using internal::ReadBytes;

constexpr std::array<std::string_view, 11> kTypeNames = {"",   "S", "N", "B",    "SS",  "NS",
                                                         "BS", "L", "M", "NULL", "BOOL"};

void AppendBytes(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

}  // namespace

void AppendVarint(std::string& out, uint64_t number) {
  while (number >= 0x80) {
    out.push_back(static_cast<char>(number | 0x80));
    number >>= 7;
  }
  out.push_back(static_cast<char>(number));
}

std::optional<uint64_t> ReadVarint(std::string_view& in) {
  uint64_t number = 0;
  for (unsigned shift = 0, i = 0; i < in.size() && shift < 64; ++i, shift += 7) {
    const auto byte = static_cast<uint8_t>(in[i]);
    number |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      // Each number is written in one way only: no zeros in front, no bits that fall off.
      if ((byte == 0 && i > 0) || (shift == 63 && byte > 1)) {
        return std::nullopt;
      }
      in.remove_prefix(i + 1);
      return number;
    }
  }
  return std::nullopt;
}

std::string_view TypeName(Type type) { return kTypeNames[static_cast<size_t>(type)]; }

std::optional<Type> TypeFromName(std::string_view name) {
  for (size_t i = 1; i < kTypeNames.size(); ++i) {
    if (kTypeNames[i] == name) {
      return static_cast<Type>(i);
    }
  }
  return std::nullopt;
}

Type SetMemberType(Type set_type) {
  CHECK(IsSet(set_type));
  return static_cast<Type>(static_cast<uint8_t>(set_type) - 3);
}

Number ValueView::AsNumber() const { return Number::FromStored(payload()); }
ListView ValueView::AsList() const { return ListView(payload()); }
MapView ValueView::AsMap() const { return MapView(payload()); }
SetView ValueView::AsSet() const { return SetView(type(), payload()); }

size_t ListView::size() const { return static_cast<size_t>(std::distance(begin(), end())); }

std::optional<ValueView> ListView::At(size_t index) const {
  for (const ValueView member : *this) {
    if (index-- == 0) {
      return member;
    }
  }
  return std::nullopt;
}

SetView::Iterator::Iterator(std::string_view rest) : rest_(rest) { Read(); }

SetView::Iterator& SetView::Iterator::operator++() {
  ReadBytes(rest_);
  Read();
  return *this;
}

void SetView::Iterator::Read() {
  if (!rest_.empty()) {
    std::string_view rest = rest_;
    member_ = ReadBytes(rest);
  }
}

size_t SetView::size() const { return static_cast<size_t>(std::distance(begin(), end())); }

bool SetView::Contains(std::string_view member) const {
  return std::find(begin(), end(), member) != end();
}

size_t MapView::size() const { return static_cast<size_t>(std::distance(begin(), end())); }

std::optional<ValueView> MapView::Find(std::string_view name) const {
  std::string_view rest = payload_;
  while (!rest.empty()) {
    const std::string_view entry_name = ReadBytes(rest);
    const ValueView value(rest);
    if (const int order = entry_name.compare(name); order >= 0) {
      return order == 0 ? std::optional(value) : std::nullopt;
    }
    rest.remove_prefix(value.encoded().size());
  }
  return std::nullopt;
}

Value Value::String(std::string_view text) {
  std::string out;
  ValueWriter(out).String(text);
  return Value(std::move(out));
}

Value Value::Binary(std::string_view bytes) {
  std::string out;
  ValueWriter(out).Binary(bytes);
  return Value(std::move(out));
}

Value Value::OfNumber(const Number& number) {
  std::string out;
  ValueWriter(out).OfNumber(number);
  return Value(std::move(out));
}

Value Value::Bool(bool value) {
  std::string out;
  ValueWriter(out).Bool(value);
  return Value(std::move(out));
}

Value Value::Null() {
  std::string out;
  ValueWriter(out).Null();
  return Value(std::move(out));
}

Result<Value> Value::Set(Type set_type, std::vector<std::string> members) {
  std::string out;
  RETURN_IF_ERROR(ValueWriter(out).Set(set_type, std::move(members)));
  return Value(std::move(out));
}

Value Value::List(const std::vector<Value>& members) {
  std::string out;
  ValueWriter writer(out);
  writer.OpenList();
  for (const Value& member : members) {
    writer.Encoded(member.encoded());
  }
  writer.CloseList();
  return Value(std::move(out));
}

Value Value::Map(const Item& entries) {
  std::string out(1, static_cast<char>(Type::kMap));
  AppendBytes(out, entries.payload());
  return Value(std::move(out));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): made for this call by whoever calls it.
Item Item::Of(std::vector<std::pair<std::string, Value>> entries) {
  std::string out;
  ValueWriter writer(out);
  writer.OpenItem();
  for (const auto& [name, value] : entries) {
    writer.Name(name);
    writer.Encoded(value.encoded());
  }
  writer.CloseItem();
  return Item(std::move(out));
}

void ValueWriter::Scalar(Type type, std::string_view payload) {
  out_.push_back(static_cast<char>(type));
  AppendBytes(out_, payload);
}

void ValueWriter::OfNumber(const Number& number) {
  out_.push_back(static_cast<char>(Type::kNumber));
  // A stored number has at most 22 bytes, so its length takes one byte and can be filled in after.
  const size_t length_at = out_.size();
  out_.push_back(0);
  number.AppendStored(out_);
  out_[length_at] = static_cast<char>(out_.size() - length_at - 1);
}

void ValueWriter::Bool(bool value) {
  out_.push_back(static_cast<char>(value ? kTrueTag : kFalseTag));
}

void ValueWriter::Null() { out_.push_back(static_cast<char>(kNullTag)); }

void ValueWriter::Open(Type type) { frames_.push_back({type, out_.size(), {}}); }

void ValueWriter::OpenItem() { Open(Type::kMap); }

void ValueWriter::Name(std::string_view name) {
  CHECK(!frames_.empty() && frames_.back().type == Type::kMap);
  frames_.back().entries.push_back(out_.size());
  AppendBytes(out_, name);
}

void ValueWriter::SortEntries(Frame& frame) {
  struct Entry {
    std::string_view name;
    std::string_view bytes;
  };
  const std::string_view all = out_;
  std::vector<Entry> entries;
  entries.reserve(frame.entries.size());
  bool sorted = true;
  for (size_t i = 0; i < frame.entries.size(); ++i) {
    const size_t from = frame.entries[i];
    const size_t to = i + 1 < frame.entries.size() ? frame.entries[i + 1] : all.size();
    const std::string_view bytes = all.substr(from, to - from);
    std::string_view rest = bytes;
    entries.push_back({ReadBytes(rest), bytes});
    sorted = sorted && (i == 0 || entries[i - 1].name < entries[i].name);
  }
  if (sorted) {
    return;
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.name < b.name; });
  std::string result;
  result.reserve(all.size() - frame.start);
  for (size_t i = 0; i < entries.size(); ++i) {
    // Of equal names the last one written wins; the sort kept their order.
    if (i + 1 == entries.size() || entries[i].name != entries[i + 1].name) {
      result.append(entries[i].bytes);
    }
  }
  out_.resize(frame.start);
  out_.append(result);
}

void ValueWriter::Close() {
  const Frame& frame = frames_.back();
  std::string header(1, static_cast<char>(frame.type));
  AppendVarint(header, out_.size() - frame.start);
  out_.insert(frame.start, header);
  frames_.pop_back();
}

void ValueWriter::CloseMap() {
  CHECK(!frames_.empty());
  SortEntries(frames_.back());
  Close();
}

void ValueWriter::CloseItem() {
  CHECK(frames_.size() == 1);
  SortEntries(frames_.back());
  frames_.pop_back();
}

Status ValueWriter::Set(Type set_type, std::vector<std::string> members) {
  CHECK(IsSet(set_type));
  if (members.empty()) {
    return Error::Validation("One or more parameter values were invalid: An set  may not be empty");
  }
  std::sort(members.begin(), members.end());
  if (std::adjacent_find(members.begin(), members.end()) != members.end()) {
    return Error(reasons::kDuplicateMembers,
                 "One or more parameter values were invalid: Input collection contains duplicates");
  }
  Open(set_type);
  for (const std::string& member : members) {
    AppendBytes(out_, member);
  }
  Close();
  return OkStatus();
}

namespace {

Error Damaged() { return Error::Corruption("An encoded item is damaged"); }

// Checks one value at the front of `in` and removes it.
Status CheckValue(std::string_view& in, int levels_left);

Status CheckNumber(std::string_view stored) {
  if (stored.empty() || static_cast<uint8_t>(stored[0]) > 2 || stored.size() > 22 ||
      (stored[0] == 1) != (stored.size() == 1)) {
    return Damaged();
  }
  if (stored.size() == 1) {
    return OkStatus();
  }
  const unsigned invert = stored[0] == 0 ? 0xFF : 0;
  const auto byte_at = [&](size_t i) { return static_cast<uint8_t>(stored[i]) ^ invert; };
  const size_t end = stored.size() - 1;
  if (end < 3 || byte_at(end) != 0) {
    return Damaged();
  }
  for (size_t i = 2; i < end; ++i) {
    if (byte_at(i) < 1 || byte_at(i) > 100) {
      return Damaged();
    }
  }
  // Neither the first digit nor the last is zero; a last byte may have its second one missing.
  return byte_at(2) > 10 && byte_at(end - 1) > 1 ? OkStatus() : Status(Damaged());
}

Status CheckMap(std::string_view payload, int levels_left) {
  std::optional<std::string_view> previous;
  while (!payload.empty()) {
    const std::optional<uint64_t> length = ReadVarint(payload);
    if (!length || *length > payload.size()) {
      return Damaged();
    }
    const std::string_view name = payload.substr(0, *length);
    payload.remove_prefix(*length);
    if (previous && *previous >= name) {
      return Damaged();
    }
    previous = name;
    RETURN_IF_ERROR(CheckValue(payload, levels_left));
  }
  return OkStatus();
}

Status CheckSet(Type type, std::string_view payload) {
  if (payload.empty()) {
    return Damaged();
  }
  std::optional<std::string_view> previous;
  while (!payload.empty()) {
    const std::optional<uint64_t> length = ReadVarint(payload);
    if (!length || *length > payload.size()) {
      return Damaged();
    }
    const std::string_view member = payload.substr(0, *length);
    payload.remove_prefix(*length);
    if (previous && *previous >= member) {
      return Damaged();
    }
    previous = member;
    if (type == Type::kNumberSet) {
      RETURN_IF_ERROR(CheckNumber(member));
    }
  }
  return OkStatus();
}

Status CheckValue(std::string_view& in, int levels_left) {
  if (in.empty() || levels_left == 0) {
    return Damaged();
  }
  const auto tag = static_cast<uint8_t>(in[0]);
  in.remove_prefix(1);
  if (tag >= kNullTag) {
    return tag <= kTrueTag ? OkStatus() : Status(Damaged());
  }
  const std::optional<uint64_t> length = ReadVarint(in);
  if (tag == 0 || !length || *length > in.size()) {
    return Damaged();
  }
  std::string_view payload = in.substr(0, *length);
  in.remove_prefix(*length);
  const Type type = static_cast<Type>(tag);
  switch (type) {
    case Type::kNumber:
      return CheckNumber(payload);
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return CheckSet(type, payload);
    case Type::kMap:
      return CheckMap(payload, levels_left - 1);
    case Type::kList:
      while (!payload.empty()) {
        RETURN_IF_ERROR(CheckValue(payload, levels_left - 1));
      }
      return OkStatus();
    default:
      return OkStatus();
  }
}

}  // namespace

Status CheckEncodedItem(std::string_view payload) {
  return CheckMap(payload, limits::kNestingLevels);
}

namespace {

// Number::SizeBytes from the stored form: its digits are stored two a byte, as they are counted.
size_t StoredNumberSizeBytes(std::string_view stored) {
  if (stored.size() == 1) {
    return 1;
  }
  const bool negative = stored.front() == 0;
  return stored.size() - 2 + (negative ? 1 : 0);
}

}  // namespace

size_t ValueSizeBytes(ValueView value) {
  switch (value.type()) {
    case Type::kString:
    case Type::kBinary:
      return value.payload().size();
    case Type::kNumber:
      return StoredNumberSizeBytes(value.payload());
    case Type::kNull:
    case Type::kBool:
      return 1;
    case Type::kStringSet:
    case Type::kBinarySet:
    case Type::kNumberSet: {
      size_t size = 0;
      for (const std::string_view member : value.AsSet()) {
        size += value.type() == Type::kNumberSet ? StoredNumberSizeBytes(member) : member.size();
      }
      return size;
    }
    // Documents cost three bytes and one per member, whatever the members are.
    case Type::kList: {
      size_t size = 3;
      for (const ValueView member : value.AsList()) {
        size += 1 + ValueSizeBytes(member);
      }
      return size;
    }
    case Type::kMap: {
      size_t size = 3;
      for (const auto& [name, member] : value.AsMap()) {
        size += 1 + name.size() + ValueSizeBytes(member);
      }
      return size;
    }
  }
  return 0;
}

size_t ItemSizeBytes(MapView item) {
  size_t size = 0;
  for (const auto& [name, value] : item) {
    size += name.size() + ValueSizeBytes(value);
  }
  return size;
}

int NestingLevels(ValueView value) {
  int deepest = 0;
  if (value.type() == Type::kList) {
    for (const ValueView member : value.AsList()) {
      deepest = std::max(deepest, NestingLevels(member));
    }
  } else if (value.type() == Type::kMap) {
    for (const auto& [name, member] : value.AsMap()) {
      deepest = std::max(deepest, NestingLevels(member));
    }
  }
  return deepest + 1;
}

}  // namespace tintype::tables
