"""What is found in media, by the models that ./dev models brings: the analysis records and the blobs that they point
at, as a real server's helpers write them."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
from gallery import ANALYSIS, INGEST, Gallery, wait_until  # noqa: E402
from media2cloud_test import calculate_progress  # noqa: E402
from tintype_server import ServerFailed  # noqa: E402

MODELS = Path(os.environ["TINTYPE_BIN"]).parent.parent / "models"
FONT = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
# What a person would want to find again.
ENGLISH = ("Invoice 2024-0815", "Ravensbourne Clockworks Ltd", "Total due: 1,249.50 GBP")
CHINESE = ("北京图书馆欢迎您", "请保持安静")
JAPANESE = ("カメラのひみつ", "写真をとりましょう")
TEXT, LABEL = ("rekognition", "text"), ("rekognition", "label")
# Real ones, of Debian's python3-skimage.
PHOTOS = MODELS.parent / "photos"


def page(lines, size=44, turned=0):
    """A page with lines of text on it."""
    picture = Image.new("RGB", (1200, 160 + 110 * len(lines)), (246, 243, 236))
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        draw.text((90, 90 + 110 * number), line, fill=(20, 22, 30), font=ImageFont.truetype(FONT, size))
    return photos.encode(picture.rotate(turned, expand=True, fillcolor=(246, 243, 236)), "JPEG", quality=90)


def errors_in(read, written):
    """How many characters have to be changed, as a part of those that were written."""
    before = list(range(len(written) + 1))
    for i, a in enumerate(read, 1):
        now = [i]
        for j, b in enumerate(written, 1):
            now.append(min(before[j] + 1, now[-1] + 1, before[j - 1] + (a != b)))
        before = now
    return before[-1] / len(written)


class AnalysisTest(unittest.TestCase):
    ARGUMENTS = ("--workers", "2")

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(cls.ARGUMENTS, environment={"TINTYPE_MODELS_DIR": str(MODELS)})
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def record(self, image_id):
        return self.gallery.documents.get_item(TableName=ANALYSIS, Key={"uuid": image_id})["Item"]

    def analysed(self, data, **parameters):
        """The analysis record of a photo once all of it has ended."""
        image_id = self.ada.upload(data, "page.jpg", **parameters)
        self.gallery.wait_developed(self.ada, image_id)
        wait_until(lambda: self.record(image_id)["overallStatus"] in ("COMPLETED", "ERROR"), "the end of the analysis", 60)
        return image_id, self.record(image_id)

    def found(self, record, *path):
        part = record["data"]
        for name in path:
            part = part[name]
        self.assertEqual(part["status"], "COMPLETED", part)
        return json.loads(self.gallery.blob(part["output"].removeprefix("s3://")))

    def lines(self, record):
        return [each for each in self.found(record, *TEXT)["TextDetections"] if each["Type"] == "LINE"]

    def assert_read(self, record, written, errors_max):
        read = [line["DetectedText"] for line in self.lines(record)]
        self.assertEqual(len(read), len(written), read)
        for one, other in zip(read, written):
            self.assertLessEqual(errors_in(one.replace(" ", ""), other.replace(" ", "")), errors_max, (one, other))

    def test_M2C_4_text_in_a_picture(self):
        """Lines and words of a page are found where they are, in the shape of DetectText, by the document's get of the
        record and the blob that it points at."""
        image_id, record = self.analysed(page(ENGLISH))
        part = record["data"]["rekognition"]["text"]
        self.assertEqual(part["output"], f"s3://images/{image_id}/rekognition/text.json")
        self.assertLessEqual(part["startTime"], part["endTime"])
        self.assertTrue(part["jobId"])
        self.assert_read(record, ENGLISH, 0.04)
        self.assertEqual((record["overallStatus"], record["progress"]), ("COMPLETED", calculate_progress(record["data"])))
        self.assertEqual(record["executionArn"], f"arn:aws:states:us-east-1:000000000000:execution:analysis-main:{image_id}")
        detections = self.found(record, *TEXT)["TextDetections"]
        self.assertEqual([each["Id"] for each in detections], list(range(len(detections))))
        for number, line in enumerate(self.lines(record)):
            self.assertGreater(line["Confidence"], 80)
            box = line["Geometry"]["BoundingBox"]
            # The page has a margin of 90 pixels, and its lines are 110 apart.
            self.assertAlmostEqual(box["Left"], 90 / 1200, delta=0.02)
            self.assertAlmostEqual(box["Top"] + box["Height"] / 2, (90 + 110 * number + 26) / (160 + 110 * len(ENGLISH)), delta=0.03)
            self.assertEqual(len(line["Geometry"]["Polygon"]), 4)
            words = [each for each in detections if each.get("ParentId") == line["Id"]]
            self.assertEqual("".join(word["DetectedText"] for word in words), line["DetectedText"].replace(" ", ""))
            lefts = [word["Geometry"]["BoundingBox"]["Left"] for word in words]
            self.assertEqual(lefts, sorted(lefts))
        shown = self.ada.call("GET", f"/media/{image_id}/analysis")
        self.assertEqual(shown["data"]["rekognition"]["text"]["output"], part["output"])
        results = f"/media/{image_id}/analysis"
        self.assertEqual(self.ada.call("GET", f"{results}/rekognition.text")["TextDetections"], detections)
        # Skipped, of no such kind, and a name that would lead elsewhere.
        for kind in ("rekognition.face", "rekognition.smell", "rekognition", "..%2F..%2Frekognition.text"):
            self.assertEqual(self.ada.send("GET", f"{results}/{kind}").status, 404, kind)
        bea = self.gallery.sign_up("bea")
        self.assertEqual(bea.send("GET", f"{results}/rekognition.text").status, 404)

    def test_text_that_is_turned(self):
        _, record = self.analysed(page(ENGLISH, turned=8))
        self.assert_read(record, ENGLISH, 0.06)

    def test_M2C_19_chinese_and_japanese_are_read(self):
        """Chinese and Japanese text is found in pictures; which script it was is said with each line."""
        for written, script in ((CHINESE, "chinese"), (JAPANESE, "japanese")):
            with self.subTest(script=script):
                _, record = self.analysed(page(written))
                self.assert_read(record, written, 0.1)
                self.assertIn(script, {line["Script"] for line in self.lines(record)})

    def labels(self, name):
        """What is found in a photo, by its name."""
        photo = Image.open(PHOTOS / name).convert("RGB")
        _, record = self.analysed(photos.encode(photo, "JPEG", quality=92))
        return {label["Name"]: label for label in self.found(record, *LABEL)["Labels"]}

    def test_M2C_4_labels(self):
        """Things in photos are named, with what they are a kind of, and boxes where they are."""
        cat = self.labels("chelsea.png")
        self.assertEqual(cat["Cat"]["Parents"], [{"Name": "Animal"}])
        self.assertGreater(cat["Cat"]["Confidence"], 60)
        [instance] = cat["Cat"]["Instances"]
        box = instance["BoundingBox"]
        # It fills the picture.
        self.assertGreater(box["Width"] * box["Height"], 0.5)
        self.assertEqual(cat["Animal"]["Instances"], [])
        astronaut = self.labels("astronaut.png")
        [person] = astronaut["Person"]["Instances"]
        middle = person["BoundingBox"]["Left"] + person["BoundingBox"]["Width"] / 2
        self.assertAlmostEqual(middle, 0.45, delta=0.12)
        self.assertIn("Cup", self.labels("coffee.png"))
        self.assertIn("Motorcycle", self.labels("motorcycle_left.png"))

    def test_M2C_4_labels_of_nothing(self):
        """Where nothing is, there is no label."""
        self.assertEqual(self.labels("gravel.png"), {})

    def test_a_picture_without_text(self):
        """Nothing found is a result too."""
        _, record = self.analysed(photos.jpeg("no text", 640, 480))
        self.assertEqual(self.found(record, *TEXT)["TextDetections"], [])

    def test_M2C_5_options_turn_kinds_off(self):
        """An upload says what is to be looked for; the rest is skipped with that reason, and counts for nothing in the
        progress."""
        for options, expected in (("label", "SKIPPED"), ("none", "SKIPPED"), ("text", "COMPLETED"), ("all", "COMPLETED")):
            with self.subTest(options=options):
                image_id, record = self.analysed(page((f"options {options}",)), aiOptions=options)
                part = record["data"]["rekognition"]["text"]
                self.assertEqual(part["status"], expected)
                if expected == "SKIPPED":
                    self.assertIn("aiOptions", part["reason"])
                ingest = self.gallery.documents.get_item(TableName=INGEST, Key={"uuid": image_id})["Item"]
                self.assertEqual(ingest["input"]["aiOptions"]["text"], options in ("text", "all"))
                self.assertEqual(record["progress"], calculate_progress(record["data"]))
        refused = self.ada.post_image(page(("refused",)), "page.jpg", aiOptions="text,smell")
        self.assertEqual(refused.status, 400, refused.body)
        self.assertIn("smell", refused.json["detail"])

    def test_M2C_5_an_account_chooses(self):
        """What an account has chosen counts for uploads that do not say, and what an upload says counts more."""
        self.assertEqual(self.ada.call("GET", "/me/settings"), {"aiOptions": None, "aiOptionsByDefault": "all"})
        self.assertEqual(self.ada.call("PATCH", "/me/settings", {"aiOptions": "label"})["aiOptions"], "label")
        self.addCleanup(self.ada.call, "PATCH", "/me/settings", {"aiOptions": None})
        _, record = self.analysed(page(("the account says",)))
        self.assertIn("aiOptions", record["data"]["rekognition"]["text"]["reason"])
        self.assertEqual(record["data"]["rekognition"]["label"]["status"], "COMPLETED")
        _, record = self.analysed(page(("the upload says",)), aiOptions="text")
        self.assertEqual(record["data"]["rekognition"]["text"]["status"], "COMPLETED")
        for wrong in ({"aiOptions": "smell"}, {"aiOptions": 5}, {"other": 1}):
            refused = self.ada.send("PATCH", "/me/settings", wrong)
            self.assertEqual(refused.status, 400, refused.body)
        self.assertEqual(self.ada.call("PATCH", "/me/settings", {})["aiOptions"], "label")

    def test_a_resumable_upload_keeps_its_options(self):
        data = page(("resumed",))
        metadata = f"filename {base64.b64encode(b'page.jpg').decode()},aiOptions {base64.b64encode(b'none').decode()}"
        begun = self.ada.tus("POST", "/uploads", Upload_Length=len(data), Upload_Metadata=metadata)
        self.assertEqual(begun.status, 201, begun.body)
        path = begun.headers["Location"].partition("/api/v1")[2]
        self.assertEqual(self.ada.tus("PATCH", path, data, Upload_Offset=0).status, 204)
        image_id = path.rpartition("/")[2]
        self.gallery.wait_developed(self.ada, image_id)
        self.assertIn("aiOptions", self.record(image_id)["data"]["rekognition"]["text"]["reason"])

    def test_the_helper_is_killed(self):
        """A helper that is killed at its work costs an attempt, and nothing else."""
        self.gallery.wait_idle()
        first = self.ada.upload(page(("the first one",)))
        self.gallery.wait_developed(self.ada, first)
        wait_until(lambda: self.record(first)["data"]["rekognition"]["text"]["status"] == "IN_PROGRESS", "work on it", 20)
        killed = self.kill_vision_helpers()
        wait_until(lambda: self.record(first)["overallStatus"] == "COMPLETED", "the second attempt", 60)
        self.assertGreater(killed, 0)
        self.assert_read(self.record(first), ("the first one",), 0.1)

    def kill_vision_helpers(self):
        """Those that were given the library of models, but for their template."""
        killed = 0
        for place in Path("/proc").glob("[0-9]*"):
            try:
                status = (place / "status").read_text()
                ours = f"PPid:\t{self.gallery.server.process.pid}\n" in status
                if ours and "Name:\ttintype-darkroo" in status and b"onnxruntime" in (place / "cmdline").read_bytes():
                    os.kill(int(place.name), 9)
                    killed += 1
            except (FileNotFoundError, PermissionError, ProcessLookupError):
                continue
        return killed


class WithoutModelsTest(unittest.TestCase):
    def test_a_setting_that_is_wrong(self):
        """A server does not start with options that there are none of, and says which setting it is."""
        with self.assertRaises(ServerFailed) as failed:
            Gallery(("--ai-options", "label,smell"))
        self.assertIn("--ai-options: 'smell'", str(failed.exception))

    def test_M2C_5_what_has_no_model(self):
        """Without the models a kind is skipped, and the record says what is missing and what brings it."""
        gallery = Gallery(("--workers", "1"))
        try:
            ada = gallery.sign_up("ada")
            image_id = ada.upload(page(("nobody reads this",)))
            gallery.wait_developed(ada, image_id)
            part = ada.call("GET", f"/media/{image_id}/analysis")["data"]["rekognition"]["text"]
            self.assertEqual(part["status"], "SKIPPED")
            self.assertIn("libonnxruntime.so.1 is missing", part["reason"])
            self.assertIn("./dev models", part["reason"])
        finally:
            gallery.stop()


class LaterModelsTest(unittest.TestCase):
    def models(self, command, folder):
        return subprocess.run([os.environ["TINTYPE_BIN"], "models", command, "--models-dir", folder], capture_output=True,
                              text=True, timeout=60, check=False)

    def test_M2C_5_models_that_come_later(self):
        """Models that are brought while the server runs are used at once for new photos, and for those from before when
        somebody asks for it: the progress and the status of the record follow."""
        with tempfile.TemporaryDirectory() as folder:
            gallery = Gallery(("--workers", "1"), environment={"TINTYPE_MODELS_DIR": folder})
            try:
                ada = gallery.sign_up("ada")

                def part(image_id, kind="text"):
                    return ada.call("GET", f"/media/{image_id}/analysis")["data"]["rekognition"][kind]

                before = ada.upload(page(("before the models",)))
                gallery.wait_developed(ada, before)
                self.assertEqual(part(before)["status"], "SKIPPED")
                listed = self.models("list", folder)
                self.assertEqual(listed.stdout.count(" missing "), len(list(MODELS.iterdir())), listed.stdout)
                for model in MODELS.iterdir():
                    (Path(folder) / model.name).symlink_to(model)
                after = ada.upload(page(("after the models",)))
                wait_until(lambda: gallery.wait_developed(ada, after) and part(after)["status"] == "COMPLETED", "the new photo", 30)
                self.assertEqual(part(before)["status"], "SKIPPED")
                rebuilt = gallery.run("rebuild", "analysis", "--kind", "rekognition.text", "--json")
                self.assertEqual(rebuilt.returncode, 0, rebuilt.stderr)
                done = json.loads(rebuilt.stdout.splitlines()[-1])["done"]
                self.assertEqual((done["state"], done["images"], done["queued"]), ("ended", 2, 1))
                wait_until(lambda: part(before)["status"] == "COMPLETED", "the old photo", 30)
                self.assertEqual(part(before, "label")["status"], "SKIPPED")
                self.assertEqual(self.models("verify", folder).returncode, 0)
                (Path(folder) / "text-english.txt").unlink()
                verified = self.models("verify", folder)
                self.assertEqual(verified.returncode, 1)
                self.assertIn("1 of", verified.stderr)
                refused = gallery.run("rebuild", "analysis", "--kind", "smell")
                self.assertEqual(refused.returncode, 1)
                self.assertIn("rekognition.text", refused.stderr)
            finally:
                gallery.stop()


if __name__ == "__main__":
    unittest.main(verbosity=2)
