"""Assets of every type: what a video, a sound, a document and any other file become, in the documents' tables, over
REST and as files, on a real server with real files."""

import array
import io
import json
import os
import sys
import tempfile
import unittest
import wave
import zipfile
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent / "support"))
import films  # noqa: E402
import photos  # noqa: E402
from gallery import ANALYSIS, BACKLOG, IMAGES, INGEST, PHOTOS, SIZES, Gallery, wait_until  # noqa: E402
from media2cloud_test import calculate_progress  # noqa: E402

BUILD = Path(os.environ["TINTYPE_BIN"]).parent.parent
MODELS, RECORDINGS, PICTURES = BUILD / "models", BUILD / "recordings", BUILD / "photos"
# What a person says in goforward.raw: 16 bits, one channel, 16 kHz.
SPOKEN = "go forward 10 meters"


def speech(gain=1):
    """A sound file in which somebody says something. Another gain is another file."""
    samples = array.array("h", Path(RECORDINGS, "goforward.raw").read_bytes())
    written = io.BytesIO()
    with wave.open(written, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16_000)
        out.writeframes(array.array("h", (int(sample * gain) for sample in samples)).tobytes())
    return written.getvalue()


class MediaTest(unittest.TestCase):
    ARGUMENTS = ("--workers", "2")

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(cls.ARGUMENTS, environment={"TINTYPE_MODELS_DIR": str(MODELS)})
        cls.addClassCleanup(cls.gallery.stop)
        cls.documents = cls.gallery.documents
        cls.ada = cls.gallery.sign_up("ada")
        cls.ben = cls.gallery.sign_up("ben")

    def ingest(self, image_id):
        return self.gallery.get(INGEST, uuid=image_id)

    def analysis(self, image_id):
        return self.gallery.get(ANALYSIS, uuid=image_id)

    def ready(self, data, name, **parameters):
        """The image of an upload once it can be played, as far as it ever will."""
        image_id = self.ada.upload(data, name, **parameters)
        self.gallery.wait_developed(self.ada, image_id)
        wait_until(lambda: self.ingest(image_id)["overallStatus"] in ("COMPLETED", "ERROR"), "the end of ingesting", 90)
        return self.ada.image(image_id)

    def analysed(self, image_id):
        wait_until(lambda: (self.analysis(image_id) or {}).get("overallStatus") in ("COMPLETED", "ERROR", "SKIPPED"),
                   "the end of the analysis", 120)
        return self.analysis(image_id)

    def found(self, record, *path):
        part = record["data"]
        for name in path:
            part = part[name]
        self.assertEqual(part["status"], "COMPLETED", part)
        return part, json.loads(self.gallery.blob(part["output"].removeprefix("s3://")))

    def check_pictures(self, image):
        """Every size is there, made of the poster, and none is larger than it says."""
        poster = Image.open(io.BytesIO(self.gallery.follow(image["sizes"]["POSTER"]).body))
        self.assertEqual(poster.size, (image["width"], image["height"]))
        for size, side in SIZES.items():
            answer = self.gallery.follow(image["sizes"][size])
            self.assertEqual(answer.status, 200, size)
            if side:
                self.assertLessEqual(max(Image.open(io.BytesIO(answer.body)).size), side)

    def test_M2C_2_a_video(self):
        """M2C-2: a video's ingest record has the document's attributes, as ffprobe reads them from the file, and its
        steps: the original is safe at 50, it can be looked at at 75, it can be played at 100."""
        data = films.video("mov", seconds=3, size="1920x1080", rate=30, seed=1, extra=("-b:v", "4M"))
        image_id = self.ada.upload(data, "holiday.mov")
        wait_until(lambda: self.ingest(image_id)["overallStatus"] in ("COMPLETED", "ERROR"), "the end of ingesting", 90)
        steps = [(state["overallStatus"], int(state["progress"])) for state in self.gallery.history(INGEST, uuid=image_id)]
        self.assertEqual(steps, [("NOT_STARTED", 0), ("IN_PROGRESS", 50), ("IN_PROGRESS", 75), ("COMPLETED", 100)])

        record, probed = self.ingest(image_id), films.probe(data)
        video, audio = films.stream(probed, "video"), films.stream(probed, "audio")
        self.assertEqual(record["type"], "video")
        self.assertEqual(record["fileSize"], len(data))
        self.assertAlmostEqual(float(record["duration"]), float(probed["format"]["duration"]), delta=0.05)
        written = record["data"]["video"]
        self.assertEqual((written["width"], written["height"]), (1920, 1080))
        self.assertEqual((written["codec"], written["pixelFormat"]), (video["codec_name"], video["pix_fmt"]))
        self.assertEqual(written["profile"], video["profile"])
        self.assertEqual(float(written["level"]), video["level"] / 10)
        self.assertAlmostEqual(float(written["frameRate"]), 30, delta=0.01)
        self.assertAlmostEqual(int(written["bitRate"]), int(video["bit_rate"]), delta=int(video["bit_rate"]) * 0.01)
        heard = record["data"]["audio"]
        self.assertEqual((heard["codec"], heard["channels"], heard["sampleRate"]),
                         (audio["codec_name"], audio["channels"], int(audio["sample_rate"])))
        self.assertEqual((heard["profile"], heard["title"]), (audio["profile"], "Pattern 1"))
        self.assertEqual(record["data"]["checksum"]["storeClass"], "STANDARD")
        destination = record["input"]["destination"]
        self.assertEqual((destination["bucket"], destination["prefix"]), ("images", f"{image_id}/"))

        # The catalog's record is about the poster.
        image = self.ada.image(image_id)
        self.assertEqual((image["assetType"], image["mimeType"], image["playback"]), ("VIDEO", "video/quicktime", "proxy"))
        self.assertAlmostEqual(image["duration"], 3, delta=0.1)
        self.check_pictures(image)
        self.assertEqual(self.gallery.get(IMAGES, PK=f"IMAGE#{image_id}", SK="METADATA")["assetType"], "VIDEO")
        self.assertIn("POSTER", self.gallery.get(PHOTOS, username="ada", id=image_id)["sizes"])

        # The copy plays anywhere, from its beginning on, and by ranges.
        proxy = self.gallery.follow(image["sizes"]["PROXY"])
        self.assertEqual((proxy.status, proxy.headers["Content-Type"]), (200, "video/mp4"))
        self.assertTrue(films.has_index_in_front(proxy.body))
        probed = films.probe(proxy.body)
        video = films.stream(probed, "video")
        self.assertEqual((video["codec_name"], films.stream(probed, "audio")["codec_name"]), ("h264", "aac"))
        self.assertEqual((video["width"], video["height"]), (1280, 720))
        part = self.gallery.follow(image["sizes"]["PROXY"], Range="bytes=1000-70999")
        self.assertEqual((part.status, part.body), (206, proxy.body[1000:71000]))
        self.assertEqual(self.gallery.follow(image["sizes"]["ORIGINAL"]).body, data)

    def test_M2C_2_every_container_of_videos(self):
        """M2C-2: MP4, MOV, MKV, WebM and AVI, each with a codec of its own, are probed and can be played."""
        codecs = {"mp4": "h264", "mov": "h264", "mkv": "hevc", "webm": "vp9", "avi": "mpeg4"}
        for number, (container, codec) in enumerate(codecs.items()):
            with self.subTest(container):
                image = self.ready(films.video(container, seconds=1, seed=10 + number), f"film.{container}")
                record = self.ingest(image["id"])
                self.assertEqual((record["overallStatus"], record["data"]["video"]["codec"]), ("COMPLETED", codec))
                self.assertIn("audio", record["data"])
                played = films.probe(self.gallery.follow(image["sizes"]["PROXY"]).body)
                self.assertEqual(films.stream(played, "video")["codec_name"], "h264")
                self.check_pictures(image)

    def test_M2C_2_every_container_of_sounds(self):
        """M2C-2: MP3, AAC, FLAC, OGG and WAV are probed, with their tags, drawn, and can be played."""
        codecs = {"mp3": "mp3", "m4a": "aac", "flac": "flac", "ogg": "vorbis", "wav": "pcm_s16le"}
        for number, (container, codec) in enumerate(codecs.items()):
            with self.subTest(container):
                image = self.ready(films.sound(container, seed=number), f"sound.{container}")
                record = self.ingest(image["id"])
                self.assertEqual((record["type"], record["overallStatus"]), ("audio", "COMPLETED"))
                self.assertEqual(record["data"]["audio"]["codec"], codec)
                self.assertAlmostEqual(float(record["duration"]), 3, delta=0.1)
                self.assertNotIn("video", record["data"])
                if container != "wav":
                    self.assertEqual(record["data"]["audio"]["artist"], "Nobody")
                self.assertEqual(image["assetType"], "AUDIO")
                self.assertIn("audio", [each["codec_type"] for each in films.probe(
                    self.gallery.follow(image["sizes"]["PROXY"]).body)["streams"]])
                self.check_pictures(image)
                waveform = self.ada.call("GET", f"/media/{image['id']}/waveform")
                self.assertEqual(len(waveform["data"]), 2 * waveform["length"])
                lasts = waveform["length"] * waveform["samples_per_pixel"] / waveform["sample_rate"]
                self.assertAlmostEqual(lasts, 3, delta=0.1)
                self.assertGreater(max(waveform["data"]), 10, "a tone is to be seen")

    def test_M2C_2_a_cover(self):
        """M2C-2: a sound's cover is its picture."""
        cover = photos.encode(Image.new("RGB", (600, 400), (200, 30, 30)), "JPEG", quality=90)
        with Path(self.gallery.server.data_dir).joinpath("cover.jpg").open("wb") as file:
            file.write(cover)
        data = films.ffmpeg(["-f", "lavfi", "-i", "sine=frequency=500:duration=2", "-i", file.name, "-map", "0:a", "-map", "1:v",
                             "-c:a", "libmp3lame", "-c:v", "copy", "-disposition:v", "attached_pic"], "mp3")
        os.remove(file.name)
        image = self.ready(data, "song.mp3")
        self.assertEqual((image["assetType"], image["width"], image["height"]), ("AUDIO", 600, 400))
        self.assertEqual(self.gallery.follow(image["sizes"]["POSTER"]).body, cover)

    def test_M2C_2_an_original_that_streams(self):
        """M2C-2: what every browser plays already is not copied: the original is what is played."""
        data = films.video("mp4", seed=30, extra=("-movflags", "+faststart", "-pix_fmt", "yuv420p"))
        image = self.ready(data, "small.mp4")
        self.assertEqual(image["playback"], "original")
        self.assertEqual(self.gallery.follow(image["sizes"]["PROXY"]).body, data)
        self.assertFalse([key for key in self.gallery.blobs(f"images/{image['id']}/proxy/") if key.endswith(".mp4")])

    def test_SPK_9_where_a_video_was_taken(self):
        """SPK-9: who is shown a video plays a copy that does not tell where it was taken, though the original would
        stream; the place is for its owner."""
        data = films.video("mp4", seed=31, extra=("-movflags", "+faststart+use_metadata_tags", "-metadata",
                                                  "location=+48.8584+002.2945/"))
        image = self.ready(data, "paris.mp4", visibility="shared")
        self.assertEqual(image["playback"], "proxy")
        self.assertAlmostEqual(image["exifData"]["gps"]["latitude"], 48.8584, places=3)
        shared = next(each for each in self.ben.call("GET", "/feed")["images"] if each["imageId"] == image["id"])
        self.assertNotIn("ORIGINAL", shared["sizes"])
        played = self.gallery.follow(shared["sizes"]["PROXY"])
        self.assertEqual(played.status, 200)
        self.assertNotIn(b"48.85", played.body)
        self.assertIn(b"48.85", data)
        self.assertEqual((shared["assetType"], round(shared["duration"])), ("VIDEO", 2))

    def test_M2C_2_documents(self):
        """M2C-2: of PDF, plain text and Markdown there are pages, a picture of the first and the text."""
        cases = {
            "papers.pdf": (films.pdf("The garden in Berlin", "Second page"), "application/pdf", 2,
                           "The garden in Berlin\n\fSecond page"),
            "plain.txt": ("Grüße aus Köln\n".encode(), "text/plain", 1, "Grüße aus Köln"),
            "notes.md": (b"# Notes\n\nThe garden was lovely.\n", "text/markdown", 1, "# Notes\n\nThe garden was lovely."),
        }
        for name, (data, mime_type, pages, text) in cases.items():
            with self.subTest(name):
                image = self.ready(data, name)
                self.assertEqual((image["assetType"], image["mimeType"], image["pages"]), ("DOCUMENT", mime_type, pages))
                record = self.ingest(image["id"])
                self.assertEqual((record["type"], record["data"]["document"]["pages"]), ("document", pages))
                answer = self.ada.send("GET", f"/media/{image['id']}/text")
                self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/plain; charset=utf-8"))
                self.assertEqual([page.strip() for page in answer.body.decode().split("\f")],
                                 [page.strip() for page in text.split("\f")])
                self.check_pictures(image)
                for page in range(1, pages + 1):
                    answer = self.ada.send("GET", f"/media/{image['id']}/pages/{page}")
                    self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "image/png"))
                    self.assertEqual(max(Image.open(io.BytesIO(answer.body)).size), 1600)
                self.assertEqual(self.ada.send("GET", f"/media/{image['id']}/pages/{pages + 1}").status, 404)
                self.assertEqual(self.ben.send("GET", f"/media/{image['id']}/pages/1").status, 404)
                drawn = Image.open(io.BytesIO(self.gallery.follow(image["sizes"]["POSTER"]).body)).convert("L")
                self.assertLess(drawn.getextrema()[0], 100, "something is written on it")
                self.assertGreater(drawn.getextrema()[1], 240, "on white")

    def test_M2C_2_an_animation(self):
        """M2C-2: of an animation the number of its pictures is known, and the file itself is what a browser shows."""
        pictures = [Image.new("RGB", (80, 60), color) for color in ((200, 0, 0), (0, 200, 0), (0, 0, 200))]
        written = io.BytesIO()
        pictures[0].save(written, "GIF", save_all=True, append_images=pictures[1:], duration=200)
        image = self.ready(written.getvalue(), "waving.gif")
        self.assertEqual((image["assetType"], image["pages"]), ("IMAGE", 3))
        answer = self.gallery.follow(image["sizes"]["ORIGINAL"])
        self.assertEqual((answer.headers["Content-Type"], answer.body), ("image/gif", written.getvalue()))
        self.assertTrue(answer.headers["Content-Disposition"].startswith("inline"))
        still = self.ready(photos.encode(Image.new("RGB", (80, 60), (9, 9, 9)), "PNG"), "still.png")
        self.assertNotIn("pages", still)

    def test_M2C_2_anything_else_is_kept(self):
        """M2C-2: a file of which nothing can be shown is kept, says so, and comes back as it was."""
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            archive.writestr("a", "b")
        for name, data in (("archive.zip", written.getvalue()), ("noise.bin", bytes(range(256)) * 20)):
            with self.subTest(name):
                image = self.ready(data, name)
                self.assertEqual((image["assetType"], image["processingStatus"], image["width"]), ("DOCUMENT", "completed", 0))
                self.assertEqual(image["processingWarning"]["code"], "no-preview")
                self.assertEqual(list(image["sizes"]), ["ORIGINAL"])
                answer = self.gallery.follow(image["sizes"]["ORIGINAL"])
                self.assertEqual((answer.body, answer.headers["X-Content-Type-Options"]), (data, "nosniff"))
                self.assertIn("attachment", answer.headers["Content-Disposition"])
                record = self.analysed(image["id"])
                self.assertEqual(record["overallStatus"], "SKIPPED")

    def test_M2C_2_broken_files(self):
        """M2C-2, IMG-17: a file that cannot be read fails with a reason, in bounded time, and its original stays; one
        that ends early is shown as far as it goes."""
        whole = films.video("mp4", seconds=2, seed=40)
        broken = {
            "no index": whole[:len(whole) // 2],
            "noise": whole[:200] + os.urandom(20_000),
            "playlist": b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n",
        }
        for name, data in broken.items():
            with self.subTest(name):
                image_id = self.ada.upload(data, "broken.mp4")
                wait_until(lambda: self.ada.image(image_id)["processingStatus"] in ("completed", "failed"), "its end")
                image = self.ada.image(image_id)
                if name == "playlist":
                    self.assertEqual((image["mimeType"], image["assetType"]), ("text/plain", "DOCUMENT"))
                    self.assertNotIn(b"root:", self.ada.send("GET", f"/media/{image_id}/text").body)
                else:
                    self.assertEqual(image["processingStatus"], "failed")
                    self.assertGreater(len(image["processingError"]), 10)
                    self.assertEqual(self.ingest(image_id)["overallStatus"], "ERROR")
                self.assertEqual(self.gallery.follow(image["sizes"]["ORIGINAL"]).body, data)
        early = films.video("mkv", seconds=4, seed=41)
        image = self.ready(early[:len(early) * 2 // 3], "early.mkv")
        self.assertEqual(image["playback"], "proxy")
        self.assertGreater(float(films.probe(self.gallery.follow(image["sizes"]["PROXY"]).body)["format"]["duration"]), 1)

    def test_M2C_3_videos_by_type(self):
        """M2C-3: the document's query for the newest of a type finds videos among everything else."""
        image = self.ready(films.video("mp4", seconds=1, seed=50), "newest.mp4")
        newest = self.documents.query(
            TableName=INGEST, IndexName="type-timestamp-index", KeyConditionExpression="#type = :type",
            ExpressionAttributeNames={"#type": "type"}, ExpressionAttributeValues={":type": "video"},
            ScanIndexForward=False, Limit=20)["Items"]
        self.assertEqual(newest[0]["uuid"], image["id"])
        self.assertEqual({item["type"] for item in newest}, {"video"})

    def test_M2C_4_what_is_said(self):
        """M2C-4: speech becomes a transcript in Transcribe's shape, with captions beside it; and it is read for key
        phrases, entities and sentiment."""
        image_id = self.ada.upload(speech(), "order.wav")
        record = self.analysed(image_id)
        part, result = self.found(record, "transcribe")
        words = "".join(c for c in result["results"]["transcripts"][0]["transcript"].lower() if c.isalnum() or c == " ")
        self.assertEqual(words.split(), SPOKEN.split())
        self.assertEqual(part["jobName"], result["jobName"])
        spoken = [item for item in result["results"]["items"] if item["type"] == "pronunciation"]
        self.assertEqual(len(spoken), 4)
        times = [float(item["start_time"]) for item in spoken]
        self.assertEqual(times, sorted(times))
        captions = self.ada.send("GET", f"/media/{image_id}/captions")
        self.assertEqual(captions.headers["Content-Type"], "text/vtt; charset=utf-8")
        self.assertRegex(captions.body.decode(), r"^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\n.*orward")
        for kind, name in (("keyphrase", "KeyPhrases"), ("entity", "Entities"), ("sentiment", "Sentiment")):
            _, read = self.found(record, "comprehend", kind)
            self.assertIn(name, read)
            self.assertIn("Method", read)
        self.assertEqual(record["overallStatus"], "COMPLETED")
        self.assertEqual(record["progress"], 100)

    def test_M2C_19_what_is_said_has_a_language(self):
        """M2C-19: the record has the language that was found, how sure the words are, and a reason why nobody is told
        who speaks."""
        part, result = self.found(self.analysed(self.ada.upload(speech(gain=0.5), "quieter.wav")), "transcribe")
        self.assertEqual((part["languageCode"], result["results"]["language_code"]), ("en-US", "en-US"))
        self.assertTrue(0.3 < float(part["confidence"]) <= 1, part["confidence"])
        self.assertEqual(part["speakers"], [])
        self.assertIn("voices", part["speakersReason"])

    def test_M2C_5_progress_of_a_sound(self):
        """M2C-5: while kinds end one by one, the progress is the document's formula over the kinds as they are, which
        never goes back; statuses are the five, and the end is 100."""
        image_id = self.ada.upload(speech(gain=0.25), "quietest.wav")
        self.analysed(image_id)
        seen = self.gallery.history(ANALYSIS, uuid=image_id)
        for record in seen:
            self.assertEqual(record["progress"], calculate_progress(record["data"]))
        steps = [int(record["progress"]) for record in seen]
        self.assertEqual((steps, steps[-1]), (sorted(steps), 100))
        self.assertTrue(any(0 < step < 100 for step in steps), steps)
        self.assertIn("IN_PROGRESS", {record["data"]["transcribe"]["status"] for record in seen})

    def test_M2C_4_a_document_is_read(self):
        """M2C-4: key phrases, entities and sentiment of a document's text."""
        image_id = self.ada.upload(b"We love the beautiful garden in Germany. It opens on 3 May 2024 and costs 12 euros. "
                                   b"The visitors were happy with the wonderful flowers.\n", "review.txt")
        record = self.analysed(image_id)
        _, phrases = self.found(record, "comprehend", "keyphrase")
        self.assertTrue(any("garden" in phrase["Text"].lower() for phrase in phrases["KeyPhrases"]), phrases)
        _, entities = self.found(record, "comprehend", "entity")
        by_type = {(entity["Type"], entity["Text"]) for entity in entities["Entities"]}
        self.assertIn(("LOCATION", "Germany"), by_type)
        self.assertTrue(any(kind == "DATE" for kind, _ in by_type), by_type)
        _, sentiment = self.found(record, "comprehend", "sentiment")
        self.assertEqual(sentiment["Sentiment"], "POSITIVE")
        self.assertAlmostEqual(sum(sentiment["SentimentScore"].values()), 1, places=2)

    def test_M2C_4_what_is_seen_in_a_video(self):
        """M2C-4: labels of a video have their times, and what it does not have is skipped with the reason."""
        image = self.ready(films.video_of(PICTURES / "astronaut.png"), "astronaut.mp4")
        record = self.analysed(image["id"])
        _, labels = self.found(record, "rekognition", "label")
        self.assertIn("Person", {each["Label"]["Name"] for each in labels["Labels"]})
        times = [each["Timestamp"] for each in labels["Labels"]]
        self.assertEqual((times, times[0]), (sorted(times), 0))
        self.found(record, "rekognition", "text")
        self.assertEqual(record["data"]["transcribe"]["status"], "SKIPPED")
        self.assertIn("no sound", record["data"]["transcribe"]["reason"])

    def test_JOB_6_only_pictures_are_edited(self):
        """JOB-6: an edit of a video is refused with the reason, and it has no versions."""
        image = self.ready(films.silent_video(), "silent.mp4")
        refused = self.ada.send("POST", "/jobs", {"imageId": image["id"], "provider": "local",
                                                  "operations": [{"op": "rotate", "degrees": 90}]})
        self.assertEqual(refused.status, 400)
        self.assertIn("Only pictures", refused.json["detail"])

    def test_SPK_10_nothing_of_a_video_is_left(self):
        """SPK-10: deleting a video takes its copies, pictures and findings too."""
        image = self.ready(films.video("avi", seconds=1, seed=60), "gone.avi")
        self.analysed(image["id"])
        self.assertGreater(len([key for key in self.gallery.blobs() if image["id"] in key]), 8)
        self.ada.delete(image["id"], permanent=True)
        self.gallery.wait_deleted(image["id"])

    def test_M2C_7_killed_while_it_is_made_playable(self):
        """M2C-7: a server that is killed while a video is copied ends with one copy, whole, after its next start."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        gallery = Gallery(self.ARGUMENTS, data_dir=f"{folder}/data")
        ada = gallery.sign_up("ada")
        data = films.video("mov", seconds=6, size="1280x720", rate=30, seed=70)
        image_id = ada.upload(data, "long.mov", aiOptions="none")
        wait_until(lambda: any(work["type"] == "proxy" and work["status"] == "LEASED" for work in gallery.scan(BACKLOG)),
                   "a worker at the copy", 60)
        # As an earlier attempt at it leaves it that failed.
        gallery.documents.update_item(
            TableName=IMAGES, Key={"PK": f"IMAGE#{image_id}", "SK": "METADATA"},
            UpdateExpression="SET processingWarning = :warning",
            ExpressionAttributeValues={":warning": {"code": "unplayable", "message": "It took too long."}})
        self.assertEqual(ada.image(image_id)["processingWarning"]["code"], "unplayable")
        gallery.server.kill()
        gallery.start()
        self.addCleanup(gallery.stop)
        ada.log_in()
        wait_until(lambda: gallery.get(INGEST, uuid=image_id)["overallStatus"] == "COMPLETED", "the end of the copy", 90)
        self.assertNotIn("processingWarning", ada.image(image_id))
        played = gallery.follow(ada.image(image_id)["sizes"]["PROXY"])
        self.assertAlmostEqual(float(films.probe(played.body)["format"]["duration"]), 6, delta=0.2)
        gallery.wait_idle()
        self.assertEqual(len(gallery.blobs(f"images/{image_id}/proxy/media")), 1)

    def test_SPK_7_what_is_made_of_a_video_counts(self):
        """SPK-7: the quota counts the copy and the pictures of a video too, and gives them back."""
        before = self.ada.call("GET", "/me/limit")["usedBytes"]
        image = self.ready(films.video("mov", seconds=2, size="640x360", seed=80), "counted.mov", aiOptions="none")
        self.gallery.wait_idle()
        stored = sum(len(self.gallery.blob(key)) for key in self.gallery.blobs() if image["id"] in key)
        self.assertEqual(self.ada.call("GET", "/me/limit")["usedBytes"] - before, stored)
        self.ada.delete(image["id"], permanent=True)
        self.gallery.wait_deleted(image["id"])
        self.gallery.wait_idle()
        self.assertEqual(self.ada.call("GET", "/me/limit")["usedBytes"], before)


if __name__ == "__main__":
    unittest.main()
