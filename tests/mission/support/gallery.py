"""A running server with the photo product, seen from all sides: REST, the AWS SDK, its files and its helper
processes."""

import base64
import contextlib
import hashlib
import hmac
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import boto3
from boto3.dynamodb.types import TypeDeserializer
from botocore.config import Config

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "e2e" / "support"))
import leftovers  # noqa: E402
import rest  # noqa: E402
import sealing  # noqa: E402
import storage  # noqa: E402
import tables  # noqa: E402
import tintype_server  # noqa: E402

SIZES = {"ORIGINAL": None, "LARGE": 2048, "MEDIUM": 1024, "SMALL": 512, "THUMB": 256}

# The documents' tables by the names that the product gives them, and its own.
IMAGES, PHOTOS, SPARKS, SYSTEM = "ImageMetadata", "photos", "sparks", "tintype"
INGEST, ANALYSIS = "so0050-tintype-ingest", "so0050-tintype-analysis"
FACES, BACKLOG = "so0050-tintype-face-indexer", "so0050-tintype-backlog"
JOBS = "photoeditor-dev-jobs"
TABLES = (IMAGES, PHOTOS, SPARKS, SYSTEM, INGEST, ANALYSIS, FACES, BACKLOG, JOBS)


def wait_until(check, what, seconds=60):
    """Polls until `check` returns something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        found = check()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.03)


class Gallery:
    """A server, and what a test wants of it. Not thread-safe, but for its accounts and its SDK clients."""

    def __init__(self, arguments=(), data_dir=None, environment=None):
        self._arguments = arguments
        self._environment = environment or {}
        self._data_dir = data_dir
        self.server = None
        self.administrator = None  # Once somebody has signed up.
        self.storage = storage.of_tests(lambda: self.server.data_dir)
        self.tables = tables.of_tests()
        self.start()

    def start(self):
        self.tables.start()
        self.server = tintype_server.Server(
            data_dir=self._data_dir, arguments=(*self._arguments, *self.storage.arguments, *self.tables.arguments),
            # Most tests want several people; those about who may sign up say so by a flag, which wins.
            overrides={"TINTYPE_GALLERY": "on", "TINTYPE_SIGN_UP": "open", **self._environment, **self.storage.overrides, **self.tables.overrides})
        options = dict(endpoint_url=self.server.endpoint, region_name="us-east-1",
                       aws_access_key_id=tintype_server.ACCESS_KEY_ID,
                       aws_secret_access_key=tintype_server.SECRET_ACCESS_KEY,
                       config=Config(retries={"max_attempts": 0}, max_pool_connections=32))
        # `dynamodb` takes DynamoDB's JSON ({"S": ...}), `documents` plain values, as the documents print one or the
        # other.
        self.dynamodb = boto3.client("dynamodb", **options)
        self.documents = boto3.resource("dynamodb", **options).meta.client
        self.streams = boto3.client("dynamodbstreams", **options)

    @property
    def address(self):
        return self.server.addresses["http"]

    def stop(self):
        self.server.stop()
        self.tables.stop()
        rest.contract.expect_no_drift()

    def sign_up(self, username):
        """A new account, an ordinary one with a limit: before the first of them comes the administrator, who has
        none."""
        if rest.request(self.address, "GET", "/api/v1/auth/state").json["setupRequired"]:
            self.administrator = self.sign_up_administrator()
        return rest.Account(lambda: self.address, username).sign_up()

    def sign_up_administrator(self, username="root"):
        """The first account, with the token that the server left in its directory."""
        token = Path(self.server.data_dir, "setup-token")
        return rest.Account(lambda: self.address, username).sign_up(token.read_text().strip())

    def run(self, *arguments, **options):
        """A command of the program, on this server's directory."""
        return subprocess.run([os.environ["TINTYPE_BIN"], *arguments, "--data-dir", self.server.data_dir], capture_output=True,
                              text=True, timeout=60, check=False, **options)

    def access_key(self, name, policy):
        """An SDK's client with an access key of its own, made by the command on the directory that has the tables."""
        made = subprocess.run([os.environ["TINTYPE_BIN"], "keys", "create", name, "--policy", policy, "--json", "--data-dir",
                               self.tables.data_dir or self.server.data_dir], capture_output=True, text=True, timeout=60, check=True)
        key = json.loads(made.stdout)["done"]
        return boto3.resource("dynamodb", endpoint_url=self.server.endpoint, region_name="us-east-1",
                              aws_access_key_id=key["accessKeyId"], aws_secret_access_key=key["secretAccessKey"],
                              config=Config(retries={"max_attempts": 0})).meta.client

    # Waiting.

    def wait_developed(self, account, image_id, status="completed"):
        def ended():
            image = account.image(image_id)
            return image if image["processingStatus"] in ("completed", "failed") else None

        image = wait_until(ended, f"the end of developing {image_id}")
        if image["processingStatus"] != status:
            raise AssertionError(f"{image_id} is {image['processingStatus']}: {image.get('processingError')}")
        return image

    def wait_job(self, account, job_id):
        def ended():
            job = account.call("GET", f"/jobs/{job_id}")
            return job if job["status"] in ("COMPLETED", "FAILED") else None

        return wait_until(ended, f"the end of the job {job_id}")

    def wait_deleted(self, image_id):
        wait_until(lambda: not self.traces_of(image_id), f"the end of deleting {image_id}")

    def wait_idle(self, seconds=60):
        """Until no work is left but what waits for its day."""
        wait_until(lambda: not self.work_at_hand(), "an empty backlog", seconds)

    def work_at_hand(self):
        """The work that is to be done now: all but what is due in an hour or later, or dead."""
        soon = (time.time() + 3600) * 1000
        return [work for work in self.scan(BACKLOG)
                if work["status"] != "DEAD" and not (work["status"] == "DELAYED" and work["dueAt"] > soon)]

    # Tables.

    def table_files(self):
        """The folder in which the server that has the tables keeps them."""
        return Path(self.tables.data_dir or self.server.data_dir, "tables")

    def scan(self, table):
        pages = self.documents.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
        return [item for page in pages for item in page["Items"]]

    def get(self, table, **key):
        return self.documents.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")

    def history(self, table, **key):
        """Every state that an item was in, by the stream of its table; None where it was removed."""
        plain = TypeDeserializer().deserialize
        arn = self.dynamodb.describe_table(TableName=table)["Table"]["LatestStreamArn"]
        states = []
        for shard in self.streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            position = self.streams.get_shard_iterator(
                StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while position:
                page = self.streams.get_records(ShardIterator=position)
                for record in page["Records"]:
                    change = record["dynamodb"]
                    if {name: plain(value) for name, value in change["Keys"].items()} == key:
                        states.append(plain({"M": change["NewImage"]}) if "NewImage" in change else None)
                position = page.get("NextShardIterator") if page["Records"] else None
        return states

    def record(self, image_id):
        return self.get(IMAGES, PK=f"IMAGE#{image_id}", SK="METADATA")

    def traces_of(self, image_id):
        """Everything in tables and blobs that still names an image, but for what leftovers.py says may stay."""
        now = time.time()
        may_stay = {SYSTEM: lambda item: leftovers.is_tombstone(item, image_id) or leftovers.is_answer(item, image_id, now),
                    JOBS: lambda item: leftovers.is_history(item, image_id, now)}
        traces = []
        for table in TABLES:
            for item in self.scan(table):
                if leftovers.names(item, image_id) and not may_stay.get(table, lambda _: False)(item):
                    traces.append((table, item))
        return traces + [(str(blob), None) for blob in self.blobs() if image_id in blob]

    # Blobs.

    def blobs(self, prefix=""):
        """The keys of all blobs as BUCKET/KEY, sorted. Those that are being written are not among them."""
        return sorted(key for key in self.storage.keys() if key.startswith(prefix))

    def blob(self, key):
        return self.storage.read(key)

    # Links.

    def follow(self, url, method="GET", **headers):
        """Asks for a signed link, by its path: links begin with whatever name the server is known by."""
        path = url[url.index("/media/"):]
        return rest.request(self.address, method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def sign(self, key, revision=0, expires=None, resizing="", audience="owner"):
        """A link as the server makes it, for any key, any time, anybody and whatever is asked for beside the stored
        bytes: signed with the key that follows from its secret."""
        expires = int(time.time()) + 600 if expires is None else expires
        secret = sealing.secret(self.server.data_dir)
        # HKDF-SHA256 without salt, one block long.
        extracted = hmac.digest(b"\0" * 32, secret, "sha256")
        derived = hmac.digest(extracted, b"media urls\x01", "sha256")
        text = f"/media/{key}\n{revision}\n{expires}\n{audience}"
        if resizing:
            text, resizing = f"{text}\n{resizing}", f"&{resizing}"
        text = text.encode()
        signature = base64.urlsafe_b64encode(hmac.digest(derived, text, hashlib.sha256)).decode().rstrip("=")
        return f"/media/{key}?revision={revision}{resizing}&expires={expires}&for={audience}&signature={signature}"

    # Helpers.

    def helpers(self, templates=False):
        """The process ids of the running image helpers, which with the templates that they are forked from are the only
        children of the server."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                name, _, rest = Path(process, "stat").read_text().rpartition(")")
                fields = rest.split()
            except OSError:
                continue  # It has just ended.
            template = name.endswith("(helper-template")
            if int(fields[1]) == self.server.process.pid and fields[0] != "Z" and (templates or not template):
                found.append(int(process.name))
        return found

    @contextlib.contextmanager
    def paused(self):
        """Stops the helpers and what they are forked from: whatever is developed or edited meanwhile waits. REQUIRES:
        something was developed before."""
        helpers = self.helpers()
        assert helpers, "no helper runs yet"
        # The templates first, so that no other helper comes.
        stopped = sorted(self.helpers(templates=True), key=lambda process: process in helpers)
        for process in stopped:
            os.kill(process, signal.SIGSTOP)
        try:
            yield helpers
        finally:
            for helper in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(helper, signal.SIGCONT)


class GalleryTest(unittest.TestCase):
    """A test file's server with one worker, and an ordinary account."""

    ARGUMENTS = ("--workers", "1")

    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(cls.ARGUMENTS)
        cls.addClassCleanup(cls.gallery.stop)
        cls.dynamodb, cls.documents = cls.gallery.dynamodb, cls.gallery.documents
        cls.ada = cls.gallery.sign_up("ada")
