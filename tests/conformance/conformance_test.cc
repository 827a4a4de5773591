// Runs every case file of tests/conformance/cases against the backend that this program links.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "backend.h"
#include "case_file.h"
#include "kept_values.h"
#include "known_failures.h"
#include "match.h"
#include "stream_pages.h"

namespace tintype::conformance {
namespace {

std::vector<std::string> CaseFiles() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(CONFORMANCE_CASES)) {
    if (entry.path().extension() == ".json") {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

// One backend for the whole program: files use tables of their own names. It ends before the
// program does, so that its threads are gone when libraries clean up.
std::unique_ptr<Backend> shared_backend;
KnownFailures known_failures;

class SharedBackendEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    shared_backend = StartBackend();
    known_failures = KnownFailures::Load(shared_backend->KnownFailures());
  }
  void TearDown() override { shared_backend.reset(); }
};
const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new SharedBackendEnvironment);

// Far more than any case needs: a start key that does not move on would page for ever.
constexpr int kMostPages = 1000;
constexpr std::chrono::seconds kUntilLimit{10};

std::string Join(const Step& step, const std::string& differences) {
  return differences.empty()
             ? std::string()
             : step.operation + " " + step.request.substr(0, 2000) + "\n" + differences;
}

// Steps return what is wrong with their answers in words, or nothing: whether that is a failure
// depends on what is known of the backend.
class ConformanceTest : public testing::TestWithParam<std::string> {
 protected:
  // Parses an answer's body; it must be JSON whatever the status, or nothing at all, as TagResource
  // answers.
  simdjson::dom::element Parse(const Answer& answer) {
    simdjson::dom::element body;
    const std::string text = answer.status == 200 && answer.body.empty() ? "{}" : answer.body;
    if (parser_.parse(text).get(body) != simdjson::SUCCESS) {
      return parser_.parse(std::string(R"({"not JSON":true})")).value();
    }
    return body;
  }

  // A request with one member more.
  static std::string With(std::string request, std::string_view name, std::string_view value) {
    request.pop_back();
    request.append(request == "{" ? "\"" : ",\"").append(name).append("\":").append(value);
    return request.append("}");
  }

  // Adds the items of all pages of a Query or Scan to a JSON list that is being written.
  std::string CollectPages(const Step& step, const std::string& request, std::string& items) {
    std::string page = request;
    for (int i = 0; i < kMostPages; ++i) {
      const Answer answer = shared_backend->Call(step.operation, page);
      if (answer.status != 200) {
        return answer.body + "\n";
      }
      const simdjson::dom::element body = Parse(answer);
      const simdjson::dom::array found = body["Items"].get_array().value();
      for (const simdjson::dom::element item : found) {
        items.append(items.size() > 1 ? "," : "").append(simdjson::minify(item));
      }
      simdjson::dom::element last;
      if (body["LastEvaluatedKey"].get(last) != simdjson::SUCCESS) {
        return {};
      }
      page = With(request, "ExclusiveStartKey", std::string(simdjson::minify(last)));
    }
    return "the pages do not end: " + page + "\n";
  }

  // What all shards of a stream hold together.
  std::string RunCollectStream(const Step& step) {
    const std::string arn(parser_.parse(step.request)["StreamArn"].get_string().value());
    StreamContent content;
    std::string problem = ReadStream(*shared_backend, arn, content);
    if (!problem.empty()) {
      return problem;
    }
    const std::string differences =
        Differences(Expected(*step.collect), parser_.parse(content.records).value());
    return differences + kept_.Keep(step, parser_.parse(content.places).value());
  }

  // What all pages, and all segments of a scan, hold together.
  std::string RunCollect(const Step& step) {
    std::string items = "[";
    std::string problem;
    if (step.segments == 0) {
      problem = CollectPages(step, step.request, items);
    }
    for (int segment = 0; segment < step.segments && problem.empty(); ++segment) {
      problem = CollectPages(step,
                             With(With(step.request, "Segment", std::to_string(segment)),
                                  "TotalSegments", std::to_string(step.segments)),
                             items);
    }
    items.push_back(']');
    return problem.empty() ? Differences(Expected(*step.collect), parser_.parse(items).value())
                           : problem;
  }

  std::string RunUntil(const Step& step) {
    const auto deadline = std::chrono::steady_clock::now() + kUntilLimit;
    for (;;) {
      const Answer answer = shared_backend->Call(step.operation, step.request);
      const simdjson::dom::element body = Parse(answer);
      std::string differences = Differences(Expected(*step.until), body, true);
      if (differences.empty()) {
        return kept_.Keep(step, body);
      }
      // Nothing comes of an operation that the service does not have.
      if (IsUnknownOperation(body) || std::chrono::steady_clock::now() > deadline) {
        return differences;
      }
      std::this_thread::yield();
    }
  }

  static bool IsUnknownOperation(simdjson::dom::element body) {
    std::string_view type;
    return body["__type"].get(type) == simdjson::SUCCESS &&
           type.ends_with("#UnknownOperationException");
  }

  // What a case expects, with what was kept filled in.
  simdjson::dom::element Expected(simdjson::dom::element expected) {
    const std::string text(simdjson::minify(expected));
    return text.find("${") == std::string::npos ? expected
                                                : expected_parser_.parse(kept_.Fill(text)).value();
  }

  std::string RunStep(Step step) {
    step.request = kept_.Fill(step.request);
    if (step.collect) {
      return step.operation == "GetRecords" ? RunCollectStream(step) : RunCollect(step);
    }
    if (step.until) {
      return RunUntil(step);
    }
    const Answer answer = shared_backend->Call(step.operation, step.request);
    const simdjson::dom::element body = Parse(answer);
    if (!step.response) {
      return CheckError(step, answer, body);
    }
    if (answer.status != 200) {
      return "expected success, got " + answer.body + "\n";
    }
    return Differences(Expected(*step.response), body) + kept_.Keep(step, body);
  }

  std::string CheckError(const Step& step, const Answer& answer, simdjson::dom::element body) {
    std::string_view type;
    if (answer.status < 400 || body["__type"].get(type) != simdjson::SUCCESS) {
      return "expected " + *step.error + ", got " + answer.body.substr(0, 2000) + "\n";
    }
    std::string problem;
    if (type.substr(type.find('#') + 1) != *step.error) {
      problem = "expected " + *step.error + ", got " + answer.body + "\n";
    }
    if (step.message) {
      simdjson::dom::element message;
      if (body["message"].get(message) != simdjson::SUCCESS &&
          body["Message"].get(message) != simdjson::SUCCESS) {
        return problem + "the error has no message: " + answer.body + "\n";
      }
      problem += Differences(Expected(*step.message), message);
    }
    if (step.detail) {
      problem += Differences(*step.detail, body, true);
    }
    return problem;
  }

  std::string RunCase(const Case& one) {
    std::string problems;
    for (size_t i = 0; i < one.steps.size(); ++i) {
      for (int time = 0; time < one.steps[i].repeat; ++time) {
        const std::string problem = Join(one.steps[i], RunStep(one.steps[i]));
        if (!problem.empty()) {
          problems += "step " + std::to_string(i) + ": " + problem;
        }
      }
    }
    return problems;
  }

  // Makes the file's tables and waits until they can be used: other services take their time.
  std::string MakeTables(const CaseFile& file) {
    for (size_t i = 0; i < file.tables.size(); ++i) {
      const Answer answer = shared_backend->Call("CreateTable", file.tables[i]);
      if (answer.status != 200) {
        return file.table_names[i] + ": " + answer.body;
      }
    }
    const auto deadline = std::chrono::steady_clock::now() + kUntilLimit;
    for (const std::string& name : file.table_names) {
      while (!IsActive(shared_backend->Call("DescribeTable", "{\"TableName\":\"" + name + "\"}"))) {
        if (std::chrono::steady_clock::now() > deadline) {
          return name + " does not become active";
        }
        std::this_thread::yield();
      }
    }
    return {};
  }

  bool IsActive(const Answer& answer) {
    std::string_view status;
    return Parse(answer)["Table"]["TableStatus"].get(status) == simdjson::SUCCESS &&
           status == "ACTIVE";
  }

  // A case that fails must be listed, and a case that is listed must fail.
  static void Judge(const std::string& file, std::string_view name, const std::string& problems) {
    const auto reason = known_failures.Find(file, name);
    if (!problems.empty() && !reason) {
      ADD_FAILURE() << file << ": " << name << "\n" << problems;
    } else if (problems.empty() && reason) {
      ADD_FAILURE() << file << ": " << name
                    << " passes, but is listed as a known failure: " << *reason;
    }
  }

  simdjson::dom::parser parser_;
  simdjson::dom::parser expected_parser_;
  KeptValues kept_;
};

TEST_P(ConformanceTest, AnswersAsDocumented) {
  const std::string name = FileName(GetParam());
  const CaseFile file = CaseFile::Load(GetParam());
  ASSERT_FALSE(file.cases.empty());
  for (const auto& [listed, reason] : known_failures.OfFile(name)) {
    EXPECT_TRUE(listed == KnownFailures::kTables ||
                std::ranges::find(file.cases, listed, &Case::name) != file.cases.end())
        << "listed as a known failure, but there is no such case: " << listed;
  }
  const std::string problem = MakeTables(file);
  Judge(name, KnownFailures::kTables, problem);
  if (problem.empty()) {
    for (const Case& one : file.cases) {
      Judge(name, one.name, RunCase(one));
    }
  }
  for (const std::string& table : file.table_names) {
    shared_backend->Call("DeleteTable", "{\"TableName\":\"" + table + "\"}");
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ConformanceTest, testing::ValuesIn(CaseFiles()),
                         [](const testing::TestParamInfo<std::string>& path) {
                           return FileName(path.param);
                         });

}  // namespace
}  // namespace tintype::conformance
