#include "cli/gallery/membership.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/logging.h"
#include "base/random.h"
#include "base/strings.h"
#include "base/ulid.h"
#include "cli/settings/blob_place.h"
#include "cli/settings/tables_place.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/tables.h"
#include "contexts/common/transaction.h"
#include "flows/config.h"

namespace tintype::cli {
namespace {

using contexts::Transaction;
using contexts::system::GalleryRecord;
using contexts::system::GalleryTerms;

/// Where the tables are, for people.
std::string DescribeTables(const ServeConfig& config, const DataDirectory& directory) {
  return config.remote_tables ? StrCat("The tables at ", config.remote_tables->url)
                              : StrCat("The tables in ", directory.tables());
}

/// Where the directory's own tables should be found.
Result<std::string> WayToOwnTables(const ServeConfig& config, const DataDirectory& directory) {
  if (!config.remote_tables) {
    return StrCat("Bring ", directory.tables(), " back from a backup of this directory");
  }
  ASSIGN_OR_RETURN(const std::string noted, FindTablesAddress(directory));
  return noted.empty() || noted == config.remote_tables->url
             ? std::string("Name the tables of that gallery with --tables")
             : StrCat("Its tables were at ", noted, ": set --tables ", noted);
}

/// Refuses tables that are not those of the gallery `own`, to which the directory belongs.
Status CheckIdentity(const std::string& own, const std::optional<GalleryTerms>& found,
                     const ServeConfig& config, const DataDirectory& directory) {
  if (found && found->id == own) {
    return OkStatus();
  }
  const std::string tables = DescribeTables(config, directory);
  ASSIGN_OR_RETURN(const std::string way, WayToOwnTables(config, directory));
  if (found) {
    return Error::Validation(
        StrCat(tables, " belong to the gallery ", found->id, ", but the data directory ",
               directory.path, " to the gallery ", own, ". ", way,
               ", or choose another directory with --data-dir. Nothing was changed."));
  }
  return Error::Validation(StrCat(
      tables, " have no gallery, but the data directory ", directory.path,
      " belongs to the gallery ", own, ". ", way,
      ", or choose another directory with --data-dir. Nothing was changed. If these are the right "
      "tables, restored from before they knew their gallery, remove ",
      directory.gallery(), ", then start again."));
}

/// Refuses a directory with photos or uploads that tables without a gallery know nothing of.
Status CheckHoldsNothing(const ServeConfig& config, const DataDirectory& directory) {
  for (const std::string& folder : {directory.uploads(), directory.blobs()}) {
    if (HoldsFiles(folder)) {
      ASSIGN_OR_RETURN(const std::string way, WayToOwnTables(config, directory));
      return Error::Validation(
          StrCat(DescribeTables(config, directory), " have no gallery, but ", folder,
                 " has photos of one, which would be lost to it. ", way,
                 ", or choose another directory with --data-dir. Nothing was changed."));
    }
  }
  return OkStatus();
}

/// A name that the settings say, against the one on record.
Status CheckName(std::string_view flag, const std::string& said, const std::string& recorded) {
  if (said.empty() || said == recorded) {
    return OkStatus();
  }
  return Error::Validation(
      StrCat("The gallery was made with --", flag, " ", recorded, ", but the settings say '", said,
             "': its tables would not be found. Leave --", flag, " out, or set it to ", recorded,
             ". A gallery with another name needs a data directory and tables of its own."));
}

/// Whether a gallery from before there were records has these tables.
Result<bool> HasOlderGallery(tables::Database& database) {
  ASSIGN_OR_RETURN(const bool system,
                   contexts::TableExists(std::string(contexts::kSystemTable), database));
  if (!system) {
    return false;
  }
  // A new gallery is recorded before its other tables are created.
  return contexts::TableExists(contexts::catalog::Catalog::Table().definition.name, database);
}

Result<std::optional<BlobSettings>> RecordedPlace(const GalleryTerms& terms) {
  if (!terms.blobs) {
    return std::optional<BlobSettings>();
  }
  std::optional<BlobSettings> place = ParseBlobPlace(*terms.blobs);
  if (!place) {
    return Error::Corruption(StrCat("The item GALLERY of the table ", contexts::kSystemTable,
                                    " does not say where the photos are: '", *terms.blobs, "'."));
  }
  return place;
}

/// Where the photos are. On record in the directory and, for all nodes, in the tables.
Result<BlobSettings> SettleBlobs(const ServeConfig& config, const DataDirectory& directory,
                                 const GalleryTerms& terms) {
  RETURN_IF_ERROR(CheckBlobPlace(directory, config.blobs));
  ASSIGN_OR_RETURN(const std::optional<BlobSettings> place, FindBlobPlace(directory));
  ASSIGN_OR_RETURN(const std::optional<BlobSettings> recorded, RecordedPlace(terms));
  BlobSettings blobs = WithNamesOf(place ? place : recorded, config.blobs);
  if (blobs.buckets.uploads == blobs.buckets.images) {
    return Error::Validation("--uploads-bucket and --images-bucket have to be two buckets");
  }
  // The directory's word counts where the directory is all that there is: the person who moves the
  // photos writes it there. Several nodes have to be told one by one, and the last one would undo
  // it.
  const bool may_move = place && !config.remote_tables;
  if (recorded && !IsSamePlace(*recorded, blobs) && !may_move) {
    return Error::Validation(StrCat(
        "The photos of this gallery are ", DescribeBlobPlace(*recorded), ", but the settings say ",
        DescribeBlobPlace(blobs), ". Set ", BlobFlagsFor(*recorded),
        ". If the photos were moved, put the line '", LineOfBlobPlace(blobs),
        "' into the attribute 'blobs' of the item GALLERY / GALLERY of the table ",
        contexts::kSystemTable, "."));
  }
  return blobs;
}

/// The gallery as it is on record, or as it would be.
struct Found {
  Membership membership;
  bool recorded = false;
  bool has_tables = false;  // Of a gallery from before there were records.
};

/// Reads, and writes nothing.
Result<Found> FindGallery(const ServeConfig& config, const DataDirectory& directory,
                          tables::Database& database) {
  ASSIGN_OR_RETURN(const std::optional<std::string> own, FindGalleryId(directory));
  ASSIGN_OR_RETURN(const std::optional<GalleryTerms> recorded, GalleryRecord(database).Find());
  if (own) {
    RETURN_IF_ERROR(CheckIdentity(*own, recorded, config, directory));
  }
  Found found;
  found.recorded = recorded.has_value();
  GalleryTerms& terms = found.membership.terms;
  if (recorded) {
    terms = *recorded;
  } else {
    const flows::ProductConfig before;
    terms.stack = before.stack;
    terms.environment = before.environment;
    ASSIGN_OR_RETURN(terms.id, UlidGenerator(SystemClock()).Next());
    ASSIGN_OR_RETURN(found.has_tables, HasOlderGallery(database));
    if (found.has_tables && !config.remote_tables && !config.blobs.s3) {
      // Buckets in files had no other names, even if no photo shows it.
      terms.blobs = LineOfBlobPlace(WithNamesOf(std::nullopt, {}));
    }
    if (!found.has_tables) {
      RETURN_IF_ERROR(CheckHoldsNothing(config, directory));
      terms.stack = config.stack.empty() ? terms.stack : config.stack;
      terms.environment = config.environment.empty() ? terms.environment : config.environment;
    }
  }
  RETURN_IF_ERROR(CheckName("stack", config.stack, terms.stack));
  RETURN_IF_ERROR(CheckName("environment", config.environment, terms.environment));
  ASSIGN_OR_RETURN(found.membership.blobs, SettleBlobs(config, directory, terms));
  return found;
}

}  // namespace

Result<Membership> JoinGallery(const ServeConfig& config, const DataDirectory& directory,
                               Tables& tables) {
  tables::Database& database = tables.as_server();
  while (true) {
    ASSIGN_OR_RETURN(Found found, FindGallery(config, directory, database));
    if (found.recorded) {
      return std::move(found.membership);
    }
    if (!found.has_tables) {
      // The table that has the record comes before all others: until the names are on record, a
      // crash leaves nothing that bears them.
      RETURN_IF_ERROR(
          contexts::CreateTables({contexts::SystemTable()}, database, &tables.backups()));
    }
    const Status recorded = Transaction(StrCat("new gallery ", RandomUuid()))
                                .Add(GalleryRecord(database).Create(found.membership.terms))
                                .Commit(database);
    if (recorded.ok()) {
      LogInfo("gallery recorded", {{"id", found.membership.terms.id},
                                   {"stack", found.membership.terms.stack},
                                   {"environment", found.membership.terms.environment}});
      return std::move(found.membership);
    }
    if (!recorded.error().Is(contexts::system::kGalleryRecorded)) {
      return recorded.error();
    }
    // Another node was quicker: it has decided the names.
  }
}

Status RecordMembership(const Membership& membership, const ServeConfig& config,
                        const DataDirectory& directory, Tables& tables) {
  const std::string line = LineOfBlobPlace(membership.blobs);
  if (membership.terms.blobs != line) {
    tables::Database& database = tables.as_server();
    GalleryRecord record(database);
    const Status moved = Transaction(StrCat("gallery blobs ", RandomUuid()))
                             .Add(record.SetBlobs(membership.terms, line))
                             .Commit(database);
    if (!moved.ok() && moved.error().Is(contexts::system::kGalleryChanged)) {
      // Another node has recorded a place since: the same one, most likely.
      ASSIGN_OR_RETURN(const Found found, FindGallery(config, directory, database));
      if (!IsSamePlace(found.membership.blobs, membership.blobs)) {
        return moved.error();
      }
    } else {
      RETURN_IF_ERROR(moved);
    }
  }
  RETURN_IF_ERROR(RecordBlobPlace(directory, membership.blobs));
  if (config.remote_tables) {
    RETURN_IF_ERROR(NoteTablesAt(directory, config.remote_tables->url));
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> own, FindGalleryId(directory));
  return own ? OkStatus() : RecordGalleryId(directory, membership.terms.id);
}

}  // namespace tintype::cli
