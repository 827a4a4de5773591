#!/usr/bin/env python3
"""Proves `tintype work` on a running server and without one, and what the metrics tell of background work (row M2C-7 of
the mission: operators list, replay and purge)."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
sys.path.insert(0, str(Path(__file__).parent / "support"))
import exposition  # noqa: E402
import photos  # noqa: E402
from breakable_helper import BreakableHelper  # noqa: E402
from gallery import BACKLOG, Gallery, wait_until  # noqa: E402

BINARY = os.environ["TINTYPE_BIN"]


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60, check=False)


class ParserTest(unittest.TestCase):
    def test_what_is_malformed_is_refused(self):
        """The reader that the other tests rely on refuses what Prometheus would."""
        good = '# HELP a_total Help.\n# TYPE a_total counter\na_total{x="1"} 2\n'
        self.assertEqual(exposition.parse(good), {"a_total": ("counter", {("a_total", (("x", "1"),)): 2.0})})
        for bad in (good[:-1], good.replace("counter", "gauge"), good + "a_total{x=\"1\"} 3\n", good + good,
                    good.replace('"1"', "1"), good.replace("a_total{", "b{"), good.replace("# HELP a_total Help.\n", ""),
                    good.replace("} 2", "} two"), good.replace('x="1"', 'x="1",'), "a 1\n",
                    '# HELP h H\n# TYPE h histogram\nh_bucket{le="1"} 1\nh_sum 1\nh_count 1\n',
                    '# HELP h H\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n'):
            with self.assertRaises((exposition.Malformed, ValueError), msg=bad):
                exposition.parse(bad)


class StopTest(unittest.TestCase):
    def test_a_helper_that_does_not_start_keeps_no_server_from_stopping(self):
        """Work that waits for it goes back to the backlog, and that counts for no attempt."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        hanging = Path(folder.name, "hanging")
        hanging.write_text("#!/bin/sh\nexec sleep 600\n")
        hanging.chmod(0o755)
        gallery = Gallery(("--workers", "1", "--darkroom", str(hanging)), data_dir=f"{folder.name}/data")
        self.addCleanup(gallery.server.process.kill)
        work = f"develop-{gallery.sign_up('ada').upload(photos.png('stuck', 40, 30))}"
        wait_until(lambda: gallery.get(BACKLOG, id=work)["status"] == "LEASED", "that somebody works on it")
        gallery.stop()
        listed = run("work", "list", "--json", "--status", "delayed", "--data-dir", f"{folder.name}/data")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        [found] = [line["work"] for line in map(json.loads, listed.stdout.splitlines()) if line.get("work", {}).get("id") == work]
        self.assertEqual(found["attempts"], 0)


class WorkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.helper = BreakableHelper()
        cls.addClassCleanup(cls.helper.cleanup)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.gallery = Gallery(("--workers", "1", "--darkroom", str(cls.helper.path)), data_dir=f"{folder.name}/data")
        cls.addClassCleanup(lambda: cls.gallery.stop())
        cls.ada = cls.gallery.sign_up("ada")

    def setUp(self):
        self.addCleanup(self.mend)

    def mend(self):
        self.helper.broken.unlink(missing_ok=True)

    def break_helpers(self):
        self.helper.broken.touch()
        for process in self.gallery.helpers(templates=True):
            os.kill(process, signal.SIGKILL)

    def work(self, *arguments, code=0):
        done = run("work", *arguments, "--data-dir", self.gallery.server.data_dir)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stdout + done.stderr

    def json_work(self, *arguments):
        lines = [json.loads(line) for line in self.work("list", "--json", *arguments).splitlines()]
        return [line["work"] for line in lines[:-1]], lines[-1]["done"]

    def dead(self, count):
        """As many photos whose development was given up, after one attempt instead of six."""
        self.break_helpers()
        images = [self.ada.upload(photos.png(f"{self.id()} {n}", 40, 30)) for n in range(count)]

        def all_dead():
            for image in images:
                work = self.gallery.get(BACKLOG, id=f"develop-{image}")
                if work["status"] == "DELAYED" and work["maxRetries"] > 0:
                    self.gallery.documents.update_item(
                        TableName=BACKLOG, Key={"id": work["id"]}, UpdateExpression="SET maxRetries = :none",
                        ExpressionAttributeValues={":none": 0})
            return all(self.gallery.get(BACKLOG, id=f"develop-{image}")["status"] == "DEAD" for image in images)

        wait_until(all_dead, "the end of all attempts")
        self.mend()
        return images

    def metrics(self):
        with urllib.request.urlopen(f"http://{self.gallery.server.addresses['metrics']}/metrics", timeout=10) as answer:
            return exposition.parse(answer.read().decode())

    def metric(self, name, **labels):
        """A sample, or None while there is none."""
        samples = {key: value for _, family in self.metrics().values() for key, value in family.items()}
        return samples.get((name, tuple(sorted(labels.items()))))

    def test_help_and_wrong_usage(self):
        for command in (["work"], ["work", "list"], ["work", "show"], ["work", "replay"], ["work", "purge"]):
            done = run(*command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn("Examples", run("work", "--help").stdout)
        for command in (["work"], ["work", "show"], ["work", "replay"], ["work", "replay", "x", "--all"], ["work", "purge"],
                        ["work", "show", ""], ["work", "replay", ""], ["work", "replay", "--all=false"], ["work", "purge", "", "--yes"],
                        ["work", "purge", "--all-dead=false", "--yes"], ["work", "list", "--limit", "0"], ["work", "list", "--status", "gone"], ["backlog", "list"]):
            self.assertEqual(run(*command).returncode, 2, command)
        with tempfile.TemporaryDirectory() as folder:
            missing = run("work", "list", "--data-dir", f"{folder}/nowhere")
            self.assertEqual(missing.returncode, 1)
            self.assertIn("nowhere", missing.stderr)
            self.assertFalse(Path(folder, "nowhere").exists())

    def test_the_old_name_says_the_new_one(self):
        done = run("jobs", "list")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("'tintype work'", done.stderr)

    def test_lists_in_pages_and_shows_one(self):
        images = self.dead(3)
        self.addCleanup(self.work, "purge", "--all-dead", "--yes")
        found, done = self.json_work("--limit", "2")
        rest, last = self.json_work("--limit", "2", "--after", done["next"])
        self.assertEqual([work["id"] for work in found + rest], [f"develop-{image}" for image in images])
        self.assertEqual((done["count"], done["all_counted"], last["next"]), (3, True, ""))
        for work in found + rest:
            self.assertEqual((work["type"], work["status"]), ("develop", "dead"))
            self.assertGreaterEqual(work["attempts"], 1)
            self.assertIn("helper", work["lastError"])
        text = self.work("list", "--limit", "2")
        self.assertRegex(text, r"^ID +TYPE +AGE +TRIED +LAST ERROR\n")
        self.assertIn("3 dead; more with --after '", text)
        self.assertEqual(self.work("list", "--status", "leased"), "0 leased\n")

        shown = self.work("show", f"develop-{images[0]}")
        for name in ("id", "type", "status", "uuid", "priority", "createdAt", "dueAt", "updatedAt", "maxRetries", "lastError",
                     "correlationId"):
            self.assertRegex(shown, rf"(?m)^{name} +\S")
        fields = json.loads(self.work("show", f"develop-{images[0]}", "--json"))["done"]
        self.assertEqual((fields["uuid"], fields["status"], fields["priority"]), (images[0], "dead", "normal"))
        self.assertIn("There is no work of the id nothing", self.work("show", "nothing", code=1))
        self.assertIn("There is no dead work of the id nothing", self.work("replay", "nothing", code=1))

    def test_replays_all_that_is_dead(self):
        images = self.dead(3)
        self.assertEqual(self.work("replay", "--all"), "3 will be tried again\n")
        # Until then they are what they were, which is failed.
        wait_until(lambda: all(self.ada.image(image)["processingStatus"] == "completed" for image in images), "all of them developed")
        self.assertEqual(self.json_work()[1]["count"], 0)
        self.assertEqual(self.work("replay", "--all"), "0 will be tried again\n")

    def test_lists_what_waits(self):
        """What could be done now is pending, what waits for its day delayed, and what is being done neither."""
        trash = self.ada.upload(photos.png("waits in the trash", 40, 30))
        self.gallery.wait_developed(self.ada, trash)
        self.gallery.wait_idle()
        self.assertEqual(self.json_work("--status", "pending")[0], [])
        self.ada.delete(trash, permanent=False)
        with self.gallery.paused():
            begun = self.ada.upload(photos.png("waits 0", 40, 30))
            wait_until(lambda: [work["id"] for work in self.json_work("--status", "leased")[0]] == [f"develop-{begun}"], "one at work")
            waiting = [self.ada.upload(photos.png(f"waits {n}", 40, 30)) for n in (1, 2)]
            pending, done = self.json_work("--status", "pending")
            self.assertEqual([(work["id"], work["status"]) for work in pending], [(f"develop-{image}", "pending") for image in waiting])
            self.assertEqual(done["count"], 2)
            self.assertIn("2 pending", self.work("list", "--status", "pending"))
            delayed = {work["id"]: work["status"] for work in self.json_work("--status", "delayed")[0]}
            self.assertEqual(delayed.get(f"delete-image-{trash}"), "delayed")
            self.assertFalse(delayed.keys() & {f"develop-{image}" for image in [begun, *waiting]})

    def test_nothing_named_is_not_everything(self):
        """Neither the command nor the server takes an empty id for all that is dead."""
        [image] = self.dead(1)
        self.addCleanup(self.work, "purge", "--all-dead", "--yes")
        self.work("purge", "", "--yes", code=2)
        self.work("purge", "--all-dead=false", "--yes", code=2)
        self.work("replay", "", code=2)
        for fields in ({"id": ""}, {"id": "", "all": False}, {"id": f"develop-{image}", "all": True}):
            for command in ("work-purge", "work-replay"):
                self.assertIn("error", self.ask(command, {**fields, "yes": True}), fields)
        self.assertEqual([work["id"] for work in self.json_work()[0]], [f"develop-{image}"])

    def ask(self, command, fields):
        """What the server answers a program that speaks to its socket itself."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(f"{self.gallery.server.data_dir}/admin.sock")
            connection.sendall(json.dumps({command: fields}).encode() + b"\n")
            return json.loads(connection.makefile().readline())

    def test_purges_what_may_go_and_says_what_is_lost(self):
        images = self.dead(2)
        one = f"develop-{images[0]}"
        told = self.work("purge", one, code=1)
        self.assertIn("would lose: that it can be replayed", told)
        self.assertIn("Nothing was purged; --yes does it", told)
        self.assertEqual(self.json_work()[1]["count"], 2)
        self.assertIn(f"{one}  lost: ", self.work("purge", one, "--yes"))
        self.assertIn("There is no work of the id", self.work("purge", one, "--yes", code=1))
        # What holds a place in a limit is not taken, dead or not: one that is, is named, and the others go.
        kept = self.ada.upload(photos.png("kept", 40, 30))
        self.gallery.wait_developed(self.ada, kept)
        self.ada.delete(kept, permanent=False)
        self.assertIn("stay in the trash for ever", self.work("purge", f"delete-image-{kept}", "--yes", code=1))
        self.gallery.documents.put_item(TableName=BACKLOG, Item={
            "id": "reconcile-x", "type": "reconcile", "uuid": "x", "status": "DEAD", "order": "5#000000000000001#reconcile-x",
            "priority": 5, "dueAt": 1, "createdAt": 1, "updatedAt": 1, "retryCount": 9, "maxRetries": 5, "input": {}})
        self.addCleanup(self.gallery.documents.delete_item, TableName=BACKLOG, Key={"id": "reconcile-x"})
        told = self.work("purge", "--all-dead", "--yes", code=1)
        self.assertIn("reconcile-x is not purged", told)
        self.assertIn("1 purged, 1 refused", told)
        self.assertEqual([work["id"] for work in self.json_work()[0]], ["reconcile-x"])
        self.assertEqual([self.ada.image(image)["processingStatus"] for image in images], ["failed", "failed"])

    def test_without_a_server(self):
        """The directory is opened when nobody serves it; what is replayed is done by the next server."""
        [image] = self.dead(1)
        self.gallery.stop()
        self.assertIn(f"develop-{image}", self.work("list"))
        self.assertEqual(self.work("replay", f"develop-{image}"), "1 will be tried again\n")
        self.gallery.start()
        self.ada.log_in()
        wait_until(lambda: self.ada.image(image)["processingStatus"] == "completed", "the replayed development")

    def test_metrics_of_background_work(self):
        """Depth and age while work waits, counters that only grow once it is done, failures by type and kind."""
        warm = self.ada.upload(photos.png("metrics warm", 40, 30))
        self.gallery.wait_developed(self.ada, warm)
        self.gallery.wait_idle()
        types = {name: kind for name, (kind, _) in self.metrics().items() if name.startswith(("tintype_work", "tintype_backlog",
                                                                                           "tintype_darkroom"))}
        self.assertEqual({name for name, kind in types.items() if kind == "counter"},
                         {name for name in types if name.endswith("_total")})
        self.assertEqual(types["tintype_work_duration_seconds"], "histogram")
        begun = [self.ada.tus("POST", "/uploads", Upload_Length=1000).headers["Location"].removeprefix("/api/v1") for _ in range(2)]
        wait_until(lambda: self.metric("tintype_uploads_in_progress") == 2, "two uploads on their way")
        for path in begun:
            self.assertEqual(self.ada.tus("DELETE", path).status, 204)
        wait_until(lambda: self.metric("tintype_uploads_in_progress") == 0, "none on its way")
        completed = self.metric("tintype_work_completed_total", type="develop")
        attempts = self.metric("tintype_work_duration_seconds_count", type="develop")
        with self.gallery.paused():
            for n in range(4):
                self.ada.upload(photos.png(f"metrics {n}", 40, 30))
            wait_until(lambda: self.metric("tintype_backlog_items", state="pending", type="develop") == 3, "three that wait")
            wait_until(lambda: self.metric("tintype_backlog_oldest_age_seconds", priority="normal") > 0.5, "that they age")
            self.assertGreater(self.metric("tintype_work_oldest_age_seconds", type="develop"), 0.5)
            self.assertEqual(self.metric("tintype_work_oldest_age_seconds", type="edit"), 0)
            self.assertEqual(self.metric("tintype_backlog_items", state="leased", type="develop"), 1)
            self.assertEqual(self.metric("tintype_work_running", type="develop"), 1)
            self.assertEqual(self.metric("tintype_backlog_truncated", state="pending"), 0)
            self.assertEqual(self.metric("tintype_backlog_oldest_age_seconds", priority="low"), 0)
            self.assertEqual(self.metric("tintype_darkroom_helpers_running", **{"for": "develop"}), 1)
            self.assertEqual(self.metric("tintype_darkroom_helpers_busy", **{"for": "develop"}), 1)
        self.gallery.wait_idle()
        # The last one is counted a moment after it has left the backlog.
        wait_until(lambda: self.metric("tintype_work_duration_seconds_count", type="develop") >= attempts + 4, "all of them counted")
        self.assertEqual(self.metric("tintype_work_duration_seconds_count", type="develop"), attempts + 4)
        self.assertEqual(self.metric("tintype_work_completed_total", type="develop"), completed + 4)
        wait_until(lambda: self.metric("tintype_backlog_items", state="pending", type="develop") == 0, "an empty backlog")

        failed = self.metric("tintype_work_failed_total", type="develop", kind="died") or 0
        dead = self.metric("tintype_work_dead_total", type="develop")
        replaced = self.metric("tintype_darkroom_helpers_replaced_total", **{"for": "develop"}, reason="failed")
        self.dead(1)
        self.work("purge", "--all-dead", "--yes")
        self.assertGreater(self.metric("tintype_work_failed_total", type="develop", kind="died"), failed)
        self.assertEqual(self.metric("tintype_work_dead_total", type="develop"), dead + 1)
        self.assertGreater(self.metric("tintype_darkroom_helpers_replaced_total", **{"for": "develop"}, reason="failed"), replaced)
        corrupt = self.ada.upload(photos.corrupt("metrics"))
        self.gallery.wait_developed(self.ada, corrupt, "failed")
        self.assertGreaterEqual(self.metric("tintype_darkroom_failures_total", **{"for": "develop"}, kind="corrupt"), 1)
        # A type that somebody invents becomes no label.
        self.gallery.documents.put_item(TableName=BACKLOG, Item={
            "id": "x", "type": "invented", "uuid": "x", "status": "DEAD", "order": "5#000000000000001#x"})
        self.addCleanup(self.gallery.documents.delete_item, TableName=BACKLOG, Key={"id": "x"})
        wait_until(lambda: self.metric("tintype_backlog_items", state="dead", type="unknown") == 1, "work of an unknown type")
        self.assertIsNone(self.metric("tintype_backlog_items", state="dead", type="invented"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
