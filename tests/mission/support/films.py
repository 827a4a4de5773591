"""Videos, sounds and documents to upload, made by ffmpeg and by hand."""

import json
import subprocess
import tempfile
from pathlib import Path

# What each container that is taken may hold, as ffmpeg's arguments: video, sound.
VIDEOS = {
    "mp4": ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"),
    "mov": ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"),
    "mkv": ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-c:a", "flac"),
    "webm": ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"),
    "avi": ("-c:v", "mpeg4", "-c:a", "libmp3lame"),
}
SOUNDS = {
    "mp3": ("-c:a", "libmp3lame"),
    "m4a": ("-c:a", "aac"),
    "flac": ("-c:a", "flac"),
    "ogg": ("-c:a", "libvorbis"),
    "wav": ("-c:a", "pcm_s16le"),
}


def ffmpeg(arguments, suffix):
    """The file that ffmpeg writes when it gets the arguments."""
    with tempfile.NamedTemporaryFile(suffix=f".{suffix}") as out:
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-nostdin", *map(str, arguments), out.name], check=True, timeout=120)
        return Path(out.name).read_bytes()


def video(container="mp4", seconds=2, size="320x240", rate=10, seed=0, extra=(), codecs=None):
    """A test pattern with a tone. Another seed is another file."""
    return ffmpeg(["-f", "lavfi", "-i", f"testsrc2=size={size}:rate={rate}:duration={seconds}",
                   "-f", "lavfi", "-i", f"sine=frequency={440 + seed}:duration={seconds}",
                   *(codecs or VIDEOS[container]), "-metadata", f"title=Pattern {seed}", *extra], container)


def silent_video(seconds=2, size="320x240"):
    return ffmpeg(["-f", "lavfi", "-i", f"testsrc2=size={size}:rate=10:duration={seconds}", *VIDEOS["mp4"][:6]], "mp4")


def video_of(picture, seconds=3, extra=()):
    """A video that shows a picture, without sound."""
    return ffmpeg(["-loop", "1", "-framerate", "5", "-i", picture, "-t", seconds, *VIDEOS["mp4"][:6], "-vf",
                   "scale=trunc(iw/2)*2:trunc(ih/2)*2", *extra], "mp4")


def sound(container="mp3", seconds=3, seed=0, extra=()):
    return ffmpeg(["-f", "lavfi", "-i", f"sine=frequency={440 + seed}:duration={seconds}", *SOUNDS[container],
                   "-metadata", f"title=Tone {seed}", "-metadata", "artist=Nobody", *extra], container)


def probe(data):
    """What ffprobe says of a file."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(data)
        done = subprocess.run(["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", file.name],
                              capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


def stream(probed, kind):
    return next((each for each in probed["streams"] if each["codec_type"] == kind), None)


def has_index_in_front(mp4):
    """Whether a player can begin before it has all of the file."""
    at, boxes = 0, []
    while at + 8 <= len(mp4):
        length, name = int.from_bytes(mp4[at:at + 4], "big"), mp4[at + 4:at + 8]
        boxes.append(name)
        at += int.from_bytes(mp4[at + 8:at + 16], "big") if length == 1 else length or len(mp4)
    return boxes.index(b"moov") < boxes.index(b"mdat")


def pdf(*pages, title="Papers"):
    """A document with a line of Helvetica on each page."""
    fonts = 3 + 2 * len(pages)
    objects = ["<< /Type /Catalog /Pages 2 0 R >>",
               f"<< /Type /Pages /Kids [{' '.join(f'{3 + 2 * i} 0 R' for i in range(len(pages)))}] /Count {len(pages)} >>"]
    for number, text in enumerate(pages):
        drawn = f"BT /F1 24 Tf 72 700 Td ({text}) Tj ET"
        objects += [f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 {fonts} 0 R >> >> "
                    f"/Contents {4 + 2 * number} 0 R >>", f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream"]
    objects += ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", f"<< /Title ({title}) >>"]
    written, offsets = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    return (f"{written}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R "
            f"/Info {len(objects)} 0 R >>\nstartxref\n{len(written)}\n%%EOF\n").encode()
