"""Pictures to upload: painted, with the noise of a sensor, so that they compress as photos do; and files that are
broken.

Each seed gives other bytes, since the product answers the same bytes of one user with the image it has.
"""

import ctypes
import io
import random
import struct
import zlib

from PIL import Image, ImageDraw, ImageFilter
from PIL.TiffImagePlugin import IFDRational

# The numbers that EXIF gives to what a camera writes.
MAKE, MODEL, ORIENTATION, CAMERA_BLOCK = 0x010F, 0x0110, 0x0112, 0x8769
EXPOSURE_TIME, ISO, TAKEN_AT, LENS_MODEL = 0x829A, 0x8827, 0x9003, 0xA434
APERTURE, OFFSET, GPS_BLOCK = 0x829D, 0x9011, 0x8825


def paint(seed, width, height):
    """Soft shapes under noise."""
    chance = random.Random(seed)

    def color():
        return tuple(chance.randrange(256) for _ in range(3))

    picture = Image.new("RGB", (width, height), color())
    draw = ImageDraw.Draw(picture)
    for _ in range(25):
        x, y, radius = chance.randrange(width), chance.randrange(height), chance.randrange(2, max(3, width // 4))
        draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=color())
    picture = picture.filter(ImageFilter.GaussianBlur(max(1, width // 200)))
    noise = Image.frombytes("L", (width, height), chance.randbytes(width * height)).convert("RGB")
    return Image.blend(picture, noise, 0.08)


def encode(picture, kind, **options):
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return stream.getvalue()


def jpeg(seed, width=320, height=240, **options):
    return encode(paint(seed, width, height), "JPEG", quality=90, **options)


def png(seed, width=320, height=240):
    return encode(paint(seed, width, height), "PNG")


def webp(seed, width=320, height=240):
    return encode(paint(seed, width, height), "WEBP", quality=90)


def gif(seed, width=320, height=240, frames=1):
    """Moving when there are several frames, of which the first is the picture of the seed."""
    pictures = [paint(seed if n == 0 else f"{seed} {n}", width, height) for n in range(frames)]
    return encode(pictures[0], "GIF", save_all=True, append_images=pictures[1:], duration=100)


def tiff(seed, width=320, height=240, **options):
    return encode(paint(seed, width, height), "TIFF", **options)


def by_vips(picture, suffix):
    """Formats that PIL cannot write: `.heic`, `.avif`."""
    vips = ctypes.CDLL("libvips.so.42")
    vips.vips_image_new_from_buffer.restype = ctypes.c_void_p
    if vips.vips_init(b"photos") != 0:
        raise RuntimeError("libvips does not start")
    png_bytes = encode(picture, "PNG")
    image = vips.vips_image_new_from_buffer(png_bytes, ctypes.c_size_t(len(png_bytes)), b"", None)
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    failed = not image or vips.vips_image_write_to_buffer(ctypes.c_void_p(image), suffix.encode(), ctypes.byref(data),
                                                          ctypes.byref(size), None)
    if failed:
        raise RuntimeError(f"libvips cannot write {suffix}")
    return ctypes.string_at(data, size.value)


def dng(seed, width=320, height=240):
    """A camera's raw file: some pixels of a sensor, and the picture that the camera made of them as a JPEG file."""
    preview = jpeg(seed, width, height)

    def directory(at, entries):
        """A directory of TIFF for that offset. Values are numbers, text or bytes; long ones are kept behind it."""
        behind = at + 2 + 12 * len(entries) + 4
        head, kept = struct.pack("<H", len(entries)), b""
        for tag, value in sorted(entries.items()):
            if isinstance(value, bytes):
                kind, count, raw = 7, len(value), value
            elif isinstance(value, str):
                kind, count, raw = 2, len(value) + 1, value.encode() + b"\0"
            else:
                kind, count, raw = 4, len(value), struct.pack(f"<{len(value)}I", *value)
            if len(raw) > 4:
                head += struct.pack("<HHII", tag, kind, count, behind + len(kept))
                kept += raw + b"\0" * (len(raw) % 2)
            else:
                head += struct.pack("<HHI", tag, kind, count) + raw.ljust(4, b"\0")
        return head + struct.pack("<I", 0) + kept

    file = b"II*\0\0\0\0\0" + preview + b"\0" * (len(preview) % 2)
    sensor_at, sensor = len(file), b"\x2a" * 512
    file += sensor
    raw_at = len(file)
    file += directory(raw_at, {254: [0], 256: [16], 257: [16], 258: [16], 259: [1], 262: [32803], 273: [sensor_at], 277: [1],
                               278: [16], 279: [512]})
    preview_at = len(file)
    file += directory(preview_at, {254: [1], 513: [8], 514: [len(preview)]})
    first_at = len(file)
    file += directory(first_at, {254: [1], MAKE: "ACME", MODEL: "Raw One", 330: [preview_at, raw_at],
                                 50706: b"\x01\x04\0\0"})
    return file[:4] + struct.pack("<I", first_at) + file[8:]


def place_exif():
    """What a telephone writes beside the camera's: when exactly, and where: Sydney's opera."""
    exif = camera_exif()
    exif[CAMERA_BLOCK] = {**exif[CAMERA_BLOCK], APERTURE: IFDRational(28, 10), OFFSET: "+10:00"}
    exif[GPS_BLOCK] = {1: "S", 2: (33.0, 51.0, 24.84), 3: "E", 4: (151.0, 12.0, 54.0), 5: b"\0", 6: 12.5}
    return exif


def camera_exif(orientation=1):
    """What a camera of the make ACME writes into a photo that was taken at 1/125 s."""
    exif = Image.Exif()
    exif[MAKE] = "ACME"
    exif[MODEL] = "Box One"
    exif[ORIENTATION] = orientation
    exif[CAMERA_BLOCK] = {ISO: 400, EXPOSURE_TIME: IFDRational(1, 125), LENS_MODEL: "ACME 50mm F1.8",
                          TAKEN_AT: "2024:05:01 10:11:12"}
    return exif


def size_of(data):
    """Width and height, after decoding every pixel; raises when the file is damaged."""
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()
        return picture.size


def difference(data, picture):
    """How far a file looks from a picture: the mean difference of colours, 0 to 255, in the worst field of a grid."""
    with Image.open(io.BytesIO(data)) as decoded:
        grids = [each.convert("RGB").resize((8, 8), Image.BOX).tobytes() for each in (decoded, picture)]
    fields = [sum(abs(a - b) for a, b in zip(grids[0][n:n + 3], grids[1][n:n + 3])) / 3 for n in range(0, len(grids[0]), 3)]
    return max(fields)


def format_of(data):
    with Image.open(io.BytesIO(data)) as picture:
        return picture.format


def bomb(side=30_000):
    """A PNG of a few hundred bytes whose header announces nearly a thousand million pixels."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 10_000)) +
            chunk(b"IEND", b""))


def corrupt(seed):
    """The beginning of a JPEG, then nothing that makes sense."""
    return b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00" + random.Random(seed).randbytes(4000)
