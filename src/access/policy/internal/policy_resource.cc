#include "access/policy/internal/policy_resource.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/strings.h"

namespace tintype::access::internal {
namespace {

// Those that there are not here are known all the same: policies come from elsewhere too. The
// actions of a transaction are those of its parts.
constexpr auto kTableActions = std::to_array<std::string_view>({
    "batchgetitem",
    "batchwriteitem",
    "conditioncheckitem",
    "createbackup",
    "createtablereplica",
    "deleteitem",
    "deleteresourcepolicy",
    "deletetable",
    "deletetablereplica",
    "describecontinuousbackups",
    "describecontributorinsights",
    "describekinesisstreamingdestination",
    "describetable",
    "describetablereplicaautoscaling",
    "describetimetolive",
    "disablekinesisstreamingdestination",
    "enablekinesisstreamingdestination",
    "exporttabletopointintime",
    "getitem",
    "getresourcepolicy",
    "listtagsofresource",
    "partiqldelete",
    "partiqlinsert",
    "partiqlselect",
    "partiqlupdate",
    "putitem",
    "putresourcepolicy",
    "query",
    "restoretabletopointintime",
    "scan",
    "tagresource",
    "untagresource",
    "updatecontinuousbackups",
    "updatecontributorinsights",
    "updateitem",
    "updatekinesisstreamingdestination",
    "updatetable",
    "updatetablereplicaautoscaling",
    "updatetimetolive",
});
constexpr auto kStreamActions = std::to_array<std::string_view>({
    "deleteresourcepolicy",
    "describestream",
    "getrecords",
    "getresourcepolicy",
    "getsharditerator",
    "putresourcepolicy",
});
static_assert(std::ranges::is_sorted(kTableActions) && std::ranges::is_sorted(kStreamActions));

constexpr std::string_view kService = "dynamodb:";

std::span<const std::string_view> ActionsOn(ResourceKind kind) {
  return kind == ResourceKind::kTable ? std::span<const std::string_view>(kTableActions)
                                      : std::span<const std::string_view>(kStreamActions);
}

/// Whether a pattern can mean a text, and whether it can mean one that begins with it and goes on.
struct Meaning {
  bool text = false;
  bool longer = false;
};

/// `*` and variables are any characters, `?` is any one. Takes as many steps as both texts have
/// characters, multiplied.
Meaning MeaningOf(std::string_view pattern, std::string_view text) {
  // For each n, whether the pattern up to here can be the first n characters.
  std::vector<bool> ends(text.size() + 1, false);
  ends[0] = true;
  Meaning meaning;
  bool many = false;
  for (size_t at = 0; at < pattern.size(); ++at) {
    // The rest of the pattern stands for what follows the text.
    meaning.longer = meaning.longer || ends.back();
    many = pattern[at] == '*';
    if (pattern.substr(at).starts_with("${")) {
      many = true;
      at = std::min(pattern.find('}', at), pattern.size());
    }
    if (many) {
      for (size_t end = 1; end < ends.size(); ++end) {
        ends[end] = ends[end] || ends[end - 1];
      }
      continue;
    }
    for (size_t end = ends.size() - 1; end > 0; --end) {
      ends[end] = ends[end - 1] && (pattern[at] == '?' || pattern[at] == text[end - 1]);
    }
    ends[0] = false;
  }
  meaning.text = ends.back();
  meaning.longer = meaning.longer || (many && ends.back());
  return meaning;
}

}  // namespace

std::optional<PolicyResource> PolicyResource::FromArn(std::string_view arn) {
  // arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
  constexpr std::string_view kScheme = "arn:aws:dynamodb:";
  constexpr std::string_view kTable = "table/";
  if (!arn.starts_with(kScheme)) {
    return std::nullopt;
  }
  const size_t region_end = arn.find(':', kScheme.size());
  const size_t account_end =
      region_end == std::string_view::npos ? std::string_view::npos : arn.find(':', region_end + 1);
  if (account_end == std::string_view::npos || !arn.substr(account_end + 1).starts_with(kTable)) {
    return std::nullopt;
  }
  const std::string_view name = arn.substr(account_end + 1 + kTable.size());
  const size_t slash = name.find('/');
  const bool of_stream = slash != std::string_view::npos;
  if (name.empty() || slash == 0 || (of_stream && !name.substr(slash).starts_with("/stream/"))) {
    return std::nullopt;
  }
  return PolicyResource{
      .kind = of_stream ? ResourceKind::kStream : ResourceKind::kTable,
      .arn = std::string(arn),
      .account = std::string(arn.substr(region_end + 1, account_end - region_end - 1))};
}

bool PolicyResource::CanBeMeantBy(std::string_view pattern) const {
  return MeaningOf(pattern, arn).text ||
         (kind == ResourceKind::kTable && MeaningOf(pattern, StrCat(arn, "/index/")).longer);
}

bool IsActionOn(ResourceKind kind, std::string_view action) {
  return action.starts_with(kService) &&
         std::ranges::binary_search(ActionsOn(kind), action.substr(kService.size()));
}

bool MeansActionOn(ResourceKind kind, std::string_view pattern) {
  return std::ranges::any_of(ActionsOn(kind), [&](std::string_view action) {
    return MeaningOf(pattern, StrCat(kService, action)).text;
  });
}

}  // namespace tintype::access::internal
