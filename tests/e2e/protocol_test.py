"""Compression, TLS, presigned requests, `Expect`, pipelining and budgets, with botocore as the reference where it has
an opinion."""

import concurrent.futures
import gzip
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import warnings
import zlib
from pathlib import Path

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
import botocore.exceptions

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, Signer  # noqa: E402

MEGABYTE = 1024 * 1024
SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
TABLE = {
    "TableName": "Things",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
}


def put(key, **attributes):
    return {"TableName": "Things", "Item": {"k": {"S": key}, **attributes}}


def get(key):
    return {"TableName": "Things", "Key": {"k": {"S": key}}}


def encode(connection, operation, request):
    """The bytes of a signed request."""
    body = json.dumps(request).encode()
    headers = {**SIGNER.headers(connection.host, "DynamoDB_20120810." + operation, body), "Content-Length": len(body)}
    return "".join(["POST / HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in headers.items()), "\r\n"]).encode() + body


class QueryAuth(botocore.auth.SigV4QueryAuth):
    """Presigns with the body left where it is. botocore would move it to the query, as old services want it."""

    def _modify_request_before_signing(self, request):
        data, request.data = request.data, b""
        super()._modify_request_before_signing(request)
        request.data = data


class ServerTest(unittest.TestCase):
    """One server with one table for everything that does not need its own."""

    @classmethod
    def setUpClass(cls):
        cls.server = tintype_server.Server()
        cls.addClassCleanup(cls.server.stop)
        connection = Connection(cls.server.address, SIGNER)
        connection.call("CreateTable", TABLE)
        connection.close()

    def setUp(self):
        self.connection = self.connect()

    def connect(self):
        connection = Connection(self.server.address, SIGNER)
        self.addCleanup(connection.close)
        return connection

    def post(self, operation, body, **headers):
        return self.connection.post({**SIGNER.headers(self.connection.host, "DynamoDB_20120810." + operation, body), **headers}, body)

    def assert_refused(self, response, name, status=400):
        self.assertEqual(response.status, status, response.body)
        self.assertEqual(response.json()["__type"].rpartition("#")[2], name)


class TargetTest(ServerTest):
    def test_absolute_targets(self):
        """Proves that a signed request may name the server in its target, whose host is what was signed then."""
        body = json.dumps(get("absolute")).encode()
        signed = SIGNER.headers(self.connection.host, "DynamoDB_20120810.GetItem", body)
        length = {"Content-Length": str(len(body))}
        for authority, host, status in ((self.connection.host, self.connection.host, 200), (self.connection.host, "other", 200),
                                        ("other", self.connection.host, 400)):
            self.connection.send_request(f"POST http://{authority}/ HTTP/1.1", {**signed, "Host": host, **length}, body)
            self.assertEqual(self.connection.read_response().status, status, (authority, host))


class CompressionTest(ServerTest):
    def test_compressed_requests(self):
        """Proves that a compressed write is understood, and that what is damaged or too large changes nothing."""
        body = gzip.compress(json.dumps(put("compressed", a={"S": "x" * 10_000})).encode())
        self.assertEqual(self.post("PutItem", body, **{"Content-Encoding": "gzip"}).status, 200)
        self.assertEqual(self.connection.call("GetItem", get("compressed"))["Item"]["a"]["S"], "x" * 10_000)
        body = zlib.compress(json.dumps(put("deflated", a={"S": "y" * 10_000})).encode())
        self.assertEqual(self.post("PutItem", body, **{"Content-Encoding": "deflate"}).status, 200)
        self.assertEqual(self.connection.call("GetItem", get("deflated"))["Item"]["a"]["S"], "y" * 10_000)
        self.assert_refused(self.post("PutItem", body[:-1], **{"Content-Encoding": "deflate"}), "SerializationException")
        self.assert_refused(self.post("PutItem", body, **{"Content-Encoding": "br"}), "SerializationException")
        lost = gzip.compress(json.dumps(put("lost")).encode())
        for broken in (lost[:-1], lost + b"junk", b"", json.dumps(put("lost")).encode()):
            self.assert_refused(self.post("PutItem", broken, **{"Content-Encoding": "gzip"}), "SerializationException")
        bomb = gzip.compress(json.dumps(put("lost")).encode() + b" " * (100 * MEGABYTE))
        began = time.monotonic()
        self.assert_refused(self.post("PutItem", bomb, **{"Content-Encoding": "gzip"}), "RequestEntityTooLargeException", 413)
        self.assertLess(time.monotonic() - began, 2)
        self.assertNotIn("Item", self.connection.call("GetItem", get("lost")))

    def test_compressed_answers(self):
        """Proves that an answer is compressed when that is asked for, with the checksum of what was sent."""
        self.connection.call("PutItem", put("answer", a={"S": "x" * 10_000}))
        request = json.dumps(get("answer")).encode()
        plain = self.post("GetItem", request)
        self.assertNotIn("content-encoding", plain.headers)
        packed = self.post("GetItem", request, **{"Accept-Encoding": "gzip"})
        self.assertEqual(packed.headers["content-encoding"], "gzip")
        self.assertLess(len(packed.body), 1000)
        self.assertEqual(gzip.decompress(packed.body), plain.body)
        self.assertEqual(int(packed.headers["x-amz-crc32"]), zlib.crc32(packed.body))


class PresignedTest(ServerTest):
    def presign(self, operation, body, expires=60, token=None):
        """The target and headers of a presigned request."""
        request = botocore.awsrequest.AWSRequest(
            "POST", f"http://{self.connection.host}/", data=body,
            headers={"X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0"})
        credentials = botocore.credentials.Credentials(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY, token)
        QueryAuth(credentials, "dynamodb", "us-east-1", expires).add_auth(request)
        parts = urllib.parse.urlsplit(request.url)
        return f"/?{parts.query}", {**dict(request.headers.items()), "Host": self.connection.host}

    def send(self, target, headers, body):
        self.connection.send_request(f"POST {target} HTTP/1.1", {**headers, "Content-Length": len(body)}, body)
        return self.connection.read_response()

    def test_presigned_requests(self):
        """Proves that what botocore presigns is done, and that nothing else can be done with it."""
        body = json.dumps(put("presigned")).encode()
        target, headers = self.presign("PutItem", body)
        self.assertEqual(self.send(target, headers, body).status, 200)
        self.assertIn("Item", self.connection.call("GetItem", get("presigned")))
        self.assert_refused(self.send(target, headers, body.replace(b"presigned", b"other")), "InvalidSignatureException")
        self.assert_refused(self.send(target, {**headers, "X-Amz-Target": "DynamoDB_20120810.DeleteItem"}, body),
                            "InvalidSignatureException")
        self.assert_refused(self.send(target + "&a=b", headers, body), "InvalidSignatureException")
        self.assert_refused(self.send(target.replace("X-Amz-Expires=60", "X-Amz-Expires=600"), headers, body),
                            "InvalidSignatureException")
        signed = SIGNER.headers(self.connection.host, "DynamoDB_20120810.PutItem", body)
        self.assert_refused(self.send(target, signed, body), "InvalidSignatureException")

    def test_presigned_requests_expire(self):
        """Proves that a presigned request is refused once its time is over, and one for more than a week at once."""
        body = b"{}"
        target, headers = self.presign("ListTables", body, expires=1)
        deadline = time.monotonic() + 10
        while (response := self.send(target, headers, body)).status == 200:
            self.assertLess(time.monotonic(), deadline)
        self.assertIn("Signature expired", response.json()["message"])
        target, headers = self.presign("ListTables", body, expires=604801)
        self.assert_refused(self.send(target, headers, body), "InvalidSignatureException")
        target, headers = self.presign("ListTables", body, token="stray")
        self.assert_refused(self.send(target, headers, body), "UnrecognizedClientException")


class ExpectTest(ServerTest):
    def test_refused_expectations(self):
        """Proves that a request which will not be taken is refused instead of continued, and that the connection then
        ends."""
        cases = [({"Expect": "100-continue", "Content-Length": 16 * MEGABYTE + 1}, 413),
                 ({"Expect": "tea", "Content-Length": 2}, 417)]
        for headers, status in cases:
            connection = self.connect()
            connection.send_request("POST / HTTP/1.1", {"Host": connection.host, **headers})
            self.assertEqual(connection.read_response().status, status)
            with self.assertRaises(OSError):
                connection.send_request("POST / HTTP/1.1", {"Host": connection.host})
                connection.read_response()

    def test_continued_request(self):
        """Proves that a client which waits for permission gets it, and one that does not wait is answered too."""
        body = b"{}"
        headers = {**SIGNER.headers(self.connection.host, "DynamoDB_20120810.ListTables", body),
                   "Content-Length": len(body), "Expect": "100-continue"}
        self.connection.send_request("POST / HTTP/1.1", headers)
        self.assertEqual(self.connection.read_response().status, 100)
        self.connection.send(body)
        self.assertEqual(self.connection.read_response().status, 200)
        self.connection.send_request("POST / HTTP/1.1", headers, body)
        self.assertEqual(self.connection.read_response().status, 200)


class PipeliningTest(ServerTest):
    def test_writes_and_reads_in_order(self):
        """Proves that a connection sees its own writes, in order, however many requests it sends ahead; many
        connections at once."""
        rounds = 60

        def run(number):
            connection = Connection(self.server.address, SIGNER)
            key = f"pipelined-{number}"
            requests = []
            for n in range(rounds):
                requests += [("PutItem", put(key, n={"N": str(n)})), ("GetItem", get(key)),
                             ("UpdateItem", {**get(key), "UpdateExpression": "ADD c :one",
                                             "ExpressionAttributeValues": {":one": {"N": "1"}}}),
                             ("GetItem", get("absent")), ("GetItem", {"TableName": "Nowhere", "Key": {"k": {"S": "x"}}}),
                             ("GetItem", get(key))]
            connection.send(b"".join(encode(connection, operation, request) for operation, request in requests))
            answers = [connection.read_response() for _ in requests]
            connection.close()
            for n in range(rounds):
                written, read, updated, absent, refused, again = answers[6 * n:6 * n + 6]
                self.assertEqual([written.status, updated.status, refused.status], [200, 200, 400])
                self.assertEqual(read.json()["Item"], {"k": {"S": key}, "n": {"N": str(n)}})
                self.assertNotIn("Item", absent.json())
                self.assertEqual(again.json()["Item"], {"k": {"S": key}, "n": {"N": str(n)}, "c": {"N": "1"}})
            return len(answers)

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            self.assertEqual(list(pool.map(run, range(6))), [6 * rounds] * 6)


class BudgetTest(unittest.TestCase):
    def test_unread_answers_take_bounded_memory(self):
        """Proves that clients which do not read 16 MB answers take no more memory than they may, and are in nobody's
        way."""
        server = tintype_server.Server(arguments=["--unread-answers-mb", "32"])
        self.addCleanup(server.stop)
        writer = Connection(server.address, SIGNER)
        self.addCleanup(writer.close)
        writer.call("CreateTable", TABLE)
        keys = [f"large-{n}" for n in range(42)]
        for key in keys:
            writer.call("PutItem", put(key, a={"S": "x" * 390_000}))
        batch = {"RequestItems": {"Things": {"Keys": [{"k": {"S": key}} for key in keys]}}}
        greedy = [Connection(server.address, SIGNER) for _ in range(30)]
        for connection in greedy:
            self.addCleanup(connection.close)
            connection.send(encode(connection, "BatchGetItem", batch))
        deadline = time.monotonic() + 40
        served = 0
        while served < 3 and time.monotonic() < deadline:  # Three large answers, each of which makes others go.
            self.assertEqual(writer.call("GetItem", get("absent")), {})
            answer = writer.post(SIGNER.headers(writer.host, "DynamoDB_20120810.BatchGetItem", json.dumps(batch).encode()),
                                 json.dumps(batch).encode())
            self.assertIn(answer.status, (200, 503))
            served += answer.status == 200
        self.assertEqual(served, 3)
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        peak_kb = int(status.partition("VmHWM:")[2].split()[0])
        self.assertLess(peak_kb, 400 * 1024)

    def test_time_outs_are_settings(self):
        """Proves that each time-out can be set: a silent client, a slow header, a slow body and an idle connection."""
        server = tintype_server.Server(arguments=["--header-timeout", "0.2", "--body-timeout", "0.2", "--idle-timeout", "0.2"])
        self.addCleanup(server.stop)
        for sent, answer in ((b"", b""), (b"POST / HT", b"HTTP/1.1 408"),
                             (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab", b"HTTP/1.1 408"),
                             (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"HTTP/1.1 200")):
            with socket.create_connection(server.address, timeout=10) as raw:
                raw.sendall(sent)
                received = b""
                while data := raw.recv(65536):
                    received += data
                self.assertTrue(received.startswith(answer), received)


class TlsTest(unittest.TestCase):
    """The server with a certificate that a private authority has signed, as on a home network."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Test CA",
                     "-keyout", "ca.key", "-out", "ca.pem", "-days", "2")
        self.issue(serial=1)
        self.server = tintype_server.Server(arguments=["--tls-certificate", str(self.folder / "server.pem"),
                                                       "--tls-key", str(self.folder / "server.key")])
        self.addCleanup(self.server.stop)

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def issue(self, serial):
        """Replaces the server's certificate and key."""
        (self.folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=tintype",
                     "-keyout", "new.key", "-out", "new.csr")
        self.openssl("x509", "-req", "-in", "new.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", str(serial),
                     "-days", "2", "-extfile", "names", "-out", "new.pem")
        os.replace(self.folder / "new.key", self.folder / "server.key")
        os.replace(self.folder / "new.pem", self.folder / "server.pem")

    def context(self):
        return ssl.create_default_context(cafile=self.folder / "ca.pem")

    def serial(self):
        with socket.create_connection(self.server.address, timeout=10) as raw:
            with self.context().wrap_socket(raw, server_hostname="127.0.0.1") as session:
                return int(session.getpeercert()["serialNumber"], 16)

    def client(self, **settings):
        client = boto3.client("dynamodb", region_name="us-east-1", endpoint_url="https://%s:%d" % self.server.address,
                              aws_access_key_id=tintype_server.ACCESS_KEY_ID,
                              aws_secret_access_key=tintype_server.SECRET_ACCESS_KEY,
                              config=botocore.config.Config(retries={"total_max_attempts": 1}), **settings)
        self.addCleanup(client.close)
        return client

    def test_clients_verify_and_use_it(self):
        """Proves that boto3 and the aws command work with the authority's certificate, and boto3 not without."""
        client = self.client(verify=str(self.folder / "ca.pem"))
        client.create_table(**TABLE)
        client.put_item(**put("tls", a={"S": "x" * 300_000}))
        self.assertEqual(len(client.get_item(**get("tls"))["Item"]["a"]["S"]), 300_000)
        with self.assertRaises(botocore.exceptions.SSLError):
            self.client().list_tables()
        shown = subprocess.run(
            ["aws", "--endpoint-url", "https://%s:%d" % self.server.address, "--ca-bundle", str(self.folder / "ca.pem"),
             "--region", "us-east-1", "dynamodb", "list-tables", "--output", "text", "--query", "TableNames"],
            env={**os.environ, "AWS_ACCESS_KEY_ID": tintype_server.ACCESS_KEY_ID,
                 "AWS_SECRET_ACCESS_KEY": tintype_server.SECRET_ACCESS_KEY},
            capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(shown.stdout.strip(), "Things", shown.stderr)

    def test_certificate_is_reloaded(self):
        """Proves that a renewed certificate is used without a restart, while an open connection goes on, and a wrong
        pair is not."""
        self.assertEqual(self.serial(), 1)
        with socket.create_connection(self.server.address, timeout=10) as raw:
            with self.context().wrap_socket(raw, server_hostname="127.0.0.1") as session:
                self.issue(serial=2)
                deadline = time.monotonic() + 10
                while self.serial() != 2:
                    self.assertLess(time.monotonic(), deadline)
                session.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                self.assertTrue(session.recv(100).startswith(b"HTTP/1.1 200"))
        (self.folder / "server.key").write_text("nonsense")
        deadline = time.monotonic() + 10
        while "TLS certificate not reloaded" not in self.server.log:
            self.assertLess(time.monotonic(), deadline)
        self.assertIn("server.key", self.server.log)
        self.assertEqual(self.serial(), 2)

    def test_health_listener_has_it_too(self):
        """Proves that both listeners for clients speak TLS, and that old versions of it are refused."""
        host, _, port = self.server.addresses["http"].rpartition(":")
        with socket.create_connection((host, int(port)), timeout=10) as raw:
            with self.context().wrap_socket(raw, server_hostname="127.0.0.1") as session:
                session.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                self.assertTrue(session.recv(100).startswith(b"HTTP/1.1 200"))
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname = False
        old.verify_mode = ssl.CERT_NONE
        old.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python says that they are deprecated, which is the point.
            old.minimum_version = ssl.TLSVersion.TLSv1
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with socket.create_connection(self.server.address, timeout=10) as raw:
            with self.assertRaises(ssl.SSLError):
                old.wrap_socket(raw)

    def test_unusable_files_are_named(self):
        """Proves that a server does not start with a pair that does not fit, or with half of one."""
        (self.folder / "other.key").write_text((self.folder / "ca.key").read_text())
        for arguments, words in (
                (["--tls-certificate", str(self.folder / "server.pem"), "--tls-key", str(self.folder / "other.key")], "other.key"),
                (["--tls-certificate", str(self.folder / "server.pem")], "--tls-key")):
            with self.assertRaises(tintype_server.ServerFailed) as caught:
                tintype_server.Server(arguments=arguments)
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
