#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What the benchmark of the tables asks for: bodies of DynamoDB requests on one table of images
/// with one global index, as the image service's design has it.
namespace tintype::bench {

struct Call {
  std::string_view operation;  // A literal.
  std::string body;
};

struct WorkloadOptions {
  std::string name;        // One of those below.
  size_t items = 0;        // Loaded before: images 0 to items - 1.
  size_t calls = 0;        // How many to make; fill makes what the items need.
  uint64_t seed = 0;       // Also keeps the new keys of one run apart from another's.
  size_t per_user = 1000;  // Images of one user, the index's partition.
};

/// The calls of a workload, or none if there is no such workload.
///   create   CreateTable, for the table that the others use
///   fill     BatchWriteItem of 25 images of about 0.5 KB each
///   get      GetItem of a loaded image, at random
///   hot      GetItem of one of the first 1,000 images
///   scan     the first page of a random stretch of the table, 1 MB
///   query    a random user's newest 20 images, from the global index
///   page     the same, of the newest 100
///   put      PutItem of a new image
///   replace  PutItem over a loaded image, at random
///   update   UpdateItem of a loaded image at random, if its status is as expected, which it is
///   transact TransactWriteItems of 4 new images, each if there is none of its key
///   batch    BatchWriteItem of 25 new images
///   expiring the same, with a `ttl` of 15 seconds from now
std::vector<Call> MakeCalls(const WorkloadOptions& options);

/// A correct answer to the workload's calls is at least this long, in bytes. Cheap enough to check
/// on every answer, and it tells an item from an empty one.
size_t ResponseBytesMin(std::string_view workload);

}  // namespace tintype::bench
