#include "workload.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <random>

#include "base/strings.h"

namespace tintype::bench {
namespace {

constexpr size_t kBatchItems = 25;
constexpr size_t kTransactActions = 4;
constexpr size_t kQueryLimit = 20;
constexpr size_t kPageLimit = 100;
constexpr size_t kHotItems = 1000;
constexpr size_t kScanItems = 4000;         // So many fill a page of 1 MB, and more.
constexpr std::time_t kExpirySeconds = 15;  // As in features.py.

std::string Padded(size_t number) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%012zu", number);
  return text.data();
}

std::string Attribute(std::string_view name, std::string_view type, std::string_view value) {
  return StrCat("\"", name, "\":{\"", type, "\":\"", value, "\"}");
}

/// An image of a user, about 0.5 KB by DynamoDB's count. `id` orders a user's images by time.
std::string Image(std::string_view id, size_t user, std::mt19937_64& random) {
  std::string description(180, ' ');
  std::generate(description.begin(), description.end(),
                [&random] { return static_cast<char>('a' + random() % 26); });
  const std::string user_id = StrCat("user", user);
  return StrCat(
      "{", Attribute("PK", "S", StrCat("IMAGE#", id)), ",", Attribute("SK", "S", "METADATA"), ",",
      Attribute("GSI1PK", "S", StrCat("USER#", user_id)), ",",
      Attribute("GSI1SK", "S", StrCat("UPLOADED#", id)), ",", Attribute("userId", "S", user_id),
      ",", Attribute("mimeType", "S", "image/jpeg"), ",",
      Attribute("fileSize", "N", std::to_string(random() % 10'000'000)), ",",
      Attribute("width", "N", "4032"), ",", Attribute("height", "N", "3024"), ",",
      Attribute("s3Key", "S", StrCat("images/", user_id, "/", id, ".webp")), ",",
      Attribute("processingStatus", "S", "completed"), ",", Attribute("version", "N", "1"), ",",
      R"("tags":{"L":[{"S":"minifig"},{"S":"castle"}]},)",
      Attribute("description", "S", description), "}");
}

/// BatchWriteItem of the images that `image` makes for each of [first, last).
template <typename MakeImage>
Call BatchWrite(size_t first, size_t last, const MakeImage& image) {
  std::string body = R"({"RequestItems":{"Images":[)";
  for (size_t i = first; i < last; ++i) {
    StrAppend(body, i == first ? "" : ",", R"({"PutRequest":{"Item":)", image(i), "}}");
  }
  return {.operation = "BatchWriteItem", .body = StrCat(body, "]}}")};
}

std::vector<Call> MakeFill(const WorkloadOptions& options, std::mt19937_64& random) {
  std::vector<Call> calls;
  for (size_t first = 0; first < options.items; first += kBatchItems) {
    calls.push_back(BatchWrite(
        first, std::min(first + kBatchItems, options.items),
        [&](size_t number) { return Image(Padded(number), number / options.per_user, random); }));
  }
  return calls;
}

std::string LoadedKey(const WorkloadOptions& options, std::mt19937_64& random) {
  return StrCat(R"("TableName":"Images","Key":{)",
                Attribute("PK", "S", StrCat("IMAGE#", Padded(random() % options.items))), ",",
                Attribute("SK", "S", "METADATA"), "}");
}

/// An image that is not there yet, of a random user.
std::string NewImage(const WorkloadOptions& options, size_t number, std::mt19937_64& random) {
  const size_t users = options.items / options.per_user + 1;
  const std::string id = StrCat("new-", options.name, "-", options.seed, "-", Padded(number));
  return Image(id, random() % users, random);
}

Call MakeGet(const WorkloadOptions& options, std::mt19937_64& random) {
  return {.operation = "GetItem", .body = StrCat("{", LoadedKey(options, random), "}")};
}

Call MakeHot(WorkloadOptions options, std::mt19937_64& random) {
  options.items = std::min(options.items, kHotItems);
  return MakeGet(options, random);
}

Call MakeScan(const WorkloadOptions& options, std::mt19937_64& random) {
  const size_t segments = std::max<size_t>(1, options.items / kScanItems);
  return {.operation = "Scan",
          .body = StrCat(R"({"TableName":"Images","TotalSegments":)", segments, R"(,"Segment":)",
                         random() % segments, "}")};
}

Call MakeReplace(const WorkloadOptions& options, std::mt19937_64& random) {
  const size_t number = random() % options.items;
  return {.operation = "PutItem",
          .body = StrCat(R"({"TableName":"Images","Item":)",
                         Image(Padded(number), number / options.per_user, random), "}")};
}

Call MakePut(const WorkloadOptions& options, size_t number, std::mt19937_64& random) {
  return {
      .operation = "PutItem",
      .body = StrCat(R"({"TableName":"Images","Item":)", NewImage(options, number, random), "}")};
}

Call MakeUpdate(const WorkloadOptions& options, std::mt19937_64& random) {
  return {.operation = "UpdateItem",
          .body = StrCat("{", LoadedKey(options, random),
                         R"(,"UpdateExpression":"SET version = version + :one, fileSize = :size",)",
                         R"("ConditionExpression":"processingStatus = :status",)",
                         R"("ExpressionAttributeValues":{)", Attribute(":one", "N", "1"), ",",
                         Attribute(":size", "N", std::to_string(random() % 10'000'000)), ",",
                         Attribute(":status", "S", "completed"), "}}")};
}

Call MakeTransact(const WorkloadOptions& options, size_t number, std::mt19937_64& random) {
  std::string body = R"({"TransactItems":[)";
  for (size_t i = 0; i < kTransactActions; ++i) {
    StrAppend(body, i == 0 ? "" : ",", R"({"Put":{"TableName":"Images","Item":)",
              NewImage(options, number * kTransactActions + i, random),
              R"json(,"ConditionExpression":"attribute_not_exists(PK)"}})json");
  }
  return {.operation = "TransactWriteItems", .body = StrCat(body, "]}")};
}

Call MakeBatch(const WorkloadOptions& options, size_t number, std::mt19937_64& random) {
  return BatchWrite(number * kBatchItems, (number + 1) * kBatchItems,
                    [&](size_t i) { return NewImage(options, i, random); });
}

/// As MakeBatch, of images whose time comes all at once, when they are loaded.
Call MakeExpiring(const WorkloadOptions& options, size_t number, std::mt19937_64& random) {
  const std::string due =
      Attribute("ttl", "N", std::to_string(std::time(nullptr) + kExpirySeconds));
  return BatchWrite(number * kBatchItems, (number + 1) * kBatchItems, [&](size_t i) {
    std::string image = NewImage(options, i, random);
    image.back() = ',';
    return StrCat(image, due, "}");
  });
}

Call MakeQuery(const WorkloadOptions& options, size_t limit, std::mt19937_64& random) {
  // Only users whose images were all loaded have as many as are asked for.
  const size_t users = std::max<size_t>(1, options.items / options.per_user);
  return {.operation = "Query",
          .body = StrCat(R"({"TableName":"Images","IndexName":"UserIndex",)",
                         R"("KeyConditionExpression":"GSI1PK = :user",)",
                         R"("ExpressionAttributeValues":{)",
                         Attribute(":user", "S", StrCat("USER#user", random() % users)),
                         R"(},"ScanIndexForward":false,"Limit":)", limit, "}")};
}

std::string CreateTableBody() {
  return R"({"TableName":"Images","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
         R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},)"
         R"({"AttributeName":"GSI1PK","AttributeType":"S"},)"
         R"({"AttributeName":"GSI1SK","AttributeType":"S"}],)"
         R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
         R"({"AttributeName":"SK","KeyType":"RANGE"}],)"
         R"("GlobalSecondaryIndexes":[{"IndexName":"UserIndex","KeySchema":[)"
         R"({"AttributeName":"GSI1PK","KeyType":"HASH"},)"
         R"({"AttributeName":"GSI1SK","KeyType":"RANGE"}],)"
         R"("Projection":{"ProjectionType":"ALL"}}]})";
}

}  // namespace

std::vector<Call> MakeCalls(const WorkloadOptions& options) {
  std::mt19937_64 random(options.seed);
  if (options.name == "create") {
    return {{.operation = "CreateTable", .body = CreateTableBody()}};
  }
  if (options.name == "fill") {
    return MakeFill(options, random);
  }
  std::vector<Call> calls;
  calls.reserve(options.calls);
  for (size_t i = 0; i < options.calls; ++i) {
    if (options.name == "get") {
      calls.push_back(MakeGet(options, random));
    } else if (options.name == "put") {
      calls.push_back(MakePut(options, i, random));
    } else if (options.name == "query") {
      calls.push_back(MakeQuery(options, kQueryLimit, random));
    } else if (options.name == "page") {
      calls.push_back(MakeQuery(options, kPageLimit, random));
    } else if (options.name == "hot") {
      calls.push_back(MakeHot(options, random));
    } else if (options.name == "scan") {
      calls.push_back(MakeScan(options, random));
    } else if (options.name == "replace") {
      calls.push_back(MakeReplace(options, random));
    } else if (options.name == "update") {
      calls.push_back(MakeUpdate(options, random));
    } else if (options.name == "transact") {
      calls.push_back(MakeTransact(options, i, random));
    } else if (options.name == "batch") {
      calls.push_back(MakeBatch(options, i, random));
    } else if (options.name == "expiring") {
      calls.push_back(MakeExpiring(options, i, random));
    }
  }
  return calls;
}

size_t ResponseBytesMin(std::string_view workload) {
  constexpr size_t kItemBytesMin = 400;
  if (workload == "get" || workload == "hot") {
    return kItemBytesMin;
  }
  if (workload == "page") {
    return kPageLimit * kItemBytesMin;
  }
  if (workload == "query") {
    return kQueryLimit * kItemBytesMin;
  }
  return 2;
}

}  // namespace tintype::bench
