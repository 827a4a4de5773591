"""What an HTTP client sees of the endpoint, without an SDK in between: protocol, limits, refusals, starting and
stopping."""

import concurrent.futures
import json
import re
import signal
import socket
import subprocess
import os
import sys
import tempfile
import threading
import time
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "support"))
import tintype_server  # noqa: E402
from signed_http import Connection, DynamoError, Signer  # noqa: E402

MEGABYTE = 1024 * 1024
SIGNER = Signer(tintype_server.ACCESS_KEY_ID, tintype_server.SECRET_ACCESS_KEY)
TABLE = {
    "TableName": "Things",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
}


def signed_headers(connection, operation, body):
    return SIGNER.headers(connection.host, f"DynamoDB_20120810.{operation}", body)


class HttpTest(unittest.TestCase):
    """One server for everything that does not need its own."""

    @classmethod
    def setUpClass(cls):
        cls.server = tintype_server.Server()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        self.connection = self.connect()

    def connect(self):
        connection = Connection(self.server.address, SIGNER)
        self.addCleanup(connection.close)
        return connection

    def assert_refused(self, response, name, status=400):
        self.assertEqual(response.status, status, response.body)
        self.assertEqual(response.json()["__type"].rpartition("#")[2], name)

    def test_health_check(self):
        """Proves that a load balancer can ask without a signature, as it can on AWS."""
        self.connection.send_request("GET / HTTP/1.1", {"Host": self.connection.host})
        response = self.connection.read_response()
        self.assertEqual(response.status, 200)
        self.assertTrue(response.body.startswith(b"healthy: dynamodb."), response.body)

    def test_response_headers(self):
        """Proves the checksum and the request id, on success and on errors."""
        for operation, body, status in (("ListTables", b"{}", 200), ("DescribeTable", b'{"TableName": "nothing"}', 400)):
            response = self.connection.post(signed_headers(self.connection, operation, body), body)
            self.assertEqual(response.status, status)
            self.assertEqual(int(response.headers["x-amz-crc32"]), zlib.crc32(response.body))
            self.assertRegex(response.headers["x-amzn-requestid"], re.compile("^[A-Z0-9]{52}$"))
            self.assertEqual(response.headers["content-type"], "application/x-amz-json-1.0")
            self.assertIn("date", response.headers)

    def test_keep_alive_and_pipelining(self):
        """Proves that requests sent together on one connection are answered one after another, in order."""
        bodies = [b"{}", b'{"Limit": 1}', b'{"Limit": 0}', b'{"Limit": 2}']
        data = b""
        for body in bodies:
            headers = {**signed_headers(self.connection, "ListTables", body), "Content-Length": len(body)}
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            data += f"POST / HTTP/1.1\r\n{head}\r\n".encode() + body
        self.connection.send(data)
        self.assertEqual([self.connection.read_response().status for _ in bodies], [200, 200, 400, 200])

    def test_reads_a_request_that_comes_in_pieces(self):
        """Proves that packet borders mean nothing."""
        body = b"{}"
        headers = {**signed_headers(self.connection, "ListTables", body), "Content-Length": "2"}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        for byte in f"POST / HTTP/1.1\r\n{head}\r\n".encode() + body:
            self.connection.send(bytes([byte]))
        self.assertEqual(self.connection.read_response().status, 200)

    def test_size_limit(self):
        """Proves that 16 MB is accepted and a byte more is 413, said before the body has come."""
        body = b'{"TableName": "' + b"x" * (16 * MEGABYTE - 17) + b'"}'
        self.assertEqual(len(body), 16 * MEGABYTE)
        self.assert_refused(self.connection.post(signed_headers(self.connection, "DescribeTable", body), body), "ValidationException")
        headers = {**signed_headers(self.connection, "DescribeTable", body + b" "), "Content-Length": 16 * MEGABYTE + 1}
        early = self.connect()
        early.send_request("POST / HTTP/1.1", headers, body[:1000])
        self.assertEqual(early.read_response().status, 413)

    def test_size_limit_is_seen_by_clients_that_send_it_all(self):
        """Proves that a client which reads only after writing gets the answer rather than a broken connection."""
        body = b" " * (17 * MEGABYTE)
        response = self.connection.post(signed_headers(self.connection, "ListTables", body), body)
        self.assertEqual(response.status, 413)

    def test_refuses_unsigned_requests(self):
        """Proves that no signature, half a signature and a signature of another body are all refused."""
        body = b"{}"
        headers = signed_headers(self.connection, "ListTables", body)
        unsigned = {name: value for name, value in headers.items() if name != "Authorization"}
        self.assert_refused(self.connection.post(unsigned, body), "MissingAuthenticationTokenException")
        half = {**headers, "Authorization": "AWS4-HMAC-SHA256 Credential=nonsense"}
        self.assert_refused(self.connection.post(half, body), "IncompleteSignatureException")
        self.assert_refused(self.connection.post(headers, b'{"Limit": 1}'), "InvalidSignatureException")
        other_target = {**headers, "X-Amz-Target": "DynamoDB_20120810.DeleteTable"}
        self.assert_refused(self.connection.post(other_target, body), "InvalidSignatureException")

    def test_names_what_is_wrong_with_a_request(self):
        """Proves the protocol's own errors."""
        body = b"not json"
        self.assert_refused(self.connection.post(signed_headers(self.connection, "ListTables", body), body), "SerializationException")
        with self.assertRaises(DynamoError) as caught:
            self.connection.call("NoSuchOperation", {})
        self.assertEqual(caught.exception.name, "UnknownOperationException")

    def test_survives_nonsense(self):
        """Proves that bytes which are no HTTP cost their sender the connection and nobody else anything."""
        for data in (b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 100_000):
            with socket.create_connection(self.server.address, timeout=30) as raw:
                raw.sendall(data)
                try:
                    while raw.recv(65536):
                        pass
                except ConnectionResetError:
                    pass
        self.assertEqual(self.connection.call("ListTables", {}), {"TableNames": []})


class OpenServerTest(unittest.TestCase):
    """`--auth off`: for one machine only, and out of reach of web pages."""

    def request(self, connection, headers):
        body = b"{}"
        return connection.post({"X-Amz-Target": "DynamoDB_20120810.ListTables",
                                "Content-Type": "application/x-amz-json-1.0", **headers}, body)

    def test_checks_the_host_header(self):
        """Proves that a page whose name was pointed at this machine gets nothing, and that no page may read an
        answer."""
        server = tintype_server.Server(arguments=["--auth", "off"])
        self.addCleanup(server.stop)
        port = server.address[1]
        connection = Connection(server.address, None)
        self.addCleanup(connection.close)
        for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
            response = self.request(connection, {"Host": host})
            self.assertEqual((response.status, response.json()), (200, {"TableNames": []}))
            self.assertNotIn("access-control-allow-origin", response.headers)
        # Browsers name the page that asks, and no page has any business here.
        response = self.request(connection, {"Host": f"localhost:{port}", "Origin": "http://evil.example"})
        self.assertEqual(response.status, 403)
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example"):
            fresh = Connection(server.address, None)
            response = self.request(fresh, {"Host": host})
            fresh.close()
            self.assertEqual(response.status, 403, host)
            self.assertNotIn(b"TableNames", response.body)
        connection.send_request("OPTIONS / HTTP/1.1", {"Host": f"localhost:{port}", "Origin": "http://evil.example",
                                                       "Access-Control-Request-Method": "POST"})
        self.assertNotIn("access-control-allow-origin", connection.read_response().headers)

    def test_needs_loopback(self):
        """Proves that an open server does not start on an address that others can reach."""
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(
                [os.environ["TINTYPE_BIN"], "serve", "--data-dir", f"{directory}/data", "--auth", "off",
                 "--dynamodb-address", "0.0.0.0:0"],
                capture_output=True, text=True, timeout=30)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("loopback", done.stderr)


class LifeTest(unittest.TestCase):
    """Starting and stopping."""

    def test_one_process_per_data_directory(self):
        """Proves that a second server on the directory says so and ends, and that the first does not notice."""
        server = tintype_server.Server()
        self.addCleanup(server.stop)
        with self.assertRaises(tintype_server.ServerFailed) as caught:
            tintype_server.Server(data_dir=server.data_dir)
        message = str(caught.exception)
        self.assertNotIn("code 0", message)
        self.assertIn(server.data_dir, message)
        self.assertRegex(message, "in use|another process|already")
        connection = Connection(server.address, SIGNER)
        self.addCleanup(connection.close)
        self.assertEqual(connection.call("ListTables", {}), {"TableNames": []})

    def test_a_key_may_do_what_its_policy_says(self):
        """Proves that a key made while the server runs is taken at once, with what its policy allows, until it ends."""
        server = tintype_server.Server()
        self.addCleanup(server.stop)
        made = subprocess.run([os.environ["TINTYPE_BIN"], "keys", "create", "app", "--data-dir", server.data_dir],
                              capture_output=True, text=True, check=True).stdout
        found = dict(re.findall(r"(aws_access_key_id|aws_secret_access_key) = (\S+)", made))
        signer = Signer(found["aws_access_key_id"], found["aws_secret_access_key"])
        connection = Connection(server.address, signer)
        self.addCleanup(connection.close)
        connection.call("CreateTable", TABLE)
        keys = [os.environ["TINTYPE_BIN"], "keys"]
        subprocess.run([*keys, "policy", "app", "--policy", "read-only", "--data-dir", server.data_dir], check=True)
        self.assertEqual([TABLE["TableName"]], connection.call("ListTables", {})["TableNames"])
        with self.assertRaises(DynamoError) as refused:
            connection.call("DeleteTable", {"TableName": TABLE["TableName"]})
        self.assertEqual("AccessDeniedException", refused.exception.name)
        subprocess.run([*keys, "disable", "app", "--data-dir", server.data_dir], check=True)
        with self.assertRaises(DynamoError) as refused:
            connection.call("ListTables", {})
        self.assertEqual("UnrecognizedClientException", refused.exception.name)

    def test_data_survives_a_restart(self):
        """Proves that tables, items and keys are there after a clean stop."""
        directory = self.enterContext(tempfile.TemporaryDirectory())
        server = tintype_server.Server(data_dir=f"{directory}/data")
        connection = Connection(server.address, SIGNER)
        connection.call("CreateTable", TABLE)
        connection.call("PutItem", {"TableName": "Things", "Item": {"k": {"S": "a"}}})
        connection.close()
        server.stop()
        # Another root key in the environment does not change a directory that has one.
        again = tintype_server.Server(data_dir=f"{directory}/data",
                                      overrides={"TINTYPE_ROOT_ACCESS_KEY_ID": "", "TINTYPE_ROOT_SECRET_ACCESS_KEY": ""})
        self.addCleanup(again.stop)
        connection = Connection(again.address, SIGNER)
        self.addCleanup(connection.close)
        self.assertEqual(connection.call("GetItem", {"TableName": "Things", "Key": {"k": {"S": "a"}}})["Item"], {"k": {"S": "a"}})

    def test_stopping_answers_what_was_accepted(self):
        """Proves that SIGTERM under load ends cleanly and that no write took place whose client was not told."""
        directory = self.enterContext(tempfile.TemporaryDirectory())
        server = tintype_server.Server(data_dir=f"{directory}/data")
        setup = Connection(server.address, SIGNER)
        setup.call("CreateTable", TABLE)
        setup.close()
        writers = 8
        warm = threading.Barrier(writers + 1)

        def write(writer):
            """Keys answered with 200, until the server closes the connection."""
            connection = Connection(server.address, SIGNER)
            answered = []
            try:
                for n in range(1_000_000):
                    if n == 20:
                        warm.wait(timeout=30)
                    key = f"{writer}-{n}"
                    connection.call("PutItem", {"TableName": "Things", "Item": {"k": {"S": key}}})
                    answered.append(key)
            except (OSError, DynamoError) as problem:
                # A server that is going down may say so, but must not blame the request.
                if isinstance(problem, DynamoError) and problem.status < 500:
                    raise
            finally:
                connection.close()
            return answered

        with concurrent.futures.ThreadPoolExecutor(writers) as pool:
            results = [pool.submit(write, writer) for writer in range(writers)]
            warm.wait(timeout=30)
            server.stop()
            answered = {key for result in results for key in result.result()}
        self.assertGreaterEqual(len(answered), 20 * writers)

        again = tintype_server.Server(data_dir=f"{directory}/data")
        self.addCleanup(again.stop)
        connection = Connection(again.address, SIGNER)
        self.addCleanup(connection.close)
        stored = set()
        start = {}
        while True:
            page = connection.call("Scan", {"TableName": "Things", **start})
            stored.update(item["k"]["S"] for item in page["Items"])
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        self.assertEqual(answered, stored)


if __name__ == "__main__":
    unittest.main()
