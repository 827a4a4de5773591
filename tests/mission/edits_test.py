"""Edits over REST: the upload stays, each edit is a list of operations on it, and every picture can be brought back."""

import hashlib
import io
import json
import sys
import unittest
from pathlib import Path

from PIL import Image, ImageChops

sys.path[:0] = [str(Path(__file__).parent / "support"), str(Path(__file__).parent.parent / "e2e" / "support")]
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import GalleryTest, wait_until  # noqa: E402

ROTATE = {"op": "rotate", "degrees": 90}
CROP = {"op": "crop", "left": 10, "top": 20, "width": 200, "height": 100}
GREY = {"op": "black_and_white"}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def pixels(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


class EditsTest(GalleryTest):
    def upload(self, seed, **parameters):
        """A developed photo of 320 by 240 pixels: its id and its bytes."""
        data = photos.jpeg(seed)
        image_id = self.ada.upload(data, f"{seed}.jpg", **parameters)
        self.gallery.wait_developed(self.ada, image_id)
        return image_id, data

    def edit(self, image_id, *operations, provider="local"):
        job = self.ada.create_job(image_id, *operations, provider=provider)
        self.assertEqual(self.gallery.wait_job(self.ada, job["jobId"])["status"], "COMPLETED")
        return job["jobId"]

    def get(self, url):
        answer = self.gallery.follow(url)
        self.assertEqual(answer.status, 200, url)
        return answer

    def assert_same_pixels(self, one, other):
        one, other = pixels(one), pixels(other)
        self.assertEqual(one.size, other.size)
        self.assertIsNone(ImageChops.difference(one, other).getbbox())

    def test_the_original_stays(self):
        """After two edits ORIGINAL still is what was uploaded, to be saved under its name; FULL is the edit, under a
        name that fits it."""
        image_id, data = self.upload("kept")
        self.assertNotIn("FULL", self.ada.image(image_id)["sizes"])
        self.edit(image_id, ROTATE, GREY)
        first = self.ada.image(image_id)["sizes"]
        self.edit(image_id, CROP)
        sizes = self.ada.image(image_id)["sizes"]
        original = self.get(f"{sizes['ORIGINAL']}&download=1")
        self.assertEqual(sha256(original.body), sha256(data))
        self.assertEqual(original.headers["Content-Type"], "image/jpeg")
        self.assertIn('filename="kept.jpg"', original.headers["Content-Disposition"])
        full = self.get(f"{sizes['FULL']}&download=1")
        self.assertEqual((photos.format_of(full.body), photos.size_of(full.body)), ("WEBP", (200, 100)))
        self.assertIn('filename="kept.webp"', full.headers["Content-Disposition"])
        # Links from before the second edit show what they did.
        self.assertEqual(photos.size_of(self.get(first["FULL"]).body), (240, 320))
        self.assertEqual(sha256(self.get(first["ORIGINAL"]).body), sha256(data))
        self.assertEqual(self.gallery.blobs(f"images/images/{image_id}/v2/"),
                         [f"images/images/{image_id}/v2/{size}" for size in ("FULL", "LARGE", "MEDIUM", "SMALL", "THUMB")])
        # In other sizes it is the edit, too.
        link = self.ada.call("POST", f"/images/{image_id}/links", {"w": 100, "format": "jpeg"})["url"]
        self.assertEqual(photos.size_of(self.get(link).body), (100, 50))
        link = self.ada.call("POST", f"/images/{image_id}/links", {"size": "THUMB", "format": "jpeg"})["url"]
        self.assertEqual(photos.size_of(self.get(link).body), (200, 100))

    def test_no_loss_adds_up(self):
        """An edit that replaces another gives the very pixels of the same edit alone; a crop can be widened again."""
        twice, data = self.upload("no loss")
        once = self.ada.upload(data + b"\0", "once.jpg")
        self.gallery.wait_developed(self.ada, once)
        narrow = {"op": "crop", "left": 100, "top": 100, "width": 10, "height": 10}
        self.edit(twice, narrow, GREY)
        self.edit(twice, CROP)
        self.edit(once, CROP)
        self.assert_same_pixels(*(self.get(self.ada.image(image_id)["sizes"]["FULL"]).body for image_id in (twice, once)))

    def test_versions_and_reverts(self):
        """Versions tell what was done to what, by which job, in which size; a revert is a new one with the same
        picture; others see none of it."""
        image_id, data = self.upload("versions", visibility="shared")
        before = self.ada.image(image_id)
        jobs = [self.edit(image_id, ROTATE), self.edit(image_id, CROP, GREY)]
        versions = self.ada.versions(image_id)
        self.assertEqual([version["revision"] for version in versions], [2, 1, 0])
        self.assertEqual([version["current"] for version in versions], [True, False, False])
        self.assertEqual([version["operations"] for version in versions], [[CROP, GREY], [ROTATE], []])
        self.assertEqual([version["base"] for version in versions], [0, 0, 0])
        self.assertEqual([version.get("jobId") for version in versions], [jobs[1], jobs[0], None])
        self.assertEqual([(version["width"], version["height"]) for version in versions], [(200, 100), (240, 320), (320, 240)])
        for version in versions:
            full = self.get(version["sizes"]["FULL" if version["revision"] else "ORIGINAL"]).body
            self.assertEqual(version["fileSize"], len(full))
            self.assertEqual(photos.size_of(self.get(version["sizes"]["THUMB"]).body)[0], min(version["width"], 256)
                             if version["width"] >= version["height"] else 192)

        answer = self.ada.revert(image_id, 0)
        image = answer.json
        self.assertEqual((answer.status, answer.headers["ETag"]), (200, f'"{image["version"]}"'))
        self.assertEqual(image, self.ada.image(image_id))
        self.assertEqual(image["revision"], 3)
        for name in ("width", "height", "aspectRatio", "fileSize", "processedSize", "blurhash", "dominantColors",
                     "perceptualHash", "exifData", "visibility"):
            self.assertEqual(image[name], before[name], name)
        self.assertEqual(image["sizes"].keys(), before["sizes"].keys())
        for size, url in image["sizes"].items():
            self.assertEqual(sha256(self.get(url).body), sha256(self.gallery.blob(f"images/images/{image_id}/{size}")), size)
        self.assertEqual(sha256(self.get(image["imageUrl"]).body), sha256(self.get(before["imageUrl"]).body))
        self.assertEqual(sha256(self.get(image["sizes"]["ORIGINAL"]).body), sha256(data))
        link = self.ada.call("POST", f"/images/{image_id}/links", {"w": 100, "format": "jpeg"})["url"]
        self.assertEqual(photos.size_of(self.get(link).body), (100, 75))

        image = self.ada.revert(image_id, 1).json
        self.assertEqual((image["revision"], image["width"], image["height"]), (4, 240, 320))
        self.assertEqual(photos.size_of(self.get(image["sizes"]["FULL"]).body), (240, 320))
        newest = self.ada.versions(image_id)[0]
        self.assertEqual((newest["revertedTo"], newest["base"], newest["operations"], newest.get("jobId")), (1, 0, [ROTATE], None))
        # What is shown already is fine, and nothing new.
        self.assertEqual(self.ada.revert(image_id, 4).json, self.ada.image(image_id))
        self.assertEqual(self.ada.image(image_id)["revision"], 4)

        bob = self.gallery.sign_up("bob")
        self.assertEqual(bob.send("GET", f"/images/{image_id}/versions").status, 404)
        self.assertEqual(bob.revert(image_id, 0, version=image["version"]).status, 404)
        shared = next(each for each in bob.call("GET", "/feed")["images"] if each["imageId"] == image_id)
        self.assertEqual(shared["sizes"].keys(), {"LARGE", "MEDIUM", "SMALL", "THUMB"})
        self.assertEqual(photos.size_of(self.get(shared["sizes"]["LARGE"]).body), (240, 320))
        self.gallery.wait_idle()
        self.assertEqual(self.ada.delete(image_id).status, 202)
        self.gallery.wait_deleted(image_id)

    def test_refusals(self):
        """Each wrong call is told what is wrong with it, and changes nothing."""
        image_id, _ = self.upload("refusals")
        self.edit(image_id, ROTATE)
        outside = self.ada.create_job(image_id, {**CROP, "left": 5000})
        self.assertEqual(self.gallery.wait_job(self.ada, outside["jobId"])["status"], "FAILED")
        image = self.ada.image(image_id)
        path, match = f"/images/{image_id}/revert", {"If-Match": f'"{image["version"]}"'}

        def refused(body, headers=match, account=self.ada, at=path):
            answer = account.send("POST", at, body, headers)
            return answer.status, answer.json["code"]

        self.assertEqual(refused({"revision": 0}, {}), (428, "VersionRequired"))
        self.assertEqual(refused({"revision": 0}, {"If-Match": '"1"'}), (412, "VersionChanged"))
        self.assertEqual(refused({"revision": 0}, {"If-Match": "7"})[0], 400)
        for body in ({}, {"revision": None}, {"revision": "0"}, {"revision": -1}, {"revision": 0.5}, {"revision": 0, "all": True}):
            self.assertEqual(refused(body)[0], 400, body)
        self.assertEqual(refused({"revision": 2})[0], 404)  # Its job failed.
        self.assertEqual(refused({"revision": 99})[0], 404)
        self.assertEqual(refused({"revision": 0}, at="/images/nothing/revert")[0], 404)
        self.assertEqual(self.ada.send("GET", "/images/nothing/versions").status, 404)
        self.assertEqual(rest.request(self.gallery.address, "POST", f"/api/v1{path}", json.dumps({"revision": 0}),
                                      {"Content-Type": "application/json", **match}).status, 401)
        self.assertEqual(self.ada.image(image_id), image)
        self.assertEqual(self.ada.delete(image_id, permanent=False).status, 202)
        self.assertEqual(refused({"revision": 0}), (404, "NotFound"))
        self.assertEqual(self.ada.send("GET", f"/images/{image_id}/versions").status, 404)
        restored = self.ada.call("POST", f"/images/{image_id}/restore")
        self.assertEqual(self.ada.revert(image_id, 0, restored["version"]).status, 200)

    def test_beside_a_running_edit(self):
        """A revert does not wait for an edit that runs, and is not undone by it: the edit is a version beside it."""
        image_id, _ = self.upload("running")
        self.edit(image_id, ROTATE)
        self.gallery.wait_idle()
        with self.gallery.paused():
            job_id = self.ada.create_job(image_id, CROP)["jobId"]
            wait_until(lambda: self.ada.call("GET", f"/jobs/{job_id}")["status"] == "EDITING", "a job at work")
            wait_until(lambda: self.gallery.get("ImageMetadata", PK=f"IMAGE#{image_id}", SK="VERSION#2"), "its number")
            self.assertEqual(self.ada.revert(image_id, 0).json["revision"], 3)
        self.assertEqual(self.gallery.wait_job(self.ada, job_id)["status"], "COMPLETED")
        image = self.ada.image(image_id)
        self.assertEqual((image["revision"], image["width"], image["height"]), (3, 320, 240))
        self.assertEqual([version["revision"] for version in self.ada.versions(image_id)], [3, 2, 1, 0])
        image = self.ada.revert(image_id, 2).json
        self.assertEqual((image["width"], image["height"]), (200, 100))

    def test_results_from_outside(self):
        """What a provider made that does not edit by operations is its own base."""
        image_id, _ = self.upload("outside")
        self.edit(image_id, ROTATE)
        self.edit(image_id, ROTATE, provider="stub")
        self.edit(image_id, {"op": "rotate", "degrees": 180})
        newest, stub = self.ada.versions(image_id)[:2]
        self.assertEqual((stub["base"], "operations" in stub, newest["base"]), (2, False, 2))
        self.assertEqual((newest["width"], newest["height"]), (240, 320))


if __name__ == "__main__":
    unittest.main(verbosity=2)
