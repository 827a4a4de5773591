#include "tables/engine/items/page.h"

#include <algorithm>

#include "base/strings.h"
#include "tables/engine/rows/capacity.h"
#include "tables/engine/rows/item_keys.h"
#include "tables/engine/storage/record.h"
#include "tables/language/limits.h"

namespace tintype::tables::engine {
namespace {

Result<bool> NeedsFetch(const IndexInfo& index, const ReadOptions& options) {
  if (index.projects_all()) {
    return false;
  }
  if (options.select == Select::kAllAttributes) {
    if (!index.local) {
      return Error::Validation(
          StrCat("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
                 "supported for global secondary index ",
                 index.definition.name, " because its projection type is not ALL"));
    }
    return true;
  }
  if (options.projection) {
    std::vector<std::string> missing;
    for (const Path& path : options.projection->paths()) {
      index.NoteUnprojected(path, missing);
    }
    if (!missing.empty() && !index.local) {
      return Error::Validation(
          StrCat("One or more parameter values were invalid: Global secondary index ",
                 index.definition.name, " does not project [", StrJoin(missing, ", "), "]"));
    }
    if (!missing.empty()) {
      return true;
    }
  }
  // A filter never leads back to the table: Query refuses one on other attributes, and for Scan
  // they are missing.
  return false;
}

// Reads one page: where it stands, what it has gathered, what it has cost.
class PageReader {
 public:
  PageReader(Core& core, const PagePlan& plan, const ReadOptions& options)
      : core_(core), plan_(plan), options_(options) {
    response_.count_only = options.select == Select::kCount;
    if (options.limit && !response_.count_only) {
      constexpr int64_t kReserved = 100;
      response_.items.reserve(static_cast<size_t>(std::min(*options.limit, kReserved)));
    }
  }

  Result<ReadResponse> Read() {
    rocksdb::ReadOptions read;
    const rocksdb::Slice lower = plan_.lower;
    const rocksdb::Slice upper = plan_.upper;
    read.iterate_lower_bound = &lower;
    read.iterate_upper_bound = &upper;
    // Entries and the items they lead to are seen as of one moment.
    std::optional<ScopedSnapshot> snapshot;
    if (plan_.fetch_items) {
      snapshot.emplace(core_.storage->db());
      read.snapshot = snapshot->get();
    }
    const std::unique_ptr<rocksdb::Iterator> it(
        core_.storage->db().NewIterator(read, core_.storage->data()));
    for (plan_.forward ? it->SeekToFirst() : it->SeekToLast(); it->Valid();
         plan_.forward ? it->Next() : it->Prev()) {
      const Record entry = Record::Decode(ToView(it->value()));
      rocksdb::PinnableSlice fetched;
      Record item = entry;
      if (plan_.fetch_items) {
        ASSIGN_OR_RETURN(item, Fetch(entry.item, fetched, read.snapshot));
      }
      if (!Take(entry, item)) {
        break;
      }
    }
    if (!it->status().ok()) {
      return FromRocksDb(it->status());
    }
    AddCapacity();
    return std::move(response_);
  }

  /// The answer for a stretch that has no keys at all.
  ReadResponse Nothing() && {
    AddCapacity();
    return std::move(response_);
  }

 private:
  // Evaluates one entry of the table or index, whose item may be the entry itself. Returns false
  // when the page is full.
  bool Take(const Record& entry, const Record& item) {
    // What counts against the page is what is read, before the filter. One item always fits.
    const size_t read_bytes =
        plan_.fetch_items ? std::max(entry.size_bytes, item.size_bytes) : entry.size_bytes;
    if (response_.scanned_count > 0 && page_bytes_ + read_bytes > limits::kPageBytes) {
      response_.last_evaluated_key = std::move(last_key_);
      return false;
    }
    page_bytes_ += read_bytes;
    entry_bytes_ += entry.size_bytes;
    if (plan_.fetch_items) {
      fetched_units_ += ReadUnits(item.size_bytes, options_.consistent_read);
    }
    ++response_.scanned_count;
    if (!options_.filter || options_.filter->Holds(item.item)) {
      ++response_.count;
      if (!response_.count_only) {
        response_.items.push_back(options_.projection ? options_.projection->Apply(item.item)
                                                      : Item::Copy(item.item));
      }
    }
    if (response_.scanned_count == options_.limit) {
      response_.last_evaluated_key = EvaluatedKey(entry.item);
      return false;
    }
    // The key is needed only if the next entry no longer fits, which cannot be before the page is
    // mostly full.
    if (page_bytes_ + limits::kItemBytes > limits::kPageBytes) {
      last_key_ = EvaluatedKey(entry.item);
    }
    return true;
  }

  Result<Record> Fetch(MapView entry, rocksdb::PinnableSlice& fetched,
                       const rocksdb::Snapshot* snapshot) {
    const Item key = KeyOf(plan_.table->definition.keys, entry);
    ASSIGN_OR_RETURN(const std::string bytes, EncodeRequestKey(*plan_.table, key.view()));
    ASSIGN_OR_RETURN(const bool found, core_.storage->Get(bytes, fetched, snapshot));
    if (!found) {
      return Error::Corruption("An index entry has no item");
    }
    return Record::Decode(ToView(fetched));
  }

  Item EvaluatedKey(MapView entry) const {
    std::vector<std::string> names = plan_.table->definition.keys.All();
    if (plan_.index != nullptr) {
      for (const std::string& name : plan_.index->definition.keys.All()) {
        names.push_back(name);
      }
    }
    std::vector<std::pair<std::string, Value>> entries;
    entries.reserve(names.size());
    for (const std::string& name : names) {
      entries.emplace_back(name, Value::Copy(entry.Find(name).value()));
    }
    return Item::Of(std::move(entries));
  }

  void AddCapacity() {
    if (options_.return_capacity == ReturnCapacity::kNone) {
      return;
    }
    ConsumedCapacity sum = StartCapacity(*plan_.table, options_.return_capacity, false);
    const double units = ReadUnits(entry_bytes_, options_.consistent_read);
    if (plan_.index == nullptr) {
      sum.table_units.read = units;
    } else {
      auto& by_name = plan_.index->local ? sum.local_indexes : sum.global_indexes;
      by_name[plan_.index->definition.name].read = units;
      sum.table_units.read = fetched_units_;
    }
    response_.capacity = std::move(sum);
  }

  Core& core_;
  const PagePlan& plan_;
  const ReadOptions& options_;
  ReadResponse response_;
  size_t page_bytes_ = 0;   // What counts against the page.
  size_t entry_bytes_ = 0;  // What the table or index itself is charged for.
  double fetched_units_ = 0;
  std::optional<Item> last_key_;
};

}  // namespace

const std::vector<KeyAttribute>& PagePlan::IndexHash() const {
  return index == nullptr ? table_hash : index->hash;
}

const std::vector<KeyAttribute>& PagePlan::IndexRange() const {
  return index == nullptr ? table_range : index->range;
}

Result<PagePlan> PlanPage(Core& core, std::string_view table, const ReadOptions& options) {
  PagePlan plan;
  ASSIGN_OR_RETURN(plan.table, core.catalog.Find(table));
  plan.table_hash = {plan.table->hash};
  if (plan.table->range) {
    plan.table_range = {*plan.table->range};
  }
  RETURN_IF_ERROR(CheckKeyPaths(*plan.table, options.projection));
  RETURN_IF_ERROR(CheckKeyPaths(*plan.table, options.filter));
  if (!options.index) {
    return plan;
  }
  plan.index = plan.table->FindIndex(*options.index);
  if (plan.index == nullptr) {
    return Error::Validation(
        StrCat("The table does not have the specified index: ", *options.index));
  }
  if (plan.index->status == IndexStatus::kCreating) {
    return Error::Validation(
        StrCat("Cannot read from backfilling global secondary index: ", *options.index));
  }
  if (options.consistent_read && !plan.index->local) {
    return Error::Validation("Consistent reads are not supported on global secondary indexes");
  }
  ASSIGN_OR_RETURN(plan.fetch_items, NeedsFetch(*plan.index, options));
  return plan;
}

Result<std::string> EncodeStartKey(const PagePlan& plan, MapView start_key,
                                   std::string_view wrong_attributes) {
  std::vector<std::string> names = plan.table->definition.keys.All();
  const auto add = [&](const std::vector<KeyAttribute>& attributes) {
    for (const KeyAttribute& attribute : attributes) {
      if (std::find(names.begin(), names.end(), attribute.name) == names.end()) {
        names.push_back(attribute.name);
      }
    }
  };
  add(plan.IndexHash());
  add(plan.IndexRange());
  if (start_key.size() != names.size()) {
    return Error::Validation(std::string(wrong_attributes));
  }
  for (const std::string& name : names) {
    const std::optional<ValueView> value = start_key.Find(name);
    if (!value) {
      return Error::Validation(std::string(wrong_attributes));
    }
    if (value->type() != plan.table->AttributeType(name)) {
      return Error::Validation(std::string(kStartKeyMismatch));
    }
    if (value->type() != Type::kNumber && value->payload().empty()) {
      return Error::Validation(
          StrCat(kStartKeyInvalid,
                 ": One or more parameter values are not valid. The AttributeValue for a key "
                 "attribute cannot contain an empty string value. Key: ",
                 name));
    }
  }
  if (plan.index != nullptr) {
    std::optional<std::string> key = EncodeIndexEntryKey(*plan.table, *plan.index, start_key);
    if (!key) {
      // Attributes as long as these are in no index.
      return Error::Validation(std::string(kStartKeyInvalid));
    }
    return *std::move(key);
  }
  return EncodeRequestKey(*plan.table, start_key);
}

void StartAfter(PagePlan& plan, const std::string& key) {
  if (!plan.forward) {
    plan.upper = std::min(plan.upper, key);
    return;
  }
  std::string next = key;
  next.push_back('\0');
  plan.lower = std::max(plan.lower, next);
}

Result<ReadResponse> ReadPage(Core& core, const PagePlan& plan, const ReadOptions& options) {
  PageReader reader(core, plan, options);
  // An empty stretch, such as the one after the last key: RocksDB wants bounds in order.
  return plan.lower >= plan.upper ? std::move(reader).Nothing() : reader.Read();
}

}  // namespace tintype::tables::engine
