"""What the contract does not name is refused by name: every operation of it, with a parameter or a field too many."""

import copy
import json
import sys
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "mission" / "support"))
import photos  # noqa: E402
import rest  # noqa: E402
from gallery import Gallery  # noqa: E402

DOCUMENT = json.loads(rest.contract.FILE.read_text(encoding="utf-8"))
METHODS = {"get", "put", "post", "delete", "options", "head", "patch"}
UNKNOWN = "zzNobodyKnowsThis"


def resolve(value):
    while "$ref" in value:
        here = DOCUMENT
        for name in value["$ref"].removeprefix("#/").split("/"):
            here = here[name]
        value = here
    return value


def operations():
    """Each operation as (path, method, operation)."""
    return [(path.replace("{id}", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), method.upper(), operation)
            for path, item in DOCUMENT["paths"].items() for method, operation in item.items() if method in METHODS]


def parameters(operation):
    return [parameter["name"] for parameter in map(resolve, operation.get("parameters", [])) if parameter["in"] == "query"]


def content(operation, media_type):
    return resolve(operation.get("requestBody", {})).get("content", {}).get(media_type)


def places(value, path=()):
    """The path of every object in a JSON value, itself included."""
    if isinstance(value, dict):
        yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from places(member, (*path, name))


def spelled(path):
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def examples(operation):
    """Bodies that the contract allows: its example, and for each variant of a nested object one that has it."""
    media = content(operation, "application/json")
    yield media["example"]
    for name, schema in resolve(media["schema"])["properties"].items():
        items = resolve(resolve(schema).get("items", {}))
        for kind in items.get("discriminator", {}).get("mapping", {}):
            yield {**media["example"], name: [{items["discriminator"]["propertyName"]: kind}]}


class KnownNamesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gallery = Gallery(("--workers", "1"))
        cls.addClassCleanup(cls.gallery.stop)
        cls.ada = cls.gallery.sign_up("ada")

    def send(self, operation, method, target, body=None, **headers):
        if operation["security"]:
            account = self.gallery.administrator if operation["x-access"] == "administer" else self.ada
            headers["Authorization"] = account.authorization
        return rest.request(self.gallery.address, method, target, body, headers)

    def assert_refused(self, answer, method, code, detail):
        self.assertEqual(answer.status, 400, answer.body)
        if method != "HEAD":
            self.assertEqual((answer.json["code"], answer.json["detail"]), (code, detail))

    def test_every_operation_refuses_a_parameter_that_it_does_not_have(self):
        for path, method, operation in operations():
            for query in (f"{UNKNOWN}=1", UNKNOWN, *(f"{known}=1&{UNKNOWN}=1" for known in parameters(operation))):
                with self.subTest(operation["operationId"], query=query):
                    self.assert_refused(self.send(operation, method, f"{path}?{query}"), method, "UnknownParameter",
                                        f"Unknown parameter '{UNKNOWN}'.")

    def test_every_operation_refuses_a_parameter_that_comes_again(self):
        checked = 0
        for path, method, operation in operations():
            for name in parameters(operation):
                with self.subTest(operation["operationId"], name=name):
                    answer = self.send(operation, method, f"{path}?{name}=1&{name}=2")
                    self.assert_refused(answer, method, "RepeatedParameter", f"The parameter '{name}' is given more than once.")
                    checked += 1
        self.assertGreater(checked, 10)

    def test_every_operation_refuses_a_field_that_it_does_not_have(self):
        """In the body itself, and in every object within it."""
        checked = set()
        for path, method, operation in operations():
            if not content(operation, "application/json"):
                continue
            for example in examples(operation):
                for place in places(example):
                    with self.subTest(operation["operationId"], place=place):
                        body = copy.deepcopy(example)
                        here = body
                        for part in place:
                            here = here[part]
                        here[UNKNOWN] = 1
                        answer = self.send(operation, method, path, json.dumps(body), **{"Content-Type": "application/json"})
                        self.assert_refused(answer, method, "UnknownField", f"Unknown field '{spelled((*place, UNKNOWN))}'.")
                        checked.add((operation["operationId"], place))
        self.assertIn(("changeImage", ()), checked)
        self.assertIn(("createJob", ("operations", 0)), checked)

    def test_operations_without_a_body_take_none(self):
        for path, method, operation in operations():
            if "requestBody" in operation:
                continue
            with self.subTest(operation["operationId"]):
                answer = self.send(operation, method, path, json.dumps({UNKNOWN: 1}))
                self.assert_refused(answer, method, "UnknownField", f"Unknown field '{UNKNOWN}'.")
                answer = self.send(operation, method, path, "words")
                self.assert_refused(answer, method, "InvalidRequest", "This operation takes no body.")

    def test_every_field_that_comes_again_is_refused(self):
        for path, method, operation in operations():
            media = content(operation, "application/json")
            for name in resolve(media["schema"])["properties"] if media else ():
                with self.subTest(operation["operationId"], name=name):
                    answer = self.send(operation, method, path, f'{{"{name}": null, "{name}": null}}',
                                       **{"Content-Type": "application/json"})
                    self.assert_refused(answer, method, "RepeatedField", f"The field '{name}' is given more than once.")

    def test_a_near_name_is_suggested(self):
        answer = self.ada.send("GET", "/images?limt=5")
        self.assertEqual(answer.json["detail"], "Unknown parameter 'limt'. Did you mean 'limit'?")
        answer = self.ada.send("POST", "/jobs", {"imageId": "x", "provider": "local", "operations": [{"op": "rotate", "degree": 90}]})
        self.assertEqual(answer.json["detail"], "Unknown field 'operations[0].degree'. Did you mean 'degrees'?")

    def test_forms(self):
        """Parts of a form are fields. What is refused leaves the account's limit as it was."""
        limit = self.ada.limit()
        answer = self.ada.post_form(photos.jpeg("form"), "a.jpg", before={"titel": "x"})
        self.assertEqual(answer.headers["X-Request-Id"], answer.json["requestId"])
        self.assertEqual((answer.status, answer.json["code"], answer.json["detail"]),
                         (400, "UnknownField", "Unknown field 'titel'. Did you mean 'title'?"))
        answer = self.ada.post_form(photos.jpeg("form"), "a.jpg", after={"rating": "5"})
        self.assertEqual((answer.status, answer.json["detail"]), (400, "Unknown field 'rating'."))
        answer = self.ada.post_form(photos.jpeg("form"), "a.jpg", before={"title": "x"}, after={"title": "y"})
        self.assertEqual((answer.status, answer.json["code"]), (400, "RepeatedField"))
        answer = self.ada.post_image(photos.jpeg("form"), rating=5)
        self.assertEqual((answer.status, answer.json["detail"]), (400, "Unknown parameter 'rating'."))
        self.gallery.wait_idle()
        self.assertEqual(self.ada.limit(), limit)

    def test_values_that_the_contract_does_not_have(self):
        """Unknown values are refused too where they decide who sees tokens or whether a photo is deleted."""
        image_id = self.ada.upload(photos.jpeg("values"))
        for value in ("1", "True", ""):
            answer = self.ada.send("DELETE", f"/images/{image_id}?permanent={value}")
            self.assertEqual((answer.status, answer.json["detail"]), (400, "`permanent` is `true` or `false`."))
        self.assertEqual(self.ada.image(image_id)["id"], image_id)
        for path, body in (("signup", {"email": "b@example.com", "username": "bob", "password": "correct horse battery"}),
                           ("login", {"username": "ada", "password": "correct horse battery"}),
                           ("refresh", {"refreshToken": "x.y"})):
            for value, detail in (("coookie", "`session` is `cookie` or `token`."), (1, "`session` has to be a string.")):
                answer = rest.request(self.gallery.address, "POST", f"/api/v1/auth/{path}",
                                      json.dumps({**body, "session": value}), {"Content-Type": "application/json"})
                self.assertEqual((answer.status, answer.json["detail"]), (400, detail), path)

    def test_ids_that_nothing_can_have(self):
        """They are not found, whatever the tables would say of them."""
        for path, method, operation in operations():
            if "01ARZ3NDEKTSV4RRFFQ69G5FAV" not in path or method == "OPTIONS":
                continue
            for wrong in ("x" * 3000, "x" * 129, "%FF"):
                with self.subTest(operation["operationId"], id=wrong[:5]):
                    answer = self.send(operation, method, path.replace("01ARZ3NDEKTSV4RRFFQ69G5FAV", wrong))
                    self.assertEqual(answer.status, 404, answer.body)
        answer = self.ada.send("POST", "/jobs", {"imageId": "x" * 3000, "provider": "local", "operations": []})
        self.assertEqual((answer.status, answer.json["detail"]), (400, "`imageId` has 3000 characters; the limit is 128."))

    def test_strangers_learn_nothing(self):
        """Who has not logged in is told so, and nothing of names."""
        for path, method, operation in operations():
            if operation["security"]:
                with self.subTest(operation["operationId"]):
                    answer = rest.request(self.gallery.address, method, f"{path}?{UNKNOWN}=1")
                    self.assertEqual(answer.status, 401)

    def test_what_is_not_the_contracts(self):
        """The exceptions in src/contract/README.md: metadata of tus, signed links, the page."""
        created = self.ada.tus("POST", "/uploads", None, Upload_Length=10, Upload_Metadata="filetype aW1hZ2UvcG5n")
        self.assertEqual(created.status, 201, created.body)
        image_id = self.ada.upload(photos.jpeg("link"))
        link = urllib.parse.urlsplit(self.gallery.wait_developed(self.ada, image_id)["sizes"]["THUMB"])
        for target in (f"{link.path}?{link.query}&from=mail", "/?from=mail", "/healthz?from=mail"):
            self.assertEqual(rest.request(self.gallery.address, "GET", target).status, 200, target)
        self.assertEqual(rest.request(self.gallery.address, "GET", "/nope").status, 404)


if __name__ == "__main__":
    unittest.main()
