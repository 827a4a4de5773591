#include "contexts/catalog/similarity.h"

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

constexpr std::string_view kHashPrefix = "LOOK#";
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
  constexpr int kLonger = kHashBits % kHashBands;
  constexpr int kWidth = kHashBits / kHashBands;
  const int longer_before = std::min(index, kLonger);
  return {index * kWidth + longer_before, kWidth + (index < kLonger ? 1 : 0)};
}

uint64_t BitsOf(uint64_t hash, const Band& band) {
  return hash >> band.shift & ((uint64_t{1} << band.width) - 1);
}

std::string BandPartition(std::string_view user_id, int band, uint64_t bits) {
  return StrCat(kBandPrefix, user_id, "#", band, "#", bits);
}

tables::Item HashKey(std::string_view image_id) {
  return ItemBuilder().Text("PK", StrCat(kHashPrefix, image_id)).Text("SK", "LOOK").Build();
}

tables::Item PostingKey(const ImageHash& image, int band) {
  return ItemBuilder()
      .Text("PK", BandPartition(image.user_id, band, BitsOf(image.hash, BandAt(band))))
      .Text("SK", image.image_id)
      .Build();
}

tables::Item HashItem(const ImageHash& image) {
  return ItemBuilder()
      .Text("PK", StrCat(kHashPrefix, image.image_id))
      .Text("SK", "LOOK")
      .Text("userId", image.user_id)
      .Text("hash", HashText(image.hash))
      .Build();
}

tables::Item PostingItem(const ImageHash& image, int band) {
  return ItemBuilder()
      .Text("PK", BandPartition(image.user_id, band, BitsOf(image.hash, BandAt(band))))
      .Text("SK", image.image_id)
      .Text("hash", HashText(image.hash))
      .Build();
}

std::string SystemTable() { return std::string(kSystemTable); }

/// The partitions in which every hash within a distance has a posting.
std::vector<std::string> PartitionsNear(const ImageHash& image, int distance) {
  std::vector<std::string> partitions;
  for (int index = 0; index < kHashBands; ++index) {
    const Band band = BandAt(index);
    const uint64_t bits = BitsOf(image.hash, band);
    partitions.push_back(BandPartition(image.user_id, index, bits));
    // Up to five bits, one of the six bands is equal.
    for (int bit = 0; distance >= kHashBands && bit < band.width; ++bit) {
      partitions.push_back(BandPartition(image.user_id, index, bits ^ uint64_t{1} << bit));
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

Result<std::optional<ImageHash>> SimilarityIndex::Find(std::string_view image_id) {
  ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = SystemTable(),
                                                           .key = HashKey(image_id),
                                                           .projection = {},
                                                           .consistent_read = true}));
  if (!response.item) {
    return std::optional<ImageHash>();
  }
  const ItemReader read(*response.item);
  return std::optional(ImageHash{std::string(image_id), read.Text("userId"),
                                 HashFromText(read.Text("hash")).value_or(0)});
}

// The contract promises what the bands can keep.
static_assert(limits::kLookDistance.max == kSimilarDistanceMax &&
              limits::kLookDistance.otherwise == kSimilarDistanceDefault);

Result<SimilarHashes> SimilarityIndex::FindSimilar(const ImageHash& image, int distance) {
  CHECK(distance >= 0 && distance <= kSimilarDistanceMax);
  std::map<std::string, int> found;
  SimilarHashes similar;
  size_t read_count = 0;
  for (const std::string& partition : PartitionsNear(image, distance)) {
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
        const int apart = hash ? HashDistance(*hash, image.hash) : kHashBits;
        if (apart <= distance && read.Text("SK") != image.image_id) {
          found.emplace(read.Text("SK"), apart);
        }
      }
      query.options.exclusive_start_key = std::move(response.last_evaluated_key);
    } while (query.options.exclusive_start_key);
  }
  for (const auto& [id, apart] : found) {
    similar.images.push_back({id, apart});
  }
  std::ranges::sort(similar.images, {},
                    [](const SimilarHash& each) { return std::tie(each.distance, each.image_id); });
  return similar;
}

Result<bool> SimilarityIndex::IsPosted(const ImageHash& image) {
  ASSIGN_OR_RETURN(const std::optional<ImageHash> kept, Find(image.image_id));
  bool posted = kept && kept->hash == image.hash && kept->user_id == image.user_id;
  for (int band = 0; posted && band < kHashBands; ++band) {
    ASSIGN_OR_RETURN(const auto response, database_.GetItem({.table = SystemTable(),
                                                             .key = PostingKey(image, band),
                                                             .projection = {},
                                                             .consistent_read = true}));
    posted = response.item.has_value();
  }
  return posted;
}

Result<OwnersPage> SimilarityIndex::ListOwners(const std::optional<tables::Item>& after) {
  return ScanOwners(
      database_, kSystemTable, after, [](const ItemReader& read) -> std::optional<std::string> {
        const std::string partition = read.Text("PK");
        if (partition.starts_with(kHashPrefix)) {
          return partition.substr(kHashPrefix.size());
        }
        return partition.starts_with(kBandPrefix) ? read.OptionalText("SK") : std::nullopt;
      });
}

Pieces SimilarityIndex::Put(const ImageHash& image, const std::optional<ImageHash>& before) {
  Pieces pieces;
  pieces.push_back(PutPiece(SystemTable(), HashItem(image)));
  for (int band = 0; band < kHashBands; ++band) {
    pieces.push_back(PutPiece(SystemTable(), PostingItem(image, band)));
    if (before && PostingKey(*before, band) != PostingKey(image, band)) {
      pieces.push_back(DeletePiece(SystemTable(), PostingKey(*before, band)));
    }
  }
  return pieces;
}

Pieces SimilarityIndex::Remove(const ImageHash& image) {
  Pieces pieces;
  pieces.push_back(DeletePiece(SystemTable(), HashKey(image.image_id)));
  for (int band = 0; band < kHashBands; ++band) {
    pieces.push_back(DeletePiece(SystemTable(), PostingKey(image, band)));
  }
  return pieces;
}

}  // namespace tintype::contexts::catalog
