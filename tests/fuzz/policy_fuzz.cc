// Policies of access keys, and of a table and a stream. Input: a line for the action, the resource
// and the context's texts, with commas between them; all after it is the document. A policy that
// parses is evaluated and must hold to what every policy promises.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "access/policy/policy.h"
#include "base/check.h"
#include "base/strings.h"
#include "input.h"
#include "json/value.h"
#include "json/writer.h"

namespace tintype::access {
namespace {

/// A request whose parts come from the fuzzer, so that they can be what the document says.
class FuzzRequest {
 public:
  explicit FuzzRequest(std::string_view line) {
    while (true) {
      const size_t comma = line.find(',');
      parts_.push_back(line.substr(0, comma));
      if (comma == std::string_view::npos) {
        break;
      }
      line.remove_prefix(comma + 1);
    }
    parts_.resize(std::max<size_t>(parts_.size(), 6));
    context_.username = parts_[2];
    context_.select = parts_[3];
    context_.source_ip = parts_[4];
    context_.principal_arn = parts_[5];
    keys_.assign(parts_.begin() + 6, parts_.end());
    context_.leading_keys = keys_;
    context_.attributes = keys_;
    if (keys_.size() % 2 == 1) {
      context_.now_ms = 1'772'323'200'000;
      context_.secure_transport = true;
    }
  }
  FuzzRequest(const FuzzRequest&) = delete;
  FuzzRequest& operator=(const FuzzRequest&) = delete;

  PolicyRequest get() const { return {parts_[0], parts_[1], context_}; }

 private:
  std::vector<std::string_view> parts_;
  std::vector<std::string_view> keys_;
  PolicyContext context_;
};

/// The document with every effect replaced.
std::string WithEffect(const json::Value& document, std::string_view effect) {
  json::Writer json;
  json.OpenObject();
  for (const auto& [name, value] : *document.object()) {
    json.Name(name);
    if (name != "Statement") {
      json.Any(value);
      continue;
    }
    json.OpenArray();
    const json::Value::Array one = {value};
    for (const json::Value& statement : value.array() == nullptr ? one : *value.array()) {
      json.OpenObject();
      for (const auto& [member, content] : *statement.object()) {
        json.Name(member);
        if (member == "Effect") {
          json.Text(effect);
        } else {
          json.Any(content);
        }
      }
      json.CloseObject();
    }
    json.CloseArray();
  }
  json.CloseObject();
  return std::move(json).Take();
}

using Parse = Result<Policy> (*)(std::string_view document);

Result<Policy> ParseForTable(std::string_view document) {
  return Policy::ParseForResource(document,
                                  "arn:aws:dynamodb:us-east-1:000000000000:table/GameScores");
}
Result<Policy> ParseForStream(std::string_view document) {
  return Policy::ParseForResource(document,
                                  "arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/1");
}

void CheckPolicy(std::string_view document, const PolicyRequest& request, Parse parse) {
  const Result<Policy> policy = parse(document);
  if (!policy.ok()) {
    CHECK(policy.error().kind() == ErrorKind::kValidation);
    CHECK(!policy.error().message().empty());
    return;
  }
  CHECK(policy->document() == document);
  const PolicyDecision decision = policy->Evaluate(request);
  CHECK((decision.statement == 0) == (decision.verdict == Verdict::kDeniedByDefault));

  // Printed again it decides the same, unless printing made it too long.
  const Result<json::Value> value = json::Parse(document, document.size());
  CHECK(value.ok());
  json::Writer json;
  json.Any(*value);
  const Result<Policy> again = parse(std::move(json).Take());
  CHECK(!again.ok() || again->Evaluate(request).verdict == decision.verdict);

  // Denials alone never allow, and allowances alone never deny explicitly.
  const Result<Policy> denying = parse(WithEffect(*value, "Deny"));
  CHECK(!denying.ok() || !denying->Evaluate(request).allowed());
  const Result<Policy> allowing = parse(WithEffect(*value, "Allow"));
  CHECK(!allowing.ok() || allowing->Evaluate(request).verdict != Verdict::kDeniedExplicitly);

  // Together with a policy that denies everything, it allows nothing; with an equal one, the same.
  const Result<Policy> nothing =
      Policy::Parse(R"({"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}})");
  CHECK(!Evaluate(std::vector{*policy, *nothing}, request).allowed());
  CHECK(Evaluate(std::vector{*policy, *policy}, request).verdict == decision.verdict);
}

}  // namespace
}  // namespace tintype::access

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  const tintype::access::FuzzRequest request(input.Line());
  using tintype::access::CheckPolicy;
  const std::string_view document = input.Rest();
  CheckPolicy(document, request.get(), tintype::access::Policy::Parse);
  CheckPolicy(document, request.get(), tintype::access::ParseForTable);
  CheckPolicy(document, request.get(), tintype::access::ParseForStream);
  return 0;
}
