#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "tables/language/values/number.h"

/// Attribute values in the form in which they are stored. docs/formats/values.md describes the
/// bytes.
///
/// The encoding is canonical: maps are sorted by name, sets are sorted and free of duplicates,
/// numbers are normalised. Two values are equal in DynamoDB's sense if and only if their bytes are.
///
/// Views do not own: they are valid while the bytes that they were made from are.
namespace tintype::tables {

enum class Type : uint8_t {
  kString = 1,
  kNumber = 2,
  kBinary = 3,
  kStringSet = 4,
  kNumberSet = 5,
  kBinarySet = 6,
  kList = 7,
  kMap = 8,
  kNull = 9,
  kBool = 10,
};

/// DynamoDB's name of a type: S, N, B, SS, NS, BS, L, M, NULL, BOOL.
std::string_view TypeName(Type type);
std::optional<Type> TypeFromName(std::string_view name);
inline bool IsSet(Type type) { return type >= Type::kStringSet && type <= Type::kBinarySet; }
/// The type of a set's members. REQUIRES: IsSet(set_type).
Type SetMemberType(Type set_type);

/// Variable-length unsigned integers, seven bits a byte, low bits first.
void AppendVarint(std::string& out, uint64_t number);
/// Reads one off the front. Returns nullopt when the bytes end too early, or are not what
/// AppendVarint writes.
std::optional<uint64_t> ReadVarint(std::string_view& in);

namespace internal {

/// Reads a length off the front of bytes that are known to be well formed. Reading an item is
/// mostly this, and nearly all lengths fit two bytes, so those cases are inlined.
inline size_t ReadLength(std::string_view& in) {
  if (!in.empty() && static_cast<uint8_t>(in[0]) < 0x80) {
    const auto length = static_cast<uint8_t>(in[0]);
    in.remove_prefix(1);
    return length;
  }
  if (in.size() >= 2 && static_cast<uint8_t>(in[1]) < 0x80) {
    const size_t length =
        (static_cast<uint8_t>(in[0]) & 0x7FU) | (size_t{static_cast<uint8_t>(in[1])} << 7);
    in.remove_prefix(2);
    return length;
  }
  // On a copy: a value whose address is taken cannot stay in registers, not even in the loops that
  // never come here.
  std::string_view rest = in;
  const std::optional<uint64_t> length = ReadVarint(rest);
  CHECK(length);
  in = rest;
  return *length;
}

/// Reads a length and that many bytes off the front.
inline std::string_view ReadBytes(std::string_view& in) {
  const size_t length = ReadLength(in);
  CHECK(length <= in.size());
  const std::string_view bytes(in.data(), length);
  in.remove_prefix(length);
  return bytes;
}

// Tags from this one on are the whole value; those below are followed by a length and a payload.
inline constexpr uint8_t kNullTag = 9;
inline constexpr uint8_t kFalseTag = 10;
inline constexpr uint8_t kTrueTag = 11;

}  // namespace internal

class ListView;
class MapView;
class SetView;

/// One encoded value.
class ValueView {
 public:
  /// REQUIRES: `encoded` starts with a well-formed value; extra bytes after it are left out.
  explicit ValueView(std::string_view encoded) : data_(encoded.data()) {
    CHECK(!encoded.empty());
    std::string_view rest(encoded.data() + 1, encoded.size() - 1);
    size_t payload_bytes = 0;
    if (static_cast<uint8_t>(encoded.front()) < internal::kNullTag) {
      payload_bytes = internal::ReadLength(rest);
      CHECK(payload_bytes <= rest.size());
    }
    sizes_ = (payload_bytes << kHeaderBits) | (encoded.size() - rest.size());
  }

  Type type() const {
    const auto tag = static_cast<uint8_t>(*data_);
    return tag == internal::kTrueTag ? Type::kBool : static_cast<Type>(tag);
  }
  /// The bytes of the whole value, tag included.
  std::string_view encoded() const { return {data_, header_bytes() + payload_bytes()}; }
  /// What follows tag and length: the text of S, the bytes of B, the stored form of N, the members
  /// of sets, lists and maps.
  std::string_view payload() const { return {data_ + header_bytes(), payload_bytes()}; }

  bool AsBool() const {  ///< REQUIRES: type() == kBool.
    return static_cast<uint8_t>(*data_) == internal::kTrueTag;
  }
  std::string_view AsString() const { return payload(); }  ///< REQUIRES: kString or kBinary.
  Number AsNumber() const;                                 ///< REQUIRES: kNumber.
  ListView AsList() const;                                 ///< REQUIRES: kList.
  MapView AsMap() const;                                   ///< REQUIRES: kMap.
  SetView AsSet() const;                                   ///< REQUIRES: IsSet(type()).

  bool operator==(const ValueView& other) const { return encoded() == other.encoded(); }

 private:
  friend class MapView;  // Its iterator has none before it reads the first.
  ValueView() = default;

  // Two words, so that a view travels in registers. A header is a tag and a length of ten bytes at
  // the most; no value comes near the 2^60 bytes that are left for the payload.
  static constexpr int kHeaderBits = 4;
  size_t header_bytes() const { return sizes_ & ((1U << kHeaderBits) - 1); }
  size_t payload_bytes() const { return sizes_ >> kHeaderBits; }
  const char* data_ = nullptr;
  uint64_t sizes_ = 0;
};

/// Members of a list, in order.
class ListView {
 public:
  explicit ListView(std::string_view payload) : payload_(payload) {}

  class Iterator {
   public:
    using value_type = ValueView;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = value_type;
    explicit Iterator(std::string_view rest) : rest_(rest) {}
    ValueView operator*() const { return ValueView(rest_); }
    Iterator& operator++() {
      rest_.remove_prefix(ValueView(rest_).encoded().size());
      return *this;
    }
    bool operator==(const Iterator& other) const { return rest_.size() == other.rest_.size(); }

   private:
    std::string_view rest_;
  };

  Iterator begin() const { return Iterator(payload_); }
  Iterator end() const { return Iterator(payload_.substr(payload_.size())); }
  size_t size() const;
  std::optional<ValueView> At(size_t index) const;

 private:
  std::string_view payload_;
};

/// Members of a set, sorted: texts, stored numbers, or bytes.
class SetView {
 public:
  SetView(Type type, std::string_view payload) : type_(type), payload_(payload) {}

  class Iterator {
   public:
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = value_type;
    explicit Iterator(std::string_view rest);
    std::string_view operator*() const { return member_; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return rest_.size() == other.rest_.size(); }

   private:
    void Read();
    std::string_view rest_;  // From the current member's length on.
    std::string_view member_;
  };

  Type type() const { return type_; }
  Iterator begin() const { return Iterator(payload_); }
  Iterator end() const { return Iterator(payload_.substr(payload_.size())); }
  size_t size() const;
  bool Contains(std::string_view member) const;

 private:
  Type type_;
  std::string_view payload_;
};

/// Entries of a map, or the attributes of an item, sorted by name.
class MapView {
 public:
  MapView() = default;
  explicit MapView(std::string_view payload) : payload_(payload) {}

  struct Entry {
    std::string_view name;
    ValueView value;
  };
  class Iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = value_type;
    explicit Iterator(std::string_view rest) : rest_(rest) { Read(); }
    Entry operator*() const { return {name_, value_}; }
    Iterator& operator++() {
      rest_ = next_;
      Read();
      return *this;
    }
    bool operator==(const Iterator& other) const { return rest_.size() == other.rest_.size(); }

   private:
    // Each entry is read once, however often it is looked at.
    void Read() {
      if (!rest_.empty()) {
        next_ = rest_;
        name_ = internal::ReadBytes(next_);
        value_ = ValueView(next_);
        next_.remove_prefix(value_.encoded().size());
      }
    }

    std::string_view rest_;  // From the current entry on.
    std::string_view next_;  // From the one after it on.
    std::string_view name_;
    ValueView value_;
  };

  Iterator begin() const { return Iterator(payload_); }
  Iterator end() const { return Iterator(payload_.substr(payload_.size())); }
  bool empty() const { return payload_.empty(); }
  size_t size() const;
  std::optional<ValueView> Find(std::string_view name) const;
  std::string_view payload() const { return payload_; }

 private:
  std::string_view payload_;
};

/// An owned encoded value. Never empty once made by one of the factories.
class Value {
 public:
  static Value String(std::string_view text);
  static Value Binary(std::string_view bytes);
  static Value OfNumber(const Number& number);
  static Value Integer(int64_t number) { return OfNumber(Number(number)); }
  static Value Bool(bool value);
  static Value Null();
  /// Sorts; a duplicate member or an empty set is a ValidationException. Members of a number set
  /// are given in their stored form.
  static Result<Value> Set(Type set_type, std::vector<std::string> members);
  static Value List(const std::vector<Value>& members);
  static Value Copy(ValueView view) { return Value(std::string(view.encoded())); }
  static Value Map(const class Item& entries);

  ValueView view() const { return ValueView(encoded_); }
  Type type() const { return view().type(); }
  const std::string& encoded() const { return encoded_; }
  bool operator==(const Value&) const = default;

 private:
  friend class ValueWriter;
  explicit Value(std::string encoded) : encoded_(std::move(encoded)) {}
  std::string encoded_;
};

/// An item: owned bytes of a map's payload, with a typed view. Empty items are legal values (a
/// projection may leave nothing).
class Item {
 public:
  Item() = default;
  /// REQUIRES: `payload` is a well-formed map payload (see CheckEncodedItem for untrusted bytes).
  explicit Item(std::string payload) : payload_(std::move(payload)) {}
  static Item Copy(MapView view) { return Item(std::string(view.payload())); }
  /// Later entries of the same name win. For code that builds items by hand.
  static Item Of(std::vector<std::pair<std::string, Value>> entries);

  MapView view() const { return MapView(payload_); }
  const std::string& payload() const { return payload_; }
  std::optional<ValueView> Find(std::string_view name) const { return view().Find(name); }
  bool empty() const { return payload_.empty(); }
  bool operator==(const Item&) const = default;

 private:
  std::string payload_;
};

/// Writes canonical encodings front to back into a buffer; nested containers are opened and closed.
/// Names and set members may come in any order: Close sorts them.
///
///   ValueWriter writer(out);
///   writer.OpenMap();  writer.Name("a");  writer.String("x");  writer.CloseMap();
///
/// Not thread-safe. Duplicate names in a map: the last one wins.
class ValueWriter {
 public:
  explicit ValueWriter(std::string& out) : out_(out) {}

  void String(std::string_view text) { Scalar(Type::kString, text); }
  void Binary(std::string_view bytes) { Scalar(Type::kBinary, bytes); }
  void OfNumber(const Number& number);
  void Bool(bool value);
  void Null();
  /// An already encoded value.
  void Encoded(std::string_view encoded) { out_.append(encoded); }
  void OpenList() { Open(Type::kList); }
  void CloseList() { Close(); }
  void OpenMap() { Open(Type::kMap); }
  /// The name of the entry whose value is written next. REQUIRES: a map is open.
  void Name(std::string_view name);
  void CloseMap();
  /// A set from its members; see Value::Set.
  Status Set(Type set_type, std::vector<std::string> members);
  /// An item's payload: a map without tag and length.
  void OpenItem();
  void CloseItem();

 private:
  struct Frame {
    Type type;
    size_t start;                 // Where the container's tag stands, or would stand.
    std::vector<size_t> entries;  // Where each entry of a map begins.
  };
  void Scalar(Type type, std::string_view payload);
  void Open(Type type);
  void Close();
  void SortEntries(Frame& frame);

  std::string& out_;
  std::vector<Frame> frames_;
};

/// Checks bytes from outside (a file, a network peer) before views are made over them.
Status CheckEncodedItem(std::string_view payload);

/// What DynamoDB counts for an item, a value, an attribute with its name.
size_t ItemSizeBytes(MapView item);
size_t ValueSizeBytes(ValueView value);

/// How deep a value is nested: 1 for scalars and sets, more for lists and maps.
int NestingLevels(ValueView value);

}  // namespace tintype::tables
