#include "access/audit/link_json.h"

#include "base/time_text.h"

namespace tintype::access::audit {
namespace {

void TextUnlessEmpty(json::Writer& json, std::string_view name, const std::string& text) {
  if (!text.empty()) {
    json.Text(name, text);
  }
}

}  // namespace

void WriteLink(json::Writer& json, const Link& link) {
  const Link::Fields& entry = link.entry;
  json.OpenObject();
  json.Text("time", TimeText(link.time_ms));
  json.Text("kind", entry.kind);
  json.Text("outcome", entry.outcome);
  json.Text("principalKind", entry.principal_kind);
  TextUnlessEmpty(json, "principalId", entry.principal_id);
  TextUnlessEmpty(json, "accountId", entry.account_id);
  if (entry.administrator) {
    json.Bool("administrator", true);
  }
  TextUnlessEmpty(json, "address", entry.address);
  TextUnlessEmpty(json, "requestId", entry.request_id);
  TextUnlessEmpty(json, "subject", entry.subject);
  json.Integer("count", entry.count);
  json.Name("details");
  json.OpenObject();
  for (const auto& [name, value] : entry.details) {
    json.Text(name, value);
  }
  json.CloseObject();
  json.Text("chain", link.chain);
  json.Integer("sequence", link.sequence);
  json.Text("previous", link.previous);
  json.Text("hash", link.hash);
  json.CloseObject();
}

}  // namespace tintype::access::audit
