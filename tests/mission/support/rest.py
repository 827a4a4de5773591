"""A client of the REST API: one account, plain HTTP, a connection for each request."""

import http.client
import json
import sys
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "support"))
import contract  # noqa: E402

TIMEOUT_SECONDS = 60


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def request(address, method, path, body=None, headers=None):
    """One request to HOST:PORT, with no questions asked: the answer whatever its status, as long as it is in the
    contract."""
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT_SECONDS)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        return read_answer(connection, method, path, body or b"", headers)
    finally:
        connection.close()


def read_answer(connection, method, path, body, headers):
    """The answer to a request that was sent, as long as it is in the contract. A body of None is not looked at."""
    answer = connection.getresponse()
    answer = Answer(answer.status, answer.headers, answer.read())
    check(method, path, body, headers, answer)
    return answer


def check(method, path, body, headers, answer):
    """Compares a request and its answer with the contract; a body that is neither text nor bytes is not looked at."""
    sent = body.encode() if isinstance(body, str) else body if isinstance(body, bytes) else None
    contract.check(contract.Exchange(method, path, answer.status, contract.lower_names(headers or {}), sent,
                                     contract.lower_names(answer.headers), answer.body))


class Refused(Exception):
    """An answer that a test did not expect."""


class Account:
    """Somebody who has signed up. Thread-safe, since it changes only when it logs in again."""

    def __init__(self, address, username, password="correct horse battery"):
        """`address` is a function, since a server that is started again listens elsewhere."""
        self._address = address
        self.username = username
        self.email = f"{username}@example.com"
        self._password = password
        self.user_id = None
        self._token = None

    def sign_up(self, setup_token=None):
        body = {"email": self.email, "username": self.username, "password": self._password}
        if setup_token:
            body["setupToken"] = setup_token
        self._signed_in(self._send_json("POST", "/api/v1/auth/signup", body), 201)
        return self

    def log_in(self):
        body = {"email": self.email, "password": self._password}
        self._signed_in(self._send_json("POST", "/api/v1/auth/login", body), 200)

    @property
    def authorization(self):
        return f"Bearer {self._token}"

    def send(self, method, path, body=None, headers=None):
        """A request as this account. A JSON body may be given as a dict or a list."""
        sent = {"Authorization": self.authorization, **(headers or {})}
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        return request(self._address(), method, f"/api/v1{path}", body, sent)

    def call(self, method, path, body=None, headers=None, expect=(200, 201, 202)):
        """The same, raising Refused unless the status is expected. Returns the JSON."""
        answer = self.send(method, path, body, headers)
        if answer.status not in expect:
            raise Refused(f"{method} {path}: {answer.status} {answer.body[:500]!r}")
        return answer.json

    def post_image(self, data, filename="photo.jpg", content_type="image/jpeg", **parameters):
        """Uploads; the answer whatever its status."""
        query = f"?{urllib.parse.urlencode(parameters)}" if parameters else ""
        return self.send("POST", f"/images{query}", data,
                         {"Content-Type": content_type, "X-Filename": urllib.parse.quote(filename)})

    def post_form(self, data, filename, before=None, after=None):
        """Uploads as the form of a page does, with fields before and after the file; the answer whatever its status."""
        boundary = "a-line-between-parts"

        def part(name, more, content):
            return f"--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n".encode() + content + b"\r\n"

        def fields(values):
            return b"".join(part(name, "", value.encode()) for name, value in (values or {}).items())

        body = (fields(before) + part("file", f"; filename=\"{filename}\"\r\nContent-Type: image/jpeg", data) + fields(after) +
                f"--{boundary}--\r\n".encode())
        return self.send("POST", "/images", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})

    def fail_to_upload(self, data=b"no photo"):
        """An upload that begins and ends without an image: behind its file it has a title that is too long."""
        answer = self.post_form(data, "photo.jpg", after={"title": "x" * 300})
        if answer.status != 400:
            raise Refused(f"a title that is too long: {answer.status} {answer.body[:500]!r}")
        return answer

    def upload(self, data, filename="photo.jpg", **parameters):
        """Uploads what is new and fine. Returns the id."""
        answer = self.post_image(data, filename, **parameters)
        if answer.status != 202:
            raise Refused(f"upload of {filename}: {answer.status} {answer.body[:500]!r}")
        return answer.json["id"]

    def tus(self, method, path, body=None, **headers):
        """A request of a resumable upload; the answer whatever its status."""
        sent = {"Tus-Resumable": "1.0.0", **{name.replace("_", "-"): str(value) for name, value in headers.items()}}
        if method == "PATCH":
            sent["Content-Type"] = "application/offset+octet-stream"
        return self.send(method, path, body, sent)

    def image(self, image_id):
        return self.call("GET", f"/images/{image_id}")

    def change(self, image_id, version, **details):
        """Changes details of one version; the answer whatever its status."""
        return self.send("PATCH", f"/images/{image_id}", details, {"If-Match": f'"{version}"'})

    def versions(self, image_id):
        return self.call("GET", f"/images/{image_id}/versions")["items"]

    def revert(self, image_id, revision, version=None):
        """Goes back to a revision, in the version that is there unless another is named; the answer whatever its
        status."""
        version = self.image(image_id)["version"] if version is None else version
        return self.send("POST", f"/images/{image_id}/revert", {"revision": revision}, {"If-Match": f'"{version}"'})

    def delete(self, image_id, permanent=True):
        return self.send("DELETE", f"/images/{image_id}" + ("?permanent=true" if permanent else ""))

    def limit(self):
        return self.call("GET", "/me/limit")["limit"]

    def create_job(self, image_id, *operations, provider="local"):
        return self.call("POST", "/jobs", {"imageId": image_id, "provider": provider, "operations": list(operations)})

    def _send_json(self, method, path, body):
        return request(self._address(), method, path, json.dumps(body), {"Content-Type": "application/json"})

    def _signed_in(self, answer, expected):
        if answer.status != expected:
            raise Refused(f"{self.username} cannot sign in: {answer.status} {answer.body[:500]!r}")
        self._token = answer.json["accessToken"]
        self.user_id = answer.json["user"]["userId"]
