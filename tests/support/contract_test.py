"""Proves that the comparison with the contract can fail, and in what."""

import json
import unittest

import contract
from contract import Drift, Exchange

JSON = {"content-type": "application/json", "x-request-id": "1"}
PROBLEM = {"content-type": "application/problem+json"}
STATE = {"setupRequired": False, "signUpOpen": True, "signUp": "open"}


def problem(status, code, **more):
    return json.dumps({"type": "about:blank", "title": "Wrong", "status": status, "detail": "It is.", "code": code,
                       "requestId": "1", **more}).encode()


def state(body, status=200, headers=JSON, target="/api/v1/auth/state", **more):
    return Exchange("GET", target, status, headers=headers, body=json.dumps(body).encode(), **more)


class ContractTest(unittest.TestCase):
    def setUp(self):
        self.addCleanup(contract._found.clear)

    def fits(self, *exchanges):
        for exchange in exchanges:
            contract.check(exchange)

    def drifts(self, why, exchange):
        with self.assertRaisesRegex(Drift, why):
            contract.check(exchange)

    def test_answers(self):
        """A field too many, too few or of another type, another status, type or header is found."""
        self.fits(state(STATE))
        self.drifts("Additional properties", state({**STATE, "more": 1}))
        self.drifts("is a required property", state({"setupRequired": True}))
        self.drifts("is not of type", state({**STATE, "signUpOpen": "yes"}))
        self.drifts("does not answer 204", state(STATE, 204))
        self.drifts("of the type", state(STATE, headers={**JSON, "content-type": "text/html"}))
        self.drifts("X-Request-Id is missing", state(STATE, headers={"content-type": "application/json"}))
        self.drifts("no JSON", Exchange("GET", "/api/v1/auth/state", 200, headers=JSON, body=b"<html>"))

    def test_problems(self):
        """An operation has its codes; a problem has all its members and no others."""
        missing = Exchange("GET", "/api/v1/jobs/1", 404, headers=PROBLEM, body=problem(404, "NotFound"))
        self.fits(missing)
        for body, why in ((problem(404, "Gone"), "'NotFound' was expected"), (problem(409, "NotFound"), "404 was expected"),
                          (problem(404, "NotFound", more=1), "Additional properties"), (b"{}", "required property")):
            self.drifts(why, Exchange("GET", "/api/v1/jobs/1", 404, headers=PROBLEM, body=body))

    def test_what_is_no_operation(self):
        """Unknown paths and methods have their problems, and nothing else."""
        nothing, method = problem(404, "NotFound"), problem(405, "MethodNotAllowed")
        self.fits(Exchange("GET", "/api/v1/nothing", 404, headers=PROBLEM, body=nothing),
                  Exchange("PUT", "/api/v1/feed", 405, headers=PROBLEM, body=method),
                  Exchange("GET", "/media/x", 403, headers=PROBLEM, body=problem(403, "InvalidSignature")))
        self.drifts("not in the contract", Exchange("GET", "/api/v1/nothing", 200, headers=JSON, body=b"{}"))
        self.drifts("not in the contract", Exchange("PUT", "/api/v1/feed", 404, headers=PROBLEM, body=nothing))
        self.drifts("required property", Exchange("GET", "/media/x", 403, headers=PROBLEM, body=b"{}"))

    def test_what_is_refused_before_routing(self):
        """An operation may answer a status that it does not document only where the server refuses requests before it
        knows the operation: with that status's own code, and for a request that can be refused so."""
        def refused(method, path, status, code, **request_headers):
            return Exchange(method, f"/api/v1{path}", status, request_headers=request_headers, headers={**PROBLEM, "x-request-id": "1"},
                            body=problem(status, code))

        self.fits(refused("GET", "/auth/state", 421, "UnknownHost"), refused("GET", "/auth/state", 431, "InvalidRequest"),
                  refused("POST", "/images", 408, "InvalidRequest"), refused("GET", "/auth/state", 413, "TooLarge"),
                  refused("GET", "/auth/state", 417, "InvalidRequest", expect="tea"),
                  refused("GET", "/auth/state", 403, "ForeignOrigin", origin="http://x"),
                  refused("POST", "/images", 403, "ForeignOrigin", origin="http://x"), refused("POST", "/images", 413, "TooLarge"),
                  refused("GET", "/nothing", 503, "Overloaded"), refused("GET", "/nothing", 400, "InvalidRequest"))
        for exchange, why in ((refused("GET", "/auth/state", 403, "ForeignOrigin"), "not in the contract"),
                              (refused("POST", "/images", 403, "ForeignOrigin"), "not in the contract"),
                              (refused("GET", "/auth/state", 417, "InvalidRequest"), "not in the contract"),
                              (refused("GET", "/auth/state", 403, "ScopeMissing", origin="http://x"), "none of"),
                              (refused("GET", "/auth/state", 431, "TooLarge"), "none of"),
                              (refused("POST", "/images", 403, "Gone"), "is not one of"),
                              (refused("GET", "/auth/state", 429, "TooManyRequests"), "does not answer 429"),
                              (refused("GET", "/nothing", 429, "TooManyRequests"), "not in the contract")):
            self.drifts(why, exchange)

    def test_operations_that_take_bodies(self):
        """They document that a body may be too large, and all document what is malformed and too much: of those the
        statuses count that they document."""
        document = json.loads(contract.FILE.read_text(encoding="utf-8"))
        for item in document["paths"].values():
            for operation in (value for value in item.values() if "operationId" in value):
                self.assertLessEqual({"400", "503"} | ({"413"} if "requestBody" in operation else set()), set(operation["responses"]),
                                     operation["operationId"])

    def test_requests(self):
        """A request that was taken is one of the contract; one that was refused may be anything."""
        target = "/api/v1/auth/refresh"
        user = {"userId": "1", "email": "a@b", "username": "ada", "displayName": None, "about": None, "picture": None,
                "administrator": False}
        session = {"csrfToken": "t", "user": user}
        answer = dict(headers=JSON, body=json.dumps(session).encode())
        self.fits(Exchange("POST", target, 200, request_body=b'{"session": "cookie"}', **answer),
                  Exchange("POST", target, 200, request_body=None, **answer),
                  Exchange("POST", target, 400, request_body=b'{"more": 1}', headers=PROBLEM,
                           body=problem(400, "UnknownField")))
        self.drifts("request's body", Exchange("POST", target, 200, request_body=b'{"more": 1}', **answer))
        self.drifts("unknown parameters", state(STATE, target="/api/v1/auth/state?more=1"))
        self.drifts("a body was taken", state(STATE, request_body=b'{"more": 1}'))

    def test_parameters_and_times(self):
        """Numbers in queries and headers are numbers, times are times."""
        page = json.dumps({"items": [], "lastEvaluatedKey": None, "hasMore": False}).encode()
        self.fits(Exchange("GET", "/api/v1/jobs?limit=100", 200, headers=JSON, body=page))
        self.drifts("greater than the maximum", Exchange("GET", "/api/v1/jobs?limit=101", 200, headers=JSON, body=page))
        link = {"url": "/media/x", "expiresAt": "2026-05-01T10:00:00.000Z"}
        made = dict(method="POST", target="/api/v1/images/1/links", status=200, headers=JSON, request_body=b'{"w": 10}')
        self.fits(Exchange(**made, body=json.dumps(link).encode()))
        self.drifts("is not a 'date-time'", Exchange(**made, body=json.dumps({**link, "expiresAt": "soon"}).encode()))

    def test_what_threads_lose(self):
        """A drift that nobody caught is raised at the end, once."""
        with self.assertRaises(Drift):
            contract.check(state({}))
        with self.assertRaises(Drift):
            contract.expect_no_drift()
        contract.expect_no_drift()


if __name__ == "__main__":
    unittest.main()
