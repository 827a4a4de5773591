"""The photo archive: the table `photos` and the resizer's work, as the product leaves them."""

import concurrent.futures
import os
import signal
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
from gallery import PHOTOS, SIZES, GalleryTest, wait_until  # noqa: E402


class PhotoArchiveTest(GalleryTest):
    def photo(self, image_id):
        """By the composite key: the user's name, then the id."""
        return self.documents.get_item(TableName="photos", Key={"username": "ada", "id": image_id})["Item"]

    def photos_of(self, username):
        return self.documents.query(TableName="photos", KeyConditionExpression="username = :username",
                                    ExpressionAttributeValues={":username": username})["Items"]

    def listed(self, account, limit):
        """The ids of an account's photos as the server lists them, in pages of that size."""
        ids, cursor = [], ""
        while True:
            page = account.call("GET", f"/images?limit={limit}{cursor}")
            ids += [image["id"] for image in page["items"]]
            if not page["hasMore"]:
                return ids
            cursor = f"&cursor={page['lastEvaluatedKey']}"

    def photo_by_id(self, image_id):
        """As the resizer does, which knows the id alone. Correction: the index, which has no name, is `id-index`."""
        return self.documents.query(TableName="photos", IndexName="id-index", KeyConditionExpression="id = :id",
                                    ExpressionAttributeValues={":id": image_id})["Items"]

    def stored(self, image_id):
        """The names of the sizes that lie in the bucket of images."""
        prefix = f"images/images/{image_id}/"
        return {key.removeprefix(prefix) for key in self.gallery.blobs(prefix)}

    def test_ARC_1_the_seven_attributes(self):
        """ARC-1: an upload is an item of seven attributes; the description follows what the person says."""
        before = int(time.time() * 1000)
        image_id = self.ada.upload(photos.webp("ARC-1"), "quay.webp")
        version = self.gallery.wait_developed(self.ada, image_id)["version"]
        self.assertEqual(self.ada.change(image_id, version, description="The quay").status, 200)
        photo = self.photo(image_id)
        uploaded_at = photo.pop("uploadedAt")
        self.assertTrue(before <= uploaded_at <= time.time() * 1000, uploaded_at)
        self.assertEqual(photo, {"username": "ada", "id": image_id, "filename": "quay.webp", "description": "The quay",
                                 "mimetype": "image/webp", "sizes": list(SIZES)})
        keys = self.dynamodb.describe_table(TableName="photos")["Table"]["KeySchema"]
        self.assertEqual([key["AttributeName"] for key in keys], ["username", "id"])

    def test_ARC_2_the_index_is_never_behind(self):
        """ARC-2: a photo is found by its id alone as soon as its upload is answered, and no longer once it is
        deleted."""
        for n in range(10):
            image_id = self.ada.upload(photos.png(f"ARC-2 {n}", 40, 30))
            self.assertEqual([photo["username"] for photo in self.photo_by_id(image_id)], ["ada"])
        self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(self.photo_by_id(image_id), [self.photo(image_id)])
        self.ada.delete(image_id)
        self.gallery.wait_deleted(image_id)
        self.assertEqual(self.photo_by_id(image_id), [])

    def test_ARC_3_a_user_s_photos_in_order(self):
        """ARC-3: the server lists a user's photos by the `uploadedAt` of their items, the newest first, whatever the
        size of the pages. An upload that began first and ended last is the newest."""
        bea = self.gallery.sign_up("bea")
        slow = photos.png("ARC-3 slow", 40, 30)
        path = bea.tus("POST", "/uploads", Upload_Length=len(slow)).headers["Location"].removeprefix("/api/v1")
        uploaded = [bea.upload(photos.png(f"ARC-3 {n}", 40, 30)) for n in range(8)]
        self.ada.upload(photos.png("ARC-3 of somebody else", 40, 30))
        uploaded.append(bea.tus("PATCH", path, slow, Upload_Offset=0).headers["X-Image-Id"])
        self.assertLess(uploaded[-1], uploaded[0])
        self.assertEqual(self.listed(bea, 100), uploaded[::-1])
        times = {photo["id"]: photo["uploadedAt"] for photo in self.photos_of("bea")}
        self.assertEqual(set(times), set(uploaded))
        for older, newer in zip(uploaded, uploaded[1:]):
            self.assertLessEqual(times[older], times[newer])
        # Many at once, some of them in the same millisecond: the order is the same each time.
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            uploaded += pool.map(lambda n: bea.upload(photos.png(f"ARC-3 at once {n}", 40, 30)), range(24))
        times = {photo["id"]: photo["uploadedAt"] for photo in self.photos_of("bea")}
        listed = self.listed(bea, 100)
        self.assertEqual((len(listed), set(listed)), (len(uploaded), set(uploaded)))
        for newer, older in zip(listed, listed[1:]):
            self.assertGreaterEqual(times[newer], times[older])
        for limit in (1, 3, 20):
            self.assertEqual(self.listed(bea, limit), listed, limit)

    def test_ARC_4_the_resizer(self):
        """ARC-4: without `sizes` the file is still an upload; then it is the original in the other bucket; then every
        size is there, none larger than the original."""
        warm = self.ada.upload(photos.png("ARC-4 warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        original = photos.jpeg("ARC-4", 1500, 1000)
        with self.gallery.paused():
            first = self.ada.upload(original)
            second = self.ada.upload(photos.jpeg("ARC-4 second"))
            wait_until(lambda: self.photo(first).get("sizes") == ["ORIGINAL"], "the original in the images bucket")
            self.assertEqual(self.stored(first), {"ORIGINAL"})
            self.assertEqual(self.gallery.blobs("uploads/"), [f"uploads/uploads/{second}"])
            self.assertNotIn("sizes", self.photo(second))
            self.assertEqual(self.stored(second), set())
        for image_id in (first, second):
            self.gallery.wait_developed(self.ada, image_id)
            self.assertEqual(self.photo(image_id)["sizes"], list(SIZES))
            self.assertEqual(self.stored(image_id), set(SIZES))
        self.assertEqual(self.gallery.blob(f"images/images/{first}/ORIGINAL"), original)
        dimensions = {size: photos.size_of(self.gallery.blob(f"images/images/{first}/{size}")) for size in SIZES}
        self.assertEqual(dimensions, {"ORIGINAL": (1500, 1000), "LARGE": (1500, 1000), "MEDIUM": (1024, 683),
                                      "SMALL": (512, 341), "THUMB": (256, 171)})
        self.assertEqual(self.gallery.blobs("uploads/"), [])

    def test_ARC_4_a_crash_of_the_resizer(self):
        """ARC-4: a helper that is killed at work is replaced, and the photo ends whole. (A crash of the server is in
        tests/crash/photo_crash_test.py.)"""
        warm = self.ada.upload(photos.png("ARC-4 crash warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        with self.gallery.paused() as helpers:
            image_id = self.ada.upload(photos.jpeg("ARC-4 crash"))
            wait_until(lambda: self.photo(image_id).get("sizes") == ["ORIGINAL"], "a worker at the photo")
            for helper in helpers:
                os.kill(helper, signal.SIGKILL)
        self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(self.photo(image_id)["sizes"], list(SIZES))
        self.assertEqual(self.stored(image_id), set(SIZES))
        self.assertNotEqual(self.gallery.helpers(), helpers)
        self.assertEqual(len([photo for photo in self.gallery.scan(PHOTOS) if photo["id"] == image_id]), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
