#pragma once

#include <cstdint>
#include <optional>

#include "contexts/analysis/analysis.h"
#include "contexts/catalog/catalog.h"
#include "contexts/catalog/similarity.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/jobs/jobs.h"
#include "contexts/people/people.h"
#include "tables/language/values/value.h"

/// The read side: what a list or a record shows, and to whom.
namespace tintype::views {

/// What the operator chose to show.
struct ViewConfig {
  /// Whether accounts see each other's e-mail addresses.
  bool addresses = false;
};

/// The contexts that views read. Owned by the program's wiring; thread-safe, as its parts are.
struct Sources {
  contexts::identity::Accounts& accounts;
  contexts::catalog::Catalog& catalog;
  contexts::catalog::SimilarityIndex& similarity;
  contexts::people::People& people;
  contexts::analysis::AnalysisRecords& analysis;
  contexts::jobs::Jobs& jobs;
  ViewConfig config = {};
};

/// Who looks: the account that a request was authenticated for.
using Viewer = contexts::identity::Account;

/// Which part of a list is wanted.
struct PageRequest {
  int64_t limit = 20;
  std::optional<tables::Item> after;  // The `next` of the page before.
};

}  // namespace tintype::views
