#include "stream_pages.h"

#include <simdjson.h>

#include <initializer_list>
#include <optional>
#include <utility>

namespace tintype::conformance {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;

// Far more than any case writes: an iterator that does not move on would page for ever.
constexpr int kMostPages = 1000;

std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

class StreamReader {
 public:
  StreamReader(Backend& backend, StreamContent& content) : backend_(backend), content_(content) {}

  std::string Read(std::string_view arn) {
    const std::string stream = "{\"StreamArn\":" + Quoted(arn);
    simdjson::dom::parser parser;  // The list of shards is walked while other answers come.
    const Answer answer = backend_.Call("DescribeStream", stream + "}");
    array shards;
    if (answer.status != 200 ||
        parser.parse(answer.body)["StreamDescription"]["Shards"].get(shards) != simdjson::SUCCESS) {
      return answer.body + "\n";
    }
    for (const element shard : shards) {
      const std::string id = Quoted(shard["ShardId"].get_string().value());
      std::string problem = ReadShard(stream, id);
      if (!problem.empty()) {
        return problem;
      }
    }
    return {};
  }

 private:
  std::string ReadShard(const std::string& stream, const std::string& shard) {
    const Answer begun =
        backend_.Call("GetShardIterator", stream + ",\"ShardId\":" + shard +
                                              ",\"ShardIteratorType\":\"TRIM_HORIZON\"}");
    std::optional<std::string> iterator = Text(begun, "ShardIterator");
    if (!iterator) {
      return begun.body + "\n";
    }
    for (int page = 0; iterator && page < kMostPages; ++page) {
      const Answer answer =
          backend_.Call("GetRecords", "{\"ShardIterator\":" + Quoted(*iterator) + "}");
      iterator = Text(answer, "NextShardIterator");
      array records;
      if (answer.status != 200 ||
          parser_.parse(answer.body)["Records"].get(records) != simdjson::SUCCESS) {
        return answer.body + "\n";
      }
      if (records.size() == 0) {
        return {};
      }
      for (const element record : records) {
        Append(record, shard);
      }
    }
    return iterator ? "the records do not end: " + *iterator + "\n" : std::string();
  }

  std::optional<std::string> Text(const Answer& answer, std::string_view name) {
    std::string_view text;
    if (answer.status != 200 || parser_.parse(answer.body)[name].get(text) != simdjson::SUCCESS) {
      return std::nullopt;
    }
    return std::string(text);
  }

  void Append(element record, const std::string& shard) {
    const element change = record["dynamodb"].value();
    Object(content_.records, {{"eventName", record["eventName"]},
                              {"Keys", change["Keys"]},
                              {"NewImage", change["NewImage"]},
                              {"OldImage", change["OldImage"]},
                              {"userIdentity", record["userIdentity"]}});
    Object(content_.places, {{"SequenceNumber", change["SequenceNumber"]}});
    content_.places.pop_back();
    content_.places.append(",\"ShardId\":").append(shard).append("}");
  }

  using Found = std::pair<std::string_view, simdjson::simdjson_result<element>>;

  // Adds an object of the members that there are to a list.
  static void Object(std::string& list, std::initializer_list<Found> members) {
    list.append(list.size() > 1 ? ",{" : "{");
    for (const auto& [name, found] : members) {
      element value;
      if (found.get(value) == simdjson::SUCCESS) {
        list.append(list.back() == '{' ? "" : ",").append(Quoted(name)).append(":");
        list.append(simdjson::minify(value));
      }
    }
    list.push_back('}');
  }

  Backend& backend_;
  StreamContent& content_;
  simdjson::dom::parser parser_;
};

}  // namespace

std::string ReadStream(Backend& backend, std::string_view stream_arn, StreamContent& content) {
  content = {"[", "["};
  std::string problem = StreamReader(backend, content).Read(stream_arn);
  content.records.push_back(']');
  content.places.push_back(']');
  return problem;
}

}  // namespace tintype::conformance
