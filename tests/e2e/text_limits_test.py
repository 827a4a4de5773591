"""How long texts may be: as many characters as the contract says, whatever bytes they take, on every way in."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import Gallery, wait_until  # noqa: E402

SCHEMAS = json.loads(rest.contract.FILE.read_text(encoding="utf-8"))["components"]["schemas"]
# One character of one, two, three and four bytes.
CHARACTERS = ("a", "ä", "写", "📷")


def longest(name):
    return SCHEMAS[name]["maxLength"]


def texts(name):
    """For each kind of character, a text that just fits, and one that does not."""
    for character in CHARACTERS:
        yield character * longest(name), character * (longest(name) + 1)


class TextLimitsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(("--workers", "1", "--uploads-per-minute", "1000"))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")
        cls.count = 0

    def photo(self):
        type(self).count += 1
        return photos.jpeg(f"limits {self.count}", 32, 24)

    def assert_refused(self, answer, name, length):
        self.assertEqual((answer.status, answer.json["code"]), (400, "InvalidRequest"), answer.body)
        self.assertIn(f"`{name}` has {length} characters; the limit is {length - 1}.", answer.json["detail"])

    def change(self, image_id, **details):
        return self.ada.change(image_id, self.ada.image(image_id)["version"], **details)

    def test_details_of_an_image(self):
        """Proves that a change takes texts as long as the contract has them, and no longer."""
        image_id = self.ada.upload(self.photo())
        self.gallery.wait_developed(self.ada, image_id)
        for field, schema in (("title", "Title"), ("description", "Description"), ("altText", "AltText"), ("albumId", "AlbumId")):
            for fits, too_long in texts(schema):
                with self.subTest(field, character=fits[0]):
                    answer = self.change(image_id, **{field: fits})
                    self.assertEqual((answer.status, answer.json.get(field)), (200, fits), answer.body[:300])
                    self.assert_refused(self.change(image_id, **{field: too_long}), field, len(too_long))

    def test_tags(self):
        """Proves it for tags, whose texts are parts of keys: as many as allowed, each as long as allowed."""
        image_id = self.ada.upload(self.photo())
        self.gallery.wait_developed(self.ada, image_id)
        most = SCHEMAS["Tags"]["maxItems"]
        for character in CHARACTERS:
            with self.subTest(character):
                tags = [f"{number:02}" + character * (longest("Tag") - 2) for number in range(most)]
                answer = self.change(image_id, tags=tags)
                self.assertEqual((answer.status, answer.json.get("tags")), (200, tags), answer.body[:300])
                self.assert_refused(self.change(image_id, tags=[character * (longest("Tag") + 1)]), "tags", longest("Tag") + 1)
        refused = self.change(image_id, tags=[f"tag{number}" for number in range(most + 1)])
        self.assertEqual((refused.status, refused.json["detail"]), (400, f"An image has at most {most} tags."))

    def ways(self):
        """Every way to upload, each with some texts."""
        def tus(data, **named):
            metadata = ",".join(f"{name} {base64.b64encode(text.encode()).decode()}" for name, text in named.items())
            return self.ada.tus("POST", "/uploads", None, Upload_Length=len(data), Upload_Metadata=metadata)

        return {
            "query": lambda data, filename="photo.jpg", **named: self.ada.post_image(data, filename, **named),
            "form": lambda data, filename="photo.jpg", **named: self.ada.post_form(data, filename, before=named),
            "tus": tus,
            "direct": lambda data, **named: self.ada.send("POST", "/uploads/direct", {"size": len(data), **named}),
        }

    def test_uploads(self):
        """Proves that every way to upload has the same limits as a change."""
        for way, upload in self.ways().items():
            for field, schema in (("title", "Title"), ("albumId", "AlbumId"), ("filename", "Filename")):
                for fits, too_long in texts(schema):
                    with self.subTest(way, field=field, character=fits[0]):
                        answer = upload(self.photo(), **{field: fits})
                        self.assertIn(answer.status, (201, 202), answer.body[:300])
                        if answer.status == 202:
                            shown = {"filename": "originalFilename"}.get(field, field)
                            self.assertEqual(answer.json[shown], fits)
                        self.assert_refused(upload(self.photo(), **{field: too_long}), field, len(too_long))

    def test_all_at_once(self):
        """Proves that an image with every text as long as allowed, of the longest characters, fits into its item, and
        that a client may write each of them as two escapes."""
        album = "📷" * longest("AlbumId")
        image_id = self.ada.upload(self.photo(), "📷" * longest("Filename"), title="📷" * longest("Title"), albumId=album)
        self.gallery.wait_developed(self.ada, image_id)
        details = {"title": "📷" * longest("Title"), "altText": "📷" * longest("AltText"), "albumId": album,
                   "description": "📷" * longest("Description"),
                   "tags": [f"{n:02}" + "📷" * (longest("Tag") - 2) for n in range(SCHEMAS["Tags"]["maxItems"])]}
        self.assertGreater(len(json.dumps(details)), 12 * longest("Description"))
        answer = self.change(image_id, **details)
        self.assertEqual(answer.status, 200, answer.body[:300])
        self.assertEqual(details, {name: answer.json[name] for name in details})
        self.gallery.wait_idle()
        self.assertEqual(self.ada.delete(image_id).status, 202)
        self.gallery.wait_deleted(image_id)

    def sign_up(self, **changed):
        type(self).count += 1
        account = {"email": f"u{self.count}@example.com", "username": f"user{self.count}", "password": "correct horse battery"}
        return rest.request(self.gallery.address, "POST", "/api/v1/auth/signup", json.dumps({**account, **changed}),
                            {"Content-Type": "application/json"})

    def test_accounts(self):
        """Proves that accounts' texts are counted in characters too."""
        shortest = SCHEMAS["Password"]["minLength"]
        for character in CHARACTERS:
            with self.subTest(character):
                self.assertEqual(self.sign_up(password=character * shortest).status, 201)
                refused = self.sign_up(password=character * (shortest - 1))
                self.assertEqual(refused.status, 400)
                self.assertIn(f"{shortest} to {longest('Password')} characters", refused.json["detail"])
        self.assertEqual(self.sign_up(password="写" * longest("Password")).status, 201)
        self.assertEqual(self.sign_up(password="写" * (longest("Password") + 1)).status, 400)
        self.assertEqual(self.sign_up(username="u" * longest("Username")).status, 201)
        self.assertEqual(self.sign_up(username="u" * (longest("Username") + 1)).status, 400)
        self.assertEqual(self.sign_up(username="u" * (SCHEMAS["Username"]["minLength"] - 1)).status, 400)
        domain = "@example.com"
        self.assertEqual(self.sign_up(email="写" * (longest("Email") - len(domain)) + domain).status, 201)
        self.assertEqual(self.sign_up(email="写" * (longest("Email") - len(domain) + 1) + domain).status, 400)

    def test_whoever_signs_up_can_upload(self):
        """Proves that no address is taken that does not fit the keys of what its account uploads."""
        for local, host in (("📷" * (longest("Email") - 2), "📷"), ("📷" * (longest("Email") - 12), "example.com")):
            with self.subTest(host):
                answer = self.sign_up(email=f"{local}@{host}")
                if answer.status == 201:
                    uploaded = rest.request(self.gallery.address, "POST", "/api/v1/images", self.photo(),
                                            {"Authorization": f"Bearer {answer.json['accessToken']}"})
                    self.assertEqual(uploaded.status, 202, uploaded.body)
                else:
                    self.assertEqual((answer.status, host), (400, "📷"), answer.body)

    def test_import(self):
        """Proves that an import has the same limits."""
        with tempfile.TemporaryDirectory() as folder:
            # A file's name has 255 bytes at most, whatever the characters.
            name = "写" * 80 + ".jpg"
            Path(folder, name).write_bytes(self.photo())
            command = [os.environ["TINTYPE_BIN"], "import", "folder", folder, "--user", self.ada.email,
                       "--data-dir", self.gallery.server.data_dir, "--album"]
            for _, too_long in texts("AlbumId"):
                done = subprocess.run([*command, too_long], capture_output=True, text=True, check=False, timeout=60)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"`albumId` has {len(too_long)} characters", done.stderr)
            done = subprocess.run([*command, "写" * longest("AlbumId")], capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
        imported = wait_until(lambda: [image for image in self.ada.call("GET", "/images?limit=100")["items"]
                                       if image["originalFilename"] == name], "the imported photo")
        self.assertEqual(imported[0]["albumId"], "写" * longest("AlbumId"))


if __name__ == "__main__":
    unittest.main()
