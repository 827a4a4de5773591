#include "contexts/catalog/looks.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "contexts/common/item.h"
#include "contexts/common/tables.h"
#include "contract/limits.h"

namespace tintype::contexts::catalog {
namespace {

constexpr std::string_view kLookPrefix = "LOOK#";
constexpr std::string_view kBandPrefix = "LOOKBAND#";
constexpr int kHashBits = 64;
// Far more than anybody has of one kind; reading them takes some tenths of a second.
constexpr size_t kPostingsMax = 20'000;

/// Where the bits of a band are: four have eleven bits, the last two ten.
struct Band {
  int shift = 0;
  int width = 0;
};
Band BandAt(int index) {
  constexpr int kLonger = kHashBits % kLookBands;
  constexpr int kWidth = kHashBits / kLookBands;
  const int longer_before = std::min(index, kLonger);
  return {index * kWidth + longer_before, kWidth + (index < kLonger ? 1 : 0)};
}

uint64_t BitsOf(uint64_t hash, const Band& band) {
  return hash >> band.shift & ((uint64_t{1} << band.width) - 1);
}

std::string BandPartition(std::string_view user_id, int band, uint64_t bits) {
  return StrCat(kBandPrefix, user_id, "#", band, "#", bits);
}

tables::Item LookKey(std::string_view image_id) {
  return ItemBuilder().Text("PK", StrCat(kLookPrefix, image_id)).Text("SK", "LOOK").Build();
}

tables::Item PostingKey(const Look& look, int band) {
  return ItemBuilder()
      .Text("PK", BandPartition(look.user_id, band, BitsOf(look.hash, BandAt(band))))
      .Text("SK", look.image_id)
      .Build();
}

tables::Item LookItem(const Look& look) {
  return ItemBuilder()
      .Text("PK", StrCat(kLookPrefix, look.image_id))
      .Text("SK", "LOOK")
      .Text("userId", look.user_id)
      .Text("hash", HashText(look.hash))
      .Build();
}

tables::Item PostingItem(const Look& look, int band) {
  return ItemBuilder()
      .Text("PK", BandPartition(look.user_id, band, BitsOf(look.hash, BandAt(band))))
      .Text("SK", look.image_id)
      .Text("hash", HashText(look.hash))
      .Build();
}

std::string SystemTable() { return std::string(kSystemTable); }

/// The partitions in which every look within a distance has a posting.
std::vector<std::string> PartitionsNear(const Look& look, int distance) {
  std::vector<std::string> partitions;
  for (int index = 0; index < kLookBands; ++index) {
    const Band band = BandAt(index);
    const uint64_t bits = BitsOf(look.hash, band);
    partitions.push_back(BandPartition(look.user_id, index, bits));
    // Up to five bits, one of the six bands is equal.
    for (int bit = 0; distance >= kLookBands && bit < band.width; ++bit) {
      partitions.push_back(BandPartition(look.user_id, index, bits ^ uint64_t{1} << bit));
    }
  }
  return partitions;
}

}  // namespace

std::string HashText(uint64_t hash) {
  char text[kHashBits / 4];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), hash, 16);
  CHECK(error == std::errc());
  const auto digits = static_cast<size_t>(end - text);
  return std::string(sizeof(text) - digits, '0') + std::string(text, digits);
}

std::optional<uint64_t> HashFromText(std::string_view text) {
  return text.size() == kHashBits / 4 ? ParseInteger<uint64_t>(text, 16) : std::nullopt;
}

int HashDistance(uint64_t one, uint64_t other) { return std::popcount(one ^ other); }

Result<std::optional<Look>> Looks::Find(std::string_view image_id) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = SystemTable(),
                                                           .key = LookKey(image_id),
                                                           .projection = {},
                                                           .consistent_read = true}));
  if (!response.item) {
    return std::optional<Look>();
  }
  const ItemReader read(*response.item);
  return std::optional(Look{std::string(image_id), read.Text("userId"),
                            HashFromText(read.Text("hash")).value_or(0)});
}

// What the contract promises is what the bands can keep.
static_assert(limits::kLookDistance.max == kLookDistanceMax &&
              limits::kLookDistance.otherwise == kLookDistanceDefault);

Result<SimilarLooks> Looks::FindSimilar(const Look& look, int distance) {
  CHECK(distance >= 0 && distance <= kLookDistanceMax);
  std::map<std::string, int> found;
  SimilarLooks similar;
  size_t read_count = 0;
  for (const std::string& partition : PartitionsNear(look, distance)) {
    tables::QueryRequest query;
    query.table = SystemTable();
    query.key_condition =
        KeyConditionOf("PK = :band", {{}, {{":band", tables::Value::String(partition)}}});
    query.options.consistent_read = true;
    do {
      if (read_count >= kPostingsMax) {
        similar.complete = false;
        break;
      }
      ASSIGN_OR_RETURN(auto response, database_.Query(query));
      read_count += response.items.size();
      for (const tables::Item& item : response.items) {
        const ItemReader read(item);
        const std::optional<uint64_t> hash = HashFromText(read.Text("hash"));
        const int apart = hash ? HashDistance(*hash, look.hash) : kHashBits;
        if (apart <= distance && read.Text("SK") != look.image_id) {
          found.emplace(read.Text("SK"), apart);
        }
      }
      query.options.exclusive_start_key = std::move(response.last_evaluated_key);
    } while (query.options.exclusive_start_key);
  }
  for (const auto& [id, apart] : found) {
    similar.looks.push_back({id, apart});
  }
  std::ranges::sort(similar.looks, {},
                    [](const SimilarLook& each) { return std::tie(each.distance, each.image_id); });
  return similar;
}

Result<bool> Looks::IsPosted(const Look& look) {
  ASSIGN_OR_RETURN(const std::optional<Look> kept, Find(look.image_id));
  bool posted = kept && kept->hash == look.hash && kept->user_id == look.user_id;
  for (int band = 0; posted && band < kLookBands; ++band) {
    ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = SystemTable(),
                                                             .key = PostingKey(look, band),
                                                             .projection = {},
                                                             .consistent_read = true}));
    posted = response.item.has_value();
  }
  return posted;
}

Result<OwnersPage> Looks::ListOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(
      database_, kSystemTable, after, [](const ItemReader& read) -> std::optional<std::string> {
        const std::string partition = read.Text("PK");
        if (partition.starts_with(kLookPrefix)) {
          return partition.substr(kLookPrefix.size());
        }
        return partition.starts_with(kBandPrefix) ? read.OptionalText("SK") : std::nullopt;
      });
}

Pieces Looks::Put(const Look& look, const std::optional<Look>& before) {
  Pieces pieces;
  pieces.push_back(PutPiece(SystemTable(), LookItem(look)));
  for (int band = 0; band < kLookBands; ++band) {
    pieces.push_back(PutPiece(SystemTable(), PostingItem(look, band)));
    if (before && PostingKey(*before, band) != PostingKey(look, band)) {
      pieces.push_back(DeletePiece(SystemTable(), PostingKey(*before, band)));
    }
  }
  return pieces;
}

Pieces Looks::Remove(const Look& look) {
  Pieces pieces;
  pieces.push_back(DeletePiece(SystemTable(), LookKey(look.image_id)));
  for (int band = 0; band < kLookBands; ++band) {
    pieces.push_back(DeletePiece(SystemTable(), PostingKey(look, band)));
  }
  return pieces;
}

}  // namespace tintype::contexts::catalog
