#!/usr/bin/env python3
"""Proves what /metrics tells of a running server: the text is as Prometheus wants it, every metric in the source is
there, and each rises with what it counts."""

import os
import sys
import time
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mission" / "support"))
sys.path.insert(0, str(Path(__file__).parent / "support"))
sys.path.insert(0, str(ROOT / "tools"))
import check_metrics  # noqa: E402
import exposition  # noqa: E402
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import Gallery, wait_until  # noqa: E402

REQUESTS, DURATIONS = "tintype_rest_requests_total", "tintype_rest_request_duration_seconds_count"


class MetricsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(("--workers", "1"))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def text(self):
        with urllib.request.urlopen(f"http://{self.gallery.server.addresses['metrics']}/metrics", timeout=10) as answer:
            self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            return answer.read().decode()

    def samples(self):
        """Every sample by its name and labels."""
        return {key: value for _, family in exposition.parse(self.text()).values() for key, value in family.items()}

    def rise(self, name, before, **labels):
        key = (name, tuple(sorted(labels.items())))
        return self.samples().get(key, 0) - before.get(key, 0)

    def get(self, path, method="GET"):
        return rest.request(self.gallery.address, method, path)

    def test_metrics_are_those_of_the_source(self):
        """Whatever a room registers is there, by that alone; instruments at the latest when they have counted."""
        self.gallery.wait_developed(self.ada, self.ada.upload(photos.png("all", 40, 30)))
        registered = check_metrics.registrations(ROOT)
        families = exposition.parse(self.text())
        self.assertLessEqual(set(families), {name for _, _, name, _, _ in registered})
        self.assertLessEqual({name for _, _, name, _, is_instrument in registered if not is_instrument}, set(families))
        for _, kind, name, _, _ in registered:
            if name in families:
                self.assertEqual(families[name][0], kind.lower(), name)
        for line in self.text().splitlines():
            if line.startswith("# HELP "):
                self.assertRegex(line, r"^# HELP \S+ [A-Z0-9].*\.$")

    def test_rest_requests_are_counted_by_route(self):
        """Exactly as many as were made, by the pattern of their route and their status; durations with them."""
        image = self.ada.upload(photos.png("counted", 40, 30))
        self.gallery.wait_developed(self.ada, image)
        before = self.samples()
        for _ in range(3):
            self.ada.image(image)
        for missing in range(2):
            self.assertEqual(self.ada.send("GET", f"/images/missing-{missing}").status, 404)
        self.assertEqual(self.get("/api/v1/images").status, 401)
        self.assertEqual(self.get(f"/api/v1/images/{image}", "PUT").status, 405)
        self.assertEqual(self.get("/api/v1/no/such/path").status, 404)
        self.assertEqual(self.gallery.follow(self.gallery.sign(f"images/{image}/THUMB")).status, 200)
        self.assertEqual(self.get("/media/unsigned").status, 403)
        self.assertEqual(self.get("/healthz").status, 200)
        # The second is refused when its body has arrived.
        self.assertEqual(self.ada.send("POST", "/images", b"").status, 400)
        self.ada.fail_to_upload(b"no photo" * 40_000)
        for method, route, status, number in (
                ("GET", "/api/v1/images/{id}", 200, 3), ("GET", "/api/v1/images/{id}", 404, 2),
                ("GET", "/api/v1/images", 401, 1), ("any", "other", 405, 1), ("any", "other", 404, 1),
                ("GET", "/media/{key}", 200, 1), ("GET", "/media/{key}", 403, 1), ("GET", "health", 200, 1),
                ("POST", "/api/v1/images", 400, 2), ("POST", "/api/v1/images", 202, 0)):
            self.assertEqual(self.rise(REQUESTS, before, method=method, route=route, status=str(status)), number,
                             (method, route, status))
        for method, route, number in (("GET", "/api/v1/images/{id}", 5), ("GET", "/media/{key}", 2), ("any", "other", 2)):
            self.assertEqual(self.rise(DURATIONS, before, method=method, route=route), number, route)
        self.assertNotIn(image, self.text())

    def test_all_requests_are_the_sum_of_their_routes(self):
        """No request is lost between the routes, nor counted twice."""
        def total(samples):
            return sum(value for (name, _), value in samples.items() if name == REQUESTS)

        before = total(self.samples())
        for _ in range(20):
            self.ada.call("GET", "/me")
        self.get("/")
        self.get("/api/v1/auth/state")
        self.assertEqual(total(self.samples()) - before, 22)

    def test_process(self):
        """The figures are this server's, and move with it."""
        before = self.samples()
        process = f"/proc/{self.gallery.server.process.pid}"
        started = before["tintype_process_start_time_seconds", ()]
        self.assertLess(abs(started - os.stat(process).st_ctime), 60)
        self.assertLessEqual(started, time.time() + 1)
        resident = int(Path(process, "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
        self.assertLess(abs(before["tintype_process_resident_memory_bytes", ()] - resident), 64 << 20)
        self.assertLess(abs(before["tintype_process_threads", ()] - len(os.listdir(f"{process}/task"))), 8)
        self.assertLess(abs(before["tintype_process_open_descriptors", ()] - len(os.listdir(f"{process}/fd"))), 16)

        def works():
            self.ada.call("GET", "/me")
            return self.rise("tintype_process_cpu_seconds_total", before) > 0

        wait_until(works, "processor time")

    def test_tables(self):
        """Writes are commits with their syncs; requests of the DynamoDB API are counted by operation."""
        self.gallery.dynamodb.create_table(
            TableName="counted", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
        self.addCleanup(self.gallery.dynamodb.delete_table, TableName="counted")
        before = self.samples()
        for n in range(10):
            self.gallery.documents.put_item(TableName="counted", Item={"id": str(n), "text": "x" * 1000})
        self.assertEqual(self.rise("tintype_dynamodb_requests_total", before, operation="PutItem", code="2xx"), 10)
        self.assertEqual(self.rise("tintype_dynamodb_request_duration_seconds_count", before, operation="PutItem"), 10)
        self.assertGreaterEqual(self.rise("tintype_commit_group_tasks_sum", before), 10)
        self.assertGreaterEqual(self.rise("tintype_commit_group_tasks_count", before), 10)
        self.assertGreaterEqual(self.rise("tintype_commit_write_duration_seconds_count", before), 10)
        self.assertGreaterEqual(self.rise("tintype_commit_written_bytes_total", before), 10_000)
        self.assertGreaterEqual(self.rise("tintype_log_sync_duration_seconds_count", before), 10)
        self.assertGreater(self.rise("tintype_log_sync_duration_seconds_sum", before), 0)
        after = self.samples()
        self.assertGreater(after["tintype_storage_memtable_bytes", ()], 0)
        self.assertGreater(after["tintype_storage_cache_limit_bytes", ()], 0)
        self.assertIn(("tintype_storage_level_files", (("level", "0"),)), after)

    def test_blobs(self):
        """Calls of the blob store by operation and outcome."""
        before = self.samples()
        image = self.ada.upload(photos.png("blobs", 40, 30))
        self.gallery.wait_developed(self.ada, image)
        # Four renditions; the original is moved to its place.
        self.assertGreaterEqual(self.rise("tintype_blob_calls_total", before, store="files", operation="commit", outcome="ok"), 5)
        self.assertGreaterEqual(self.rise("tintype_blob_calls_total", before, store="files", operation="move", outcome="ok"), 1)
        self.assertGreaterEqual(self.rise("tintype_blob_call_duration_seconds_count", before, store="files", operation="commit"), 5)
        self.assertEqual(self.rise("tintype_blob_calls_total", before, store="files", operation="open", outcome="missing"), 0)
        Path(self.gallery.storage.root, f"images/images/{image}/LARGE").unlink()
        self.assertEqual(self.gallery.follow(self.gallery.sign(f"images/{image}/LARGE")).status, 404)
        self.assertEqual(self.rise("tintype_blob_calls_total", before, store="files", operation="open", outcome="missing"), 1)
        self.assertEqual(self.samples()["tintype_blob_calls_in_progress", (("store", "files"),)], 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
