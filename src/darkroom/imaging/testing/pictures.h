#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include <vips/vips8>

namespace tintype::darkroom {

// Pictures for tests, made on the spot, and a look at what came out. All of it aborts the test on
// errors.

/// To be called before any other of these; starts libvips within the test.
void StartPictures();

/// Red, green, blue, white: top left, top right, bottom left, bottom right.
vips::VImage Quadrants(int width, int height);
/// One colour.
vips::VImage Plain(int width, int height, std::array<int, 3> color);
/// Something like a photo: smooth shades with fine noise, the same every time.
vips::VImage Photo(int width, int height);
/// As photos are: clouds of every size, the finer the fainter, each band its own; patches with
/// sharp edges; and a little noise. The same every time.
vips::VImage Scene(int width, int height);
/// The image with a fourth band: opaque in its left half, transparent in the right.
vips::VImage WithHalfTransparent(const vips::VImage& image);

std::string Jpeg(const vips::VImage& image, vips::VOption* options = nullptr);
std::string Png(const vips::VImage& image, vips::VOption* options = nullptr);
std::string Webp(const vips::VImage& image, vips::VOption* options = nullptr);
std::string Gif(const vips::VImage& image, vips::VOption* options = nullptr);
std::string Tiff(const vips::VImage& image, vips::VOption* options = nullptr);
std::string Heic(const vips::VImage& image);
std::string Avif(const vips::VImage& image);

/// Frames of the same size, one below the other, as the formats for animations and documents are
/// saved from.
vips::VImage Pages(const std::vector<vips::VImage>& frames);

/// The same PNG file with an EXIF block in its chunk `eXIf`.
std::string WithPngExif(const std::string& png, std::string_view block);
/// The EXIF block of a JPEG file.
std::string ExifBlockOf(const std::string& jpeg);

/// A PNG that says in its header to have that size, followed by what such an image of zeros
/// compresses to.
std::string PngBomb(uint32_t side, bool interlaced);

/// A TIFF or BigTIFF file of libtiff, which has the directory behind the pixels, with both the
/// other way round, as many other programs write it.
std::string WithDirectoryFirst(const std::string& tiff);

/// Decodes a file that one of ours has written.
vips::VImage Decode(std::string_view bytes);

/// Whether a pixel is within a tolerance of an expected colour, for each band.
bool IsNear(const vips::VImage& image, int x, int y, std::array<int, 3> expected,
            int tolerance = 24);
/// Whether the four quadrants are where Quadrants puts them.
bool HasUprightQuadrants(const vips::VImage& image);

}  // namespace tintype::darkroom
