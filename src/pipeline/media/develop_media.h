#pragma once

#include <string_view>

#include "base/result.h"
#include "contexts/catalog/image.h"
#include "flows/images/develop.h"
#include "flows/product.h"
#include "pipeline/helpers.h"

/// What is made of originals that are no pictures, each of which is in its place. Doing it again
/// gives the same blobs. Of the result, `kinds` is left to the caller. Errors: kNotFound when the
/// original is missing; the darkroom's.
namespace tintype::pipeline {

/// A video or a sound: what is in its file, a poster with its renditions, how loud it is, and of a
/// video some of its pictures for those who look for things in them.
Result<flows::DevelopResult> DevelopPlayable(flows::Product& product, const Helpers& helpers,
                                             const contexts::catalog::Image& image);

/// A document: its first page with its renditions, and its text.
Result<flows::DevelopResult> DevelopDocument(flows::Product& product, const Helpers& helpers,
                                             const contexts::catalog::Image& image);

/// A file of which nothing can be shown: it is kept, and says so.
flows::DevelopResult KeepAsItIs(const contexts::catalog::Image& image);

}  // namespace tintype::pipeline
