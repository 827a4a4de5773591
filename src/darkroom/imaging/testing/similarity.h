#pragma once

#include <vips/vips8>

namespace tintype::darkroom {

/// How alike two images of the same size look: the structural similarity (SSIM) of their luminance
/// in windows of 8 x 8, on average; 1 for the same image.
double Similarity(const vips::VImage& a, const vips::VImage& b);

/// The largest difference of the means of a band in windows of 8 x 8: colours that are off, or
/// shifted.
double ColorDifference(const vips::VImage& a, const vips::VImage& b);

}  // namespace tintype::darkroom
