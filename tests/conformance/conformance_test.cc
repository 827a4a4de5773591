// Runs every case file of tests/conformance/cases against the backend that this program links.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "backend.h"
#include "case_file.h"
#include "match.h"

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

// One backend for the whole program: files use tables of their own names. It ends before the
// program does, so that its threads are gone when libraries clean up.
std::unique_ptr<Backend> shared_backend;

class SharedBackendEnvironment : public testing::Environment {
 public:
  void SetUp() override { shared_backend = StartBackend(); }
  void TearDown() override { shared_backend.reset(); }
};
const testing::Environment* const environment =
    testing::AddGlobalTestEnvironment(new SharedBackendEnvironment);

// Far more than any case needs: a start key that does not move on would page for ever.
constexpr int kMostPages = 1000;

class ConformanceTest : public testing::TestWithParam<std::string> {
 protected:
  // Parses an answer's body; it must be JSON whatever the status, or nothing at all, as TagResource
  // answers.
  simdjson::dom::element Parse(const Answer& answer) {
    if (answer.status == 200 && answer.body.empty()) {
      return parser_.parse(std::string("{}")).value();
    }
    simdjson::dom::element body;
    const auto error = parser_.parse(answer.body).get(body);
    EXPECT_EQ(error, simdjson::SUCCESS) << answer.body;
    if (error != simdjson::SUCCESS) {
      body = parser_.parse(std::string("{}")).value();
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
  void CollectPages(const Step& step, const std::string& request, std::string& items) {
    std::string page = request;
    for (int i = 0; i < kMostPages; ++i) {
      const Answer answer = shared_backend->Call(step.operation, page);
      ASSERT_EQ(answer.status, 200) << answer.body;
      const simdjson::dom::element body = Parse(answer);
      const simdjson::dom::array found = body["Items"].get_array().value();
      for (const simdjson::dom::element item : found) {
        items.append(items.size() > 1 ? "," : "").append(simdjson::minify(item));
      }
      simdjson::dom::element last;
      if (body["LastEvaluatedKey"].get(last) != simdjson::SUCCESS) {
        return;
      }
      page = With(request, "ExclusiveStartKey", std::string(simdjson::minify(last)));
    }
    FAIL() << "the pages do not end: " << page;
  }

  // What all pages, and all segments of a scan, hold together.
  void RunCollect(const Step& step) {
    std::string items = "[";
    if (step.segments == 0) {
      CollectPages(step, step.request, items);
    }
    for (int segment = 0; segment < step.segments; ++segment) {
      CollectPages(step,
                   With(With(step.request, "Segment", std::to_string(segment)), "TotalSegments",
                        std::to_string(step.segments)),
                   items);
    }
    items.push_back(']');
    EXPECT_EQ(Differences(*step.collect, parser_.parse(items).value()), "")
        << step.operation << " " << step.request;
  }

  void RunStep(const Step& step) {
    if (step.collect) {
      RunCollect(step);
      return;
    }
    Answer answer = shared_backend->Call(step.operation, step.request);
    if (step.until) {
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (!Differences(*step.until, Parse(answer), true).empty()) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline)
            << step.operation << ": " << Differences(*step.until, Parse(answer), true);
        std::this_thread::yield();
        answer = shared_backend->Call(step.operation, step.request);
      }
      return;
    }
    const simdjson::dom::element body = Parse(answer);
    if (step.response) {
      EXPECT_EQ(answer.status, 200) << answer.body;
      EXPECT_EQ(Differences(*step.response, body), "") << step.operation << " " << step.request;
      return;
    }
    CheckError(step, answer, body);
  }

  static void CheckError(const Step& step, const Answer& answer, simdjson::dom::element body) {
    EXPECT_GE(answer.status, 400) << step.operation << " " << step.request;
    std::string_view type;
    ASSERT_EQ(body["__type"].get(type), simdjson::SUCCESS) << answer.body;
    EXPECT_EQ(type.substr(type.find('#') + 1), *step.error) << step.request << answer.body;
    if (step.message) {
      simdjson::dom::element message;
      if (body["message"].get(message) != simdjson::SUCCESS) {
        ASSERT_EQ(body["Message"].get(message), simdjson::SUCCESS) << answer.body;
      }
      EXPECT_EQ(Differences(*step.message, message), "") << step.operation << " " << step.request;
    }
    if (step.detail) {
      EXPECT_EQ(Differences(*step.detail, body, true), "") << step.operation;
    }
  }

  simdjson::dom::parser parser_;
};

TEST_P(ConformanceTest, AnswersAsDocumented) {
  const CaseFile file = CaseFile::Load(GetParam());
  ASSERT_FALSE(file.cases.empty());
  for (const std::string& table : file.tables) {
    const Answer answer = shared_backend->Call("CreateTable", table);
    ASSERT_EQ(answer.status, 200) << answer.body;
  }
  for (const Case& one : file.cases) {
    SCOPED_TRACE(one.name);
    for (size_t i = 0; i < one.steps.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "step " << i);
      for (int time = 0; time < one.steps[i].repeat; ++time) {
        RunStep(one.steps[i]);
      }
    }
  }
  for (const std::string& name : file.table_names) {
    shared_backend->Call("DeleteTable", "{\"TableName\":\"" + name + "\"}");
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ConformanceTest, testing::ValuesIn(CaseFiles()),
                         [](const testing::TestParamInfo<std::string>& path) {
                           return std::filesystem::path(path.param).stem().string();
                         });

}  // namespace
}  // namespace tintype::conformance
