#pragma once

namespace tintype {

/// Whether a request that failed may be made again.
enum class RetryAdvice {
  kNever,        ///< It would fail again in the same way.
  kRefused,      ///< It was not carried out, and may be next time.
  kOutcomeOpen,  ///< It may have been carried out, and may be next time.
};

}  // namespace tintype
