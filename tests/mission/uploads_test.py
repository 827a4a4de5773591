"""Uploads that take longer than a request, on whichever storage: in parts by tus, and to the storage itself by a link
(rows ARC-4 and SPK-7: what comes out is the same photo as by one request, and what is given up costs nothing)."""

import hashlib
import sys
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import SPARKS, GalleryTest, wait_until  # noqa: E402


def put(link, data):
    """Puts a file to a link as it says, whoever answers there."""
    url = urllib.parse.urlsplit(link["url"])
    return rest.request(url.netloc, link["method"], f"{url.path}?{url.query}", data, link["headers"]).status


class UploadsTest(GalleryTest):
    def test_ARC_4_in_parts(self):
        """ARC-4: a photo that came in parts is developed as any other; its original is what was sent."""
        data = photos.jpeg("uploads in parts", 640, 480)
        created = self.ada.tus("POST", "/uploads", Upload_Length=len(data))
        self.assertEqual(created.status, 201)
        path = created.headers["Location"].removeprefix("/api/v1")
        for start in range(0, len(data), 20_000):
            answer = self.ada.tus("PATCH", path, data[start:start + 20_000], Upload_Offset=start)
            self.assertEqual(answer.status, 204, answer.body)
        image_id = answer.headers["X-Image-Id"]
        self.gallery.wait_developed(self.ada, image_id)
        self.assertEqual(self.gallery.blob(f"images/images/{image_id}/ORIGINAL"), data)
        self.assertEqual(self.ada.tus("HEAD", path).headers["X-Image-Id"], image_id)
        self.assertEqual(self.ada.delete(image_id).status, 202)
        self.gallery.wait_deleted(image_id)

    def test_ARC_4_by_a_link(self):
        """ARC-4: a photo that was put by a link is developed as any other; the word that it is there may be said
        twice."""
        data = photos.jpeg("uploads by a link", 640, 480)
        link = self.ada.call("POST", "/uploads/direct", {
            "filename": "link.jpg", "size": len(data), "contentType": "image/jpeg", "sha256": hashlib.sha256(data).hexdigest()})
        self.assertEqual(self.ada.send("POST", f"/uploads/{link['id']}/complete").status, 409)
        self.assertEqual(put(link, data), 200)
        done = self.ada.send("POST", f"/uploads/{link['id']}/complete")
        self.assertEqual((done.status, done.json["originalFilename"]), (202, "link.jpg"))
        self.gallery.wait_developed(self.ada, done.json["id"])
        self.assertEqual(self.gallery.blob(f"images/images/{done.json['id']}/ORIGINAL"), data)
        again = self.ada.send("POST", f"/uploads/{link['id']}/complete")
        self.assertEqual(again.json["id"], done.json["id"])

    def test_SPK_7_the_default(self):
        """SPK-7: a new account may upload 500 images unless the operator said otherwise, and one less after each."""
        eve = self.gallery.sign_up("eve")
        key = {"PK": f"LIMIT#{eve.email}", "SK": eve.email}
        self.assertEqual((eve.limit(), self.gallery.get(SPARKS, **key)["limit"]), (500, 500))
        eve.upload(photos.png("uploads by default", 40, 30))
        self.assertEqual((eve.limit(), self.gallery.get(SPARKS, **key)["limit"]), (499, 499))

    def test_SPK_7_what_is_given_up(self):
        """SPK-7: uploads that are given up, before or after their bytes came, give back what they took and leave no
        bytes."""
        limit = self.ada.limit()
        data = photos.png("uploads given up", 40, 30)
        link = self.ada.call("POST", "/uploads/direct", {"size": len(data)})
        self.assertEqual(put(link, data), 200)
        other = self.ada.call("POST", "/uploads/direct", {"size": 100, "sha256": "0" * 64})
        put(other, b"no photo, " * 10)
        self.assertEqual(self.ada.send("POST", f"/uploads/{other['id']}/complete").status, 400)
        parts = self.ada.tus("POST", "/uploads", data[:100], Upload_Length=len(data),
                             Content_Type="application/offset+octet-stream").headers["Location"].removeprefix("/api/v1")
        self.assertEqual(self.ada.limit(), limit - 2)
        for path in (f"/uploads/{link['id']}", parts):
            self.assertEqual(self.ada.send("DELETE", path).status, 204)
            self.assertEqual(self.ada.send("DELETE", path).status, 404)
        self.assertEqual(self.ada.limit(), limit)
        wait_until(lambda: not [key for key in self.gallery.blobs("uploads/") if "direct" in key], "no bytes are left")


if __name__ == "__main__":
    unittest.main(verbosity=2)
