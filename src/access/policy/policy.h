#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "access/policy/context.h"
#include "base/result.h"

namespace tintype::access {

namespace internal {
struct CompiledPolicy;
}  // namespace internal

/// One action on one resource. Views: nothing is copied.
struct PolicyRequest {
  /// `dynamodb:GetItem`. Batches and transactions ask once for each item or table.
  std::string_view action;
  /// The ARN of a table, index, stream, backup, export or import; `*` for operations without one.
  std::string_view resource;
  const PolicyContext& context;
};

enum class Verdict : uint8_t {
  kAllowed,
  kDeniedByDefault,   ///< No statement allows it.
  kDeniedExplicitly,  ///< A statement denies it, whatever others allow.
};

/// A verdict with the statement that led to it, for the audit.
struct PolicyDecision {
  Verdict verdict = Verdict::kDeniedByDefault;
  /// Counted from 1; 0 when no statement applied.
  uint32_t statement = 0;
  /// That statement's `Sid`, which may be empty. A view into the policy.
  std::string_view sid = {};

  bool allowed() const { return verdict == Verdict::kAllowed; }
};

/// A policy document in IAM's language, of an access key or of a table or stream, compiled. Nothing
/// is allowed without a statement that allows it, and a statement that denies wins over all others.
///
/// Immutable, so that copies share what was compiled and threads may share a policy.
class Policy {
 public:
  /// A document's bytes; AWS counts up to 10,240 without blanks, depending on what it is for.
  static constexpr size_t kDocumentBytesMax = 10'240;
  /// Of a table's or stream's; here AWS counts blanks too.
  static constexpr size_t kResourceDocumentBytesMax = 20'480;
  static constexpr size_t kStatementsMax = 64;
  /// Values in one list, and conditions in one statement.
  static constexpr size_t kListMax = 256;
  /// Of one pattern, which makes matching take time in proportion to the text.
  static constexpr size_t kPatternBytesMax = 2'048;
  static constexpr size_t kPatternWildcardsMax = 32;

  /// Errors: kValidation, with the place ("Statement 2 (ReadOwn), Condition, StringEquals: ...")
  /// and what is wrong there.
  static Result<Policy> Parse(std::string_view document);

  /// A policy that is attached to a resource, the ARN of a table or of a stream: each statement has
  /// a `Principal` or `NotPrincipal` too, and is about this resource, or an index of it. It is
  /// evaluated for the key that the context names as `aws:username`. REQUIRES:
  /// IsPolicyResource(resource_arn). Errors: as Parse.
  static Result<Policy> ParseForResource(std::string_view document, std::string_view resource_arn);

  /// Allocates nothing, unless a policy variable stands for something that has to be spelled out.
  PolicyDecision Evaluate(const PolicyRequest& request) const;

  /// The text that was parsed, as it was.
  std::string_view document() const;

  /// Whether any statement looks at the key: callers need not find out what nobody asks about.
  bool Uses(ConditionKey key) const;

 private:
  explicit Policy(std::shared_ptr<const internal::CompiledPolicy> compiled);

  // Shared by the copies of the policy: each request that is under way holds the one that it was
  // decided by, while the key's policy may be replaced.
  std::shared_ptr<const internal::CompiledPolicy> compiled_;
};

/// Whether an ARN is one of those that policies can be attached to: a table's or a stream's.
bool IsPolicyResource(std::string_view arn);

/// Several policies for one request, such as a key's and a table's: explicit denials win over all
/// that others allow. Nothing is allowed by no policies.
PolicyDecision Evaluate(std::span<const Policy> policies, const PolicyRequest& request);

}  // namespace tintype::access
