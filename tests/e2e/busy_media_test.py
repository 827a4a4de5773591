"""Media while the server is busy or at a limit of its own: who waits for whom, and what is told."""

import contextlib
import http.client
import os
import re
import resource
import signal
import socket
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import gallery  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402


class OneWorkerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tintype-media-")
        self.addCleanup(folder.cleanup)
        # Encrypted pictures are made in memory: only those in plain have a file while they are.
        self.gallery = gallery.Gallery(["--workers", "1", "--blob-encryption", "off"], data_dir=folder.name)
        self.addCleanup(lambda: self.gallery.stop())
        self.ada = self.gallery.sign_up("ada")
        self.image_id = self.ada.upload(photos.jpeg("one worker", 600, 400))
        self.gallery.wait_developed(self.ada, self.image_id)

    def resize(self, width):
        url = self.ada.call("POST", f"/images/{self.image_id}/links", {"w": width, "format": "jpeg"})["url"]
        return self.gallery.follow(url)

    def stopped(self, helpers):
        for helper in helpers:
            os.kill(helper, signal.SIGSTOP)
            self.addCleanup(self.go_on, helper)

    def go_on(self, helper):
        # It may have made room for another account's meanwhile.
        with contextlib.suppress(ProcessLookupError):
            os.kill(helper, signal.SIGCONT)

    def test_viewers_do_not_wait_behind_an_import(self):
        """A picture that somebody waits for is made while all helpers that develop photos are busy for long; and photos
        are developed while all that resize are."""
        developing = set(self.gallery.helpers())
        self.assertEqual(self.resize(300).status, 200)
        resizing = set(self.gallery.helpers()) - developing
        self.assertEqual((len(developing), len(resizing)), (1, 1))
        self.stopped(developing)
        stuck = self.ada.upload(photos.jpeg("stuck", 200, 100))
        self.assertEqual(photos.size_of(self.resize(301).body), (301, 201))
        self.assertNotEqual(self.ada.image(stuck)["processingStatus"], "completed")
        for helper in developing:
            os.kill(helper, signal.SIGCONT)
        self.gallery.wait_developed(self.ada, stuck)
        self.stopped(resizing)
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.jpeg("free", 200, 100)))

    def helpers_for(self, purpose):
        metrics = rest.request(self.gallery.server.addresses["metrics"], "GET", "/metrics").body.decode()
        return int(re.search(rf'^tintype_darkroom_helpers_running{{for="{purpose}"}} (\d+)$', metrics, re.MULTILINE).group(1))

    def test_metrics_know_all_helpers(self):
        """Those that resize are counted beside those that develop."""
        self.assertEqual((self.helpers_for("develop"), self.helpers_for("resize")), (1, 0))
        self.resize(300)
        self.assertEqual((self.helpers_for("develop"), self.helpers_for("resize")), (1, 1))

    def begin(self, link):
        """Asks for a picture, and does not wait for it."""
        host, port = self.gallery.address.split(":")
        connection = socket.create_connection((host, int(port)), timeout=60)
        connection.sendall(f"GET {link} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return connection

    def waiting(self):
        metrics = rest.request(self.gallery.server.addresses["metrics"], "GET", "/metrics").body.decode()
        return int(re.search(r"^tintype_resize_waiting (\d+)$", metrics, re.MULTILINE).group(1))

    def link(self, account, image_id, **wanted):
        return account.call("POST", f"/images/{image_id}/links", wanted)["url"]

    def resizing_helpers(self):
        before = set(self.gallery.helpers())
        self.assertEqual(self.resize(300).status, 200)
        return set(self.gallery.helpers()) - before

    def test_one_account_does_not_keep_others_waiting(self):
        """However many pictures of one account wait, another's is made next; and those whose viewers hung up are not
        made."""
        bob = self.gallery.sign_up("bob")
        theirs = bob.upload(photos.jpeg("of bob", 300, 200))
        self.gallery.wait_developed(bob, theirs)
        links = [self.link(self.ada, self.image_id, w=width, format="jpeg") for width in range(200, 240)]
        helpers = self.resizing_helpers()
        self.stopped(helpers)
        connections = [self.begin(links[0])]
        drafts = Path(self.gallery.server.data_dir, "cache", "resized", "drafts")
        gallery.wait_until(lambda: any(drafts.iterdir()), "one is in progress")
        connections += [self.begin(link) for link in links[1:17]]
        gallery.wait_until(lambda: self.waiting() == 16, "all wait")
        refused = self.gallery.follow(links[17])
        self.assertEqual((refused.status, refused.headers["Retry-After"] is None), (503, False))
        viewer = self.begin(self.link(bob, theirs, w=50, format="jpeg"))
        gallery.wait_until(lambda: self.waiting() == 17, "bob waits")
        for connection in connections[1:]:
            connection.close()
        # Who comes next takes the place of those who left.
        last = self.begin(links[18])
        gallery.wait_until(lambda: self.waiting() == 2, "nobody waits but those who are there")
        for helper in helpers:
            os.kill(helper, signal.SIGCONT)
        for connection in (viewer, last, connections[0]):
            with connection:
                self.assertEqual(connection.recv(12), b"HTTP/1.1 200")
        metrics = rest.request(self.gallery.server.addresses["metrics"], "GET", "/metrics").body.decode()
        self.assertIn("tintype_resized_made_total 4\n", metrics)
        self.assertIn("tintype_resized_refused_total 1\n", metrics)

    def test_a_picture_of_an_image_that_is_being_deleted_is_not_kept(self):
        """Though it was begun before the deletion, and done after it."""
        going = self.ada.upload(photos.jpeg("going", 300, 200))
        self.gallery.wait_developed(self.ada, going)
        link = self.link(self.ada, going, w=50, format="jpeg")
        folder = Path(self.gallery.server.data_dir, "cache", "resized")
        helpers = self.resizing_helpers()
        before = {file for file in folder.rglob("*") if file.is_file()}
        self.stopped(helpers)
        viewer = self.begin(link)
        gallery.wait_until(lambda: any(Path(folder, "drafts").iterdir()), "it is begun")
        self.assertEqual(self.ada.delete(going).status, 202)
        self.gallery.wait_deleted(going)
        for helper in helpers:
            os.kill(helper, signal.SIGCONT)
        with viewer:
            self.assertEqual(viewer.recv(12), b"HTTP/1.1 404")
        self.assertEqual({file for file in folder.rglob("*") if file.is_file()}, before)

    def test_pictures_survive_a_restart(self):
        """What was made is found by a server that was started again, also after a kill; unfinished files are not."""
        before = self.resize(300)
        self.gallery.server.kill()
        folder = Path(self.gallery.server.data_dir, "cache", "resized")
        Path(folder, "drafts", "7").write_bytes(b"half")
        self.gallery.start()
        self.ada.log_in()
        after = self.resize(300)
        self.assertEqual((after.body, after.headers["ETag"]), (before.body, before.headers["ETag"]))
        self.assertEqual(list(Path(folder, "drafts").iterdir()), [])
        metrics = rest.request(self.gallery.server.addresses["metrics"], "GET", "/metrics").body.decode()
        self.assertIn("tintype_resized_made_total 0\n", metrics)
        self.assertIn("tintype_resized_found_total 1\n", metrics)


class LimitsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tintype-media-")
        self.addCleanup(folder.cleanup)
        self.gallery = gallery.Gallery(["--workers", "1", "--uploads-per-minute", "3"], data_dir=folder.name)
        self.addCleanup(self.gallery.stop)
        self.ada = self.gallery.sign_up("ada")
        self.image = self.gallery.wait_developed(self.ada, self.ada.upload(photos.jpeg("limits", 300, 200)))

    def test_links_have_a_rate(self):
        """Nobody asks for links without end, each good for a picture that has to be made; uploads are counted apart."""
        path = f"/images/{self.image['id']}/links"
        for width in (1, 2, 3):
            self.ada.call("POST", path, {"w": width})
        refused = self.ada.send("POST", path, {"w": 4})
        self.assertEqual((refused.status, refused.json["code"]), (429, "TooManyRequests"))
        self.assertGreaterEqual(int(refused.headers["Retry-After"]), 1)
        self.assertEqual(self.ada.post_image(photos.jpeg("still", 30, 20)).status, 202)

    def test_a_server_without_files_is_busy(self):
        """Whoever asks while the process may open no more files is told to try again, and served when it may."""
        limit = resource.prlimit(self.gallery.server.process.pid, resource.RLIMIT_NOFILE)
        connection = http.client.HTTPConnection(self.gallery.address, timeout=20)
        self.addCleanup(connection.close)
        connection.request("GET", "/healthz")  # So that it is open.
        connection.getresponse().read()
        statuses = []
        for soft in (3, limit[0]):
            resource.prlimit(self.gallery.server.process.pid, resource.RLIMIT_NOFILE, (soft, limit[1]))
            connection.request("GET", self.image["sizes"]["SMALL"])
            answer = connection.getresponse()
            answer.read()
            statuses.append((answer.status, answer.headers["Retry-After"] is not None))
        self.assertEqual(statuses, [(503, True), (200, False)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
