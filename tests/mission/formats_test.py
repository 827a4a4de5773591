"""Photos of every format through the whole product: what is uploaded, what is kept, what comes back, and who sees
what."""

import sys
import unittest
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
from gallery import SYSTEM, GalleryTest  # noqa: E402

# What EXIF, XMP and colour profiles begin with in a file, and what a camera of the tests wrote into its own.
TRACES = (b"Exif", b"EXIF", b"XMP", b"ICCP", b"ACME", b"2024:05:01")


class FormatsTest(GalleryTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bob = cls.gallery.sign_up("bob")

    def test_IMG_2_every_format_is_developed(self):
        """IMG-2: whatever the format, and whatever its name says, the photo comes back as it looks, and its original as
        it is."""
        painted = photos.paint("formats", 320, 240)
        kinds = {
            "image/jpeg": photos.jpeg("formats"),
            "image/png": photos.png("formats"),
            "image/webp": photos.webp("formats"),
            "image/gif": photos.gif("formats", frames=3),
            "image/tiff": photos.tiff("formats", compression="tiff_lzw"),
            "image/heic": photos.by_vips(painted, ".heic"),
            "image/avif": photos.by_vips(painted, ".avif"),
        }
        for mime_type, data in kinds.items():
            with self.subTest(mime_type):
                image_id = self.ada.upload(data, "holiday.doc")
                image = self.gallery.wait_developed(self.ada, image_id)
                self.assertEqual((image["mimeType"], image["width"], image["height"]), (mime_type, 320, 240))
                large = self.gallery.follow(image["sizes"]["LARGE"])
                self.assertEqual((large.status, large.headers["Content-Type"]), (200, "image/webp"))
                self.assertLess(photos.difference(large.body, painted), 12)
                original = self.gallery.follow(image["sizes"]["ORIGINAL"])
                self.assertEqual((original.headers["Content-Type"], original.body), (mime_type, data))
                self.assertEqual(len(image["blurhash"]), 28)

    def test_IMG_2_raw_files(self):
        """IMG-2: a camera's raw file is developed from the preview in it, and kept as it is."""
        data = photos.dng("raw")
        image = self.gallery.wait_developed(self.ada, self.ada.upload(data, "DSC0001.dng"))
        self.assertEqual((image["width"], image["height"], image["exifData"]["camera"]), (320, 240, "ACME Raw One"))
        medium = self.gallery.follow(image["sizes"]["MEDIUM"])
        self.assertLess(photos.difference(medium.body, photos.paint("raw", 320, 240)), 12)
        self.assertEqual(self.gallery.follow(image["sizes"]["ORIGINAL"]).body, data)

    def test_what_cannot_be_shown(self):
        """Pictures of kinds that cannot be developed are kept and say so; broken ones fail with a reason."""
        for data, mime_type in ((b"8BPS\0\x01" + bytes(100), "image/vnd.adobe.photoshop"),
                                (b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom" + bytes(100), "image/x-canon-cr3")):
            image_id = self.ada.upload(data, "photo.jpg")
            kept = self.gallery.wait_developed(self.ada, image_id)
            self.assertEqual((kept["mimeType"], kept["assetType"], kept["width"]), (mime_type, "IMAGE", 0))
            self.assertEqual(kept["processingWarning"]["code"], "no-preview")
            self.assertEqual(self.gallery.follow(kept["sizes"]["ORIGINAL"]).body, data)
        for data in (photos.by_vips(photos.paint("cut", 200, 200), ".heic")[:300], photos.gif("cut")[:60],
                     photos.tiff("cut")[:5000], photos.bomb()):
            image_id = self.ada.upload(data)
            failed = self.gallery.wait_developed(self.ada, image_id, "failed")
            self.assertTrue(failed["processingError"])
            self.assertEqual(self.gallery.follow(failed["sizes"]["ORIGINAL"]).body, data)

    def test_IMG_13_exif_data(self):
        """IMG-13: `exifData` is on new items, with when and where; an item without it reads and updates all the
        same."""
        image_id = self.ada.upload(photos.jpeg("IMG-13", exif=photos.place_exif()))
        image = self.gallery.wait_developed(self.ada, image_id)
        exif = self.gallery.record(image_id)["exifData"]
        self.assertEqual({name: exif[name] for name in ("camera", "lens", "iso", "shutterSpeed", "aperture", "takenAt")}, {
            "camera": "ACME Box One", "lens": "ACME 50mm F1.8", "iso": 400, "shutterSpeed": "1/125",
            "aperture": Decimal("2.8"), "takenAt": "2024-05-01T10:11:12+10:00"})
        self.assertEqual(exif["gps"], {"latitude": Decimal("-33.8569"), "longitude": Decimal("151.215"),
                                       "altitude": Decimal("12.5")})
        self.assertEqual(image["exifData"]["gps"], {"latitude": -33.8569, "longitude": 151.215, "altitude": 12.5})

        self.documents.update_item(
            TableName="ImageMetadata", Key={"PK": f"IMAGE#{image_id}", "SK": "METADATA"},
            UpdateExpression="REMOVE exifData, blurhash, dominantColors, perceptualHash")
        bare = self.ada.image(image_id)
        self.assertFalse({"exifData", "blurhash", "dominantColors", "perceptualHash"} & set(bare))
        changed = self.ada.change(image_id, bare["version"], title="Without")
        self.assertEqual((changed.status, changed.json["title"]), (200, "Without"))
        self.assertEqual(self.ada.call("GET", f"/images/{image_id}/similar")["items"], [])

    def test_others_see_neither_time_nor_place(self):
        """What the camera wrote is its owner's: the feed has none of it, nor has any picture that others can load."""
        image_id = self.ada.upload(photos.jpeg("shared", exif=photos.place_exif()), visibility="shared")
        self.gallery.wait_developed(self.ada, image_id)
        feed = self.bob.call("GET", "/feed?limit=100")["images"]
        shown = next(image for image in feed if image["imageId"] == image_id)
        self.assertEqual(len(shown["blurhash"]), 28)
        self.assertFalse({"exifData", "gps", "takenAt", "perceptualHash"} & set(shown))
        self.assertEqual(set(shown["sizes"]), {"LARGE", "MEDIUM", "SMALL", "THUMB"})
        for size, url in shown["sizes"].items():
            picture = self.gallery.follow(url).body
            self.assertEqual(photos.format_of(picture), "WEBP", size)
            self.assertEqual([trace for trace in TRACES if trace in picture], [], size)
        self.assertEqual(self.bob.send("GET", f"/images/{image_id}").status, 404)
        self.assertEqual(self.bob.send("GET", f"/images/{image_id}/similar").status, 404)

    def test_similar_images(self):
        """The same photo in other sizes and formats is found, nearest first; another photo is not, nor is somebody
        else's."""
        original = photos.paint("alike", 640, 480)
        data = photos.encode(original, "JPEG", quality=92)
        first = self.ada.upload(data)
        copies = {self.ada.upload(photos.encode(original.resize((400, 300)), "PNG")),
                  self.ada.upload(photos.encode(original, "WEBP", quality=60)),
                  self.ada.upload(photos.encode(original.resize((200, 150)), "JPEG", quality=40))}
        other = self.ada.upload(photos.jpeg("nothing like it", 640, 480))
        self.bob.upload(data)
        for image_id in {first, other, *copies}:
            self.gallery.wait_developed(self.ada, image_id)
        found = self.ada.call("GET", f"/images/{first}/similar")
        self.assertTrue(found["complete"])
        self.assertEqual({each["image"]["id"] for each in found["items"]}, copies)
        distances = [each["distance"] for each in found["items"]]
        self.assertEqual(distances, sorted(distances))
        self.assertLessEqual(distances[-1], 10)
        self.assertEqual(len(self.ada.call("GET", f"/images/{first}/similar?limit=1")["items"]), 1)
        self.assertEqual(self.ada.call("GET", f"/images/{other}/similar?distance=11")["items"], [])
        for wrong in ("distance=12", "distance=-1", "distance=far", "limit=0", "limit=101"):
            self.assertEqual(self.ada.send("GET", f"/images/{first}/similar?{wrong}").status, 400, wrong)

        gone = copies.pop()
        self.assertEqual(self.ada.delete(gone).status, 202)
        self.gallery.wait_deleted(gone)
        found = self.ada.call("GET", f"/images/{first}/similar")
        self.assertEqual({each["image"]["id"] for each in found["items"]}, copies)
        self.assertFalse([item for item in self.gallery.scan(SYSTEM) if gone in str(item) and "LOOK" in item["PK"]])


if __name__ == "__main__":
    unittest.main(verbosity=2)
