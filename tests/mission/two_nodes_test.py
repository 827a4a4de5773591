#!/usr/bin/env python3
"""Two servers of one gallery, on the tables of a third: an end that one of them is told of counts on the other within a
second."""

import shutil
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
import storage  # noqa: E402
from gallery import Gallery, tables, wait_until  # noqa: E402

# The nodes say the same of themselves, as they would behind one address.
ARGUMENTS = ("--public-url", "http://gallery.example", "--blob-encryption", "off")
PASSWORD = "correct horse battery"


@unittest.skipUnless(storage.is_as_by_default(), "it sets up storage and tables of its own")
class TwoNodesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tintype-nodes-")
        cls.addClassCleanup(folder.cleanup)
        shared = tables.Elsewhere()
        cls.addClassCleanup(shared.stop)
        first, second = Path(folder.name, "first"), Path(folder.name, "second")
        with unittest.mock.patch.object(tables, "of_tests", lambda: shared):
            cls.first = Gallery(ARGUMENTS, data_dir=str(first))
            cls.addClassCleanup(lambda: cls.first.server.stop())
            cls.root = cls.first.sign_up_administrator()
            # Its own directory, with the secret of the gallery, and the photos of the first.
            second.mkdir(mode=0o700)
            for name in ("FORMAT", "secret"):
                shutil.copy(first / name, second / name)
            (second / "blobs").symlink_to(first / "blobs")
            cls.second = Gallery(ARGUMENTS, data_dir=str(second))
            cls.addClassCleanup(lambda: cls.second.server.stop())

    def made(self, name):
        """An account that signed up at the first node."""
        return rest.Account(lambda: self.first.address, name).sign_up()

    def status(self, node, authorization, path="/me"):
        return rest.request(node.address, "GET", f"/api/v1{path}", headers={"Authorization": authorization}).status

    def assert_ends(self, act, look, good, ended):
        """`look` asks the second node, which has answered `good` and goes on to, until `act` is done at the first; from
        then on a second may pass."""
        self.assertEqual(look(), good)
        wait_until(lambda: look() == good, "the second node knows of it")
        act()
        done = time.monotonic()
        while look() != ended:
            self.assertLess(time.monotonic() - done, 1, "still good after a second")

    def test_logging_out(self):
        """A session that is ended at one node."""
        ann = self.made("ann")
        [session] = ann.call("GET", "/me/sessions")["items"]
        self.assert_ends(lambda: self.assertEqual(ann.send("DELETE", f"/me/sessions/{session['id']}").status, 204),
                         lambda: self.status(self.second, ann.authorization), 200, 401)

    def test_another_password(self):
        """A password that is changed at one node ends the sessions that others have."""
        ben = self.made("ben")
        before = ben.authorization
        ben.log_in()
        passwords = {"currentPassword": PASSWORD, "newPassword": "another horse battery"}
        self.assert_ends(
            lambda: self.assertEqual(ben.send("POST", "/me/password", passwords).status, 204),
            lambda: self.status(self.second, before), 200, 401)

    def test_a_disabled_account(self):
        """An account that is disabled at one node, its key, and the links to its photos."""
        cem = self.made("cem")
        key = cem.call("POST", "/me/api-keys", {"name": "key", "scopes": ["read"]})["key"]
        image = cem.upload(photos.png("two nodes", 40, 30))
        self.first.wait_developed(cem, image)
        link = cem.image(image)["sizes"]["SMALL"]

        def look():
            return (self.status(self.second, cem.authorization), self.status(self.second, f"Bearer {key}", "/images"),
                    self.second.follow(link).status)

        self.assert_ends(lambda: self.root.call("PATCH", f"/users/{cem.user_id}", {"disabled": True}), look,
                         (200, 200, 200), (401, 401, 404))

    def test_what_is_shared_no_more(self):
        """A link to a shared photo that somebody else has, when its owner unshares it at one node."""
        dan, eve = self.made("dan"), self.made("eve")
        image = dan.upload(photos.png("shared on two nodes", 40, 30), visibility="shared")
        self.first.wait_developed(dan, image)
        feed = eve.call("GET", "/feed?limit=100")["images"]
        [link] = [each["sizes"]["SMALL"] for each in feed if each["imageId"] == image]
        self.assert_ends(lambda: dan.call("POST", f"/images/{image}/unshare"), lambda: self.second.follow(link).status, 200, 404)


if __name__ == "__main__":
    unittest.main(verbosity=2)
