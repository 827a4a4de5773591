#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "contexts/analysis/ai_options.h"
#include "contexts/intake/storage_use.h"
#include "contexts/people/people.h"

namespace tintype::flows {

/// What the operator chose, for all flows.
struct ProductConfig {
  /// Where originals arrive, and where everything that is shown is kept.
  std::string uploads_bucket = "uploads";
  std::string images_bucket = "images";
  /// What links to media begin with. Default: this machine alone can follow them.
  std::string public_url = "http://127.0.0.1:8080";
  std::string stack = "tintype";     // In the names of Media2Cloud's tables.
  std::string environment = "dev";   // In the name of the photo editor's table.
  std::string region = "us-east-1";  // In ARNs.
  /// Which of the processes that work on these tables this one is. Empty: there is only one.
  std::string node;
  /// Of WebP renditions, 1 to 100.
  int32_t quality = 85;
  /// How hard the encoder tries, 0 to 6.
  int32_t effort = 4;
  /// Of uploads that do not say.
  contexts::people::Visibility visibility = contexts::people::Visibility::kPrivate;
  /// What is looked for in uploads that do not say.
  contexts::analysis::AiOptions ai_options;
  /// How many images a new user may upload.
  int64_t upload_limit = contexts::people::kDefaultLimit;
  /// How many bytes a new user may store; intake::kNoQuota for any amount.
  int64_t quota = contexts::intake::kNoQuota;
  /// How long an image stays in the trash before it is deleted.
  std::chrono::hours trash_kept{24 * 30};
  /// How long nothing may be heard of an upload before it counts as abandoned.
  std::chrono::seconds upload_kept{std::chrono::hours(24)};
  /// How many uploads of one account may be on their way at once, of those that last longer than a
  /// request.
  int64_t uploads_in_progress_max = 100;
  /// How many edit jobs of one account may wait to be worked on.
  int64_t jobs_waiting_max = 200;
};

}  // namespace tintype::flows
