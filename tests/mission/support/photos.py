"""Pictures to upload: painted, with the noise of a sensor, so that they compress as photos do; and files that are broken.

Each seed gives other bytes, since the product answers the same bytes of one user with the image it has.
"""

import io
import random
import struct
import zlib

from PIL import Image, ImageDraw, ImageFilter
from PIL.TiffImagePlugin import IFDRational

# The numbers that EXIF gives to what a camera writes.
MAKE, MODEL, ORIENTATION, CAMERA_BLOCK = 0x010F, 0x0110, 0x0112, 0x8769
EXPOSURE_TIME, ISO, TAKEN_AT, LENS_MODEL = 0x829A, 0x8827, 0x9003, 0xA434


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
