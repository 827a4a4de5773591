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

// A page of so many items is a short read.
constexpr int64_t kShortLimit = 100;

}  // namespace

const std::vector<KeyAttribute>& PagePlan::IndexHash() const {
  return index == nullptr ? table_hash : index->hash;
}

const std::vector<KeyAttribute>& PagePlan::IndexRange() const {
  return index == nullptr ? table_range : index->range;
}

Result<PagePlan> PlanPage(Core& core, std::string_view table, const ReadOptions& options) {
  PagePlan plan;
  ASSIGN_OR_RETURN(plan.table, core.tables.Find(table));
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
    return NoSuchIndex(*options.index);
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

PageRead::PageRead(Core& core, PagePlan plan, ReadOptions options)
    : core_(&core), plan_(std::move(plan)), options_(std::move(options)) {
  // Entries and the items they lead to are seen as of one moment, and so is a page that may well be
  // read in two steps. Others are not worth a snapshot: they are read anew if need be.
  if (plan_.fetch_items || length() == ReadPool::Length::kLong) {
    snapshot_ = std::make_unique<ScopedSnapshot>(core_->storage->db());
  }
  progress_.response.count_only = options_.select == Select::kCount;
}

ReadPool::Length PageRead::length() const {
  return options_.limit && *options_.limit <= kShortLimit ? ReadPool::Length::kShort
                                                          : ReadPool::Length::kLong;
}

Result<bool> PageRead::Continue(const ReadBudget& budget) {
  Result<bool> complete = ReadOn(budget);
  const bool empty_page = complete.ok() && *complete && progress_.response.scanned_count == 0;
  if (paused_ || empty_page) {
    // The remains of a removed table may look like anything: short, empty, or damaged.
    RETURN_IF_ERROR(core_->tables.CheckStillThere(*plan_.table, plan_.index));
  }
  return complete;
}

Result<bool> PageRead::ReadOn(const ReadBudget& budget) {
  // An empty stretch, such as the one after the last key: RocksDB wants bounds in order.
  if (plan_.lower >= plan_.upper) {
    return true;
  }
  if (options_.limit && !progress_.response.count_only) {
    progress_.response.items.reserve(static_cast<size_t>(std::min(*options_.limit, kShortLimit)));
  }
  rocksdb::ReadOptions read;
  const rocksdb::Slice lower = plan_.lower;
  const rocksdb::Slice upper = plan_.upper;
  read.iterate_lower_bound = &lower;
  read.iterate_upper_bound = &upper;
  read.snapshot = snapshot_ ? snapshot_->get() : nullptr;
  const std::unique_ptr<rocksdb::Iterator> it(
      core_->storage->db().NewIterator(read, core_->storage->data()));
  for (plan_.forward ? it->SeekToFirst() : it->SeekToLast(); it->Valid();
       plan_.forward ? it->Next() : it->Prev()) {
    if (progress_.page_bytes >= budget.bytes) {
      return Pause();
    }
    const Record entry = Record::Decode(ToView(it->value()));
    rocksdb::PinnableSlice fetched;
    Record item = entry;
    if (plan_.fetch_items) {
      ASSIGN_OR_RETURN(item, Fetch(entry.item, fetched));
    }
    if (!Take(entry, item)) {
      return true;
    }
    if (snapshot_ && budget.bytes != ReadBudget::kAll) {
      last_read_.assign(it->key().data(), it->key().size());
    }
  }
  if (!it->status().ok()) {
    return FromRocksDb(it->status());
  }
  return true;
}

bool PageRead::Pause() {
  paused_ = true;
  if (!snapshot_) {
    const bool count_only = progress_.response.count_only;
    progress_ = Progress();
    progress_.response.count_only = count_only;
  } else if (!last_read_.empty()) {
    StartAfter(plan_, last_read_);
  }
  return false;
}

ReadResponse PageRead::Finish() {
  snapshot_.reset();  // The answer takes a while to encode, and what is old could go meanwhile.
  AddCapacity();
  return std::move(progress_.response);
}

// Evaluates one entry of the table or index, whose item may be the entry itself. Returns false
// when the page is full.
bool PageRead::Take(const Record& entry, const Record& item) {
  ReadResponse& response = progress_.response;
  // The bytes read count against the page, before the filter. One item always fits.
  const size_t read_bytes =
      plan_.fetch_items ? std::max(entry.size_bytes, item.size_bytes) : entry.size_bytes;
  if (response.scanned_count > 0 && progress_.page_bytes + read_bytes > limits::kPageBytes) {
    response.last_evaluated_key = std::move(progress_.last_key);
    return false;
  }
  progress_.page_bytes += read_bytes;
  progress_.entry_bytes += entry.size_bytes;
  if (plan_.fetch_items) {
    progress_.fetched_units += ReadUnits(item.size_bytes, options_.consistent_read);
  }
  ++response.scanned_count;
  if (!options_.filter || options_.filter->Holds(item.item)) {
    ++response.count;
    if (!response.count_only) {
      response.items.push_back(options_.projection ? options_.projection->Apply(item.item)
                                                   : Item::Copy(item.item));
    }
  }
  if (response.scanned_count == options_.limit) {
    response.last_evaluated_key = EvaluatedKey(entry.item);
    return false;
  }
  // The key is needed only if the next entry no longer fits, which cannot be before the page is
  // mostly full.
  if (progress_.page_bytes + limits::kItemBytes > limits::kPageBytes) {
    progress_.last_key = EvaluatedKey(entry.item);
  }
  return true;
}

// The item that an entry leads to.
Result<Record> PageRead::Fetch(MapView entry, rocksdb::PinnableSlice& fetched) {
  const Item key = KeyOf(plan_.table->definition.keys, entry);
  ASSIGN_OR_RETURN(const std::string bytes, EncodeRequestKey(*plan_.table, key.view()));
  ASSIGN_OR_RETURN(const bool found, core_->storage->Get(bytes, fetched, snapshot_->get()));
  if (!found) {
    return Error::Corruption("An index entry has no item");
  }
  return Record::Decode(ToView(fetched));
}

Item PageRead::EvaluatedKey(MapView entry) const {
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

void PageRead::AddCapacity() {
  if (options_.return_capacity == ReturnCapacity::kNone) {
    return;
  }
  ConsumedCapacity sum = StartCapacity(*plan_.table, options_.return_capacity, false);
  const double units = ReadUnits(progress_.entry_bytes, options_.consistent_read);
  if (plan_.index == nullptr) {
    sum.table_units.read = units;
  } else {
    auto& by_name = plan_.index->local ? sum.local_indexes : sum.global_indexes;
    by_name[plan_.index->definition.name].read = units;
    sum.table_units.read = progress_.fetched_units;
  }
  progress_.response.capacity = std::move(sum);
}

}  // namespace tintype::tables::engine
