"""Where a gallery's blobs are, for tests that look at them: files of the data directory, encrypted as they are unless
one says otherwise, or in plain with TINTYPE_TEST_BLOBS=plain, or S3 when tests/s3/ceph.py runs the tests. Keys are
BUCKET/KEY either way."""

import os
from pathlib import Path

import boto3

import sealing

BUCKETS = ("uploads", "images")


class Files:
    """The blobs of a server whose data directory may change."""

    arguments, overrides = (), {}
    shows_begun = True  # Whether unfinished() has what was begun, however small.

    def __init__(self, data_dir):
        """`data_dir` is a function, since a server gets its directory when it starts."""
        self._data_dir = data_dir

    @property
    def root(self):
        return Path(self._data_dir(), "blobs")

    def keys(self):
        found = []
        for folder, folders, files in os.walk(self.root):
            if Path(folder) == self.root:
                folders.remove(".tmp")
            found += [str(Path(folder, name).relative_to(self.root)) for name in files]
        return [sealing.shown(self._data_dir(), path) for path in found]

    def read(self, key):
        """What the blob holds, opened by what docs/formats says if it is encrypted."""
        hidden = Path(self.root, sealing.hidden(self._data_dir(), key))
        # Blobs from before have their key as their path.
        stored = (hidden if hidden.exists() else Path(self.root, key)).read_bytes()
        return sealing.unseal(self._data_dir(), stored) if stored.startswith(sealing.MAGIC) else stored

    def write(self, key, data):
        """In plain, as blobs from before encryption are."""
        path = Path(self.root, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def unfinished(self, _since=0):
        """What is being written, or was when a server died; the next one removes that when it starts."""
        return [path.name for path in Path(self.root, ".tmp").iterdir()]


class PlainFiles(Files):
    """The same without encryption."""

    overrides = {"TINTYPE_BLOB_ENCRYPTION": "off"}

    def read(self, key):
        return Path(self.root, key).read_bytes()


class S3:
    """Buckets that are empty at first, and what a server needs to use them."""

    shows_begun = False

    def __init__(self, endpoint, data_dir):
        """`data_dir` is a function, as for files: encrypted objects are opened with its keys."""
        self._data_dir = data_dir
        key_id = os.environ["TINTYPE_TEST_S3_ACCESS_KEY_ID"]
        secret = os.environ["TINTYPE_TEST_S3_SECRET_ACCESS_KEY"]
        # The buckets have the names that files have, so that records are the same. The server hands photos over itself,
        # since tests look at its answers.
        self.arguments = ("--blobs", "s3://tests", "--uploads-bucket", "uploads", "--images-bucket", "images",
                          "--s3-endpoint", endpoint, "--s3-access-key-id", key_id)
        self.overrides = {"TINTYPE_S3_SECRET_ACCESS_KEY": secret, "TINTYPE_S3_DELIVERY": "proxy"}
        if os.environ.get("TINTYPE_TEST_BLOBS") == "sealed":
            self.overrides["TINTYPE_BLOB_ENCRYPTION"] = "on"
        self._client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id=key_id,
                                    aws_secret_access_key=secret)
        made = {bucket["Name"] for bucket in self._client.list_buckets()["Buckets"]}
        for bucket in made.intersection(BUCKETS):
            for key in self._keys(bucket):
                self._client.delete_object(Bucket=bucket, Key=key)

    def keys(self):
        return [sealing.shown(self._data_dir(), f"{bucket}/{key}") for bucket in BUCKETS for key in self._keys(bucket)]

    def read(self, key):
        """What the object holds, opened if it is encrypted."""
        for place in dict.fromkeys((sealing.hidden(self._data_dir(), key), key)):
            bucket, _, name = place.partition("/")
            try:
                stored = self._client.get_object(Bucket=bucket, Key=name)["Body"].read()
            except self._client.exceptions.NoSuchKey:
                continue
            return sealing.unseal(self._data_dir(), stored) if stored.startswith(sealing.MAGIC) else stored
        raise FileNotFoundError(key)

    def write(self, key, data):
        bucket, _, name = key.partition("/")
        self._client.put_object(Bucket=bucket, Key=name, Body=data)

    def remove(self, key):
        bucket, _, name = key.partition("/")
        self._client.delete_object(Bucket=bucket, Key=name)

    def head(self, key, **more):
        bucket, _, name = key.partition("/")
        return self._client.head_object(Bucket=bucket, Key=name, **more)

    def remove_bucket(self, bucket):
        for key in self._keys(bucket):
            self._client.delete_object(Bucket=bucket, Key=key)
        self._client.delete_bucket(Bucket=bucket)

    def make_bucket(self, bucket):
        self._client.create_bucket(Bucket=bucket)

    def unfinished(self, since=0):
        """What is being written in parts, or was when a server died, and has begun since that time."""
        return [upload["Key"] for bucket in BUCKETS
                for upload in self._client.list_multipart_uploads(Bucket=bucket).get("Uploads", [])
                if upload["Initiated"].timestamp() >= since]

    def _keys(self, bucket):
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=bucket)
        return [item["Key"] for page in pages for item in page.get("Contents", [])]


def is_as_by_default():
    """Whether photos are encrypted files of the data directory, as they are unless something else is set, and its
    tables have the keys."""
    return not any(os.environ.get(name) for name in ("TINTYPE_TEST_S3_ENDPOINT", "TINTYPE_TEST_BLOBS", "TINTYPE_TEST_TABLES"))


def of_tests(data_dir):
    endpoint = os.environ.get("TINTYPE_TEST_S3_ENDPOINT")
    if endpoint:
        return S3(endpoint, data_dir)
    return PlainFiles(data_dir) if os.environ.get("TINTYPE_TEST_BLOBS") == "plain" else Files(data_dir)
