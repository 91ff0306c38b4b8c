"""Holds the examples in the OpenAPI files to their schemas: whoever copies one sends, or expects, what the servers take and give.

`card-payments.yaml` has an example for each body that its operations take or answer; what other files have is held to its schema too.
"""
import base64
import json
import pathlib
import unittest
import urllib.parse

import jsonschema_rs
import yaml
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "docs/openapi").glob("*.yaml"))
# Whose every body has an example.
COMPLETE = {"card-payments"}
# Whose every request has one, signed by hand as they are.
SIGNED = "alipay-plus"
SIGNATURE = ROOT / "Examples/BackEnds/acquirer/signature"
# The quick one, where it is there.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
METHODS = ("get", "put", "post", "delete", "patch", "head", "options")

# What says it in its status alone.
BARE = {"requestBrokerCode"}
# Whose signed answer is its result and nothing more.
RESULT_ALONE = {"putApp", "revoke", "cancelToken", "notifyPayment", "notifyAuthorization"}


def resolved(document, value):
    """What a reference within the file stands for."""
    while isinstance(value, dict) and "$ref" in value:
        place = document
        for part in value["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        value = place
    return value


def bodies(document):
    """Each body of the file's operations: where it stands, and its media type's object."""
    for path, operations in document["paths"].items():
        for method in METHODS:
            if method not in operations:
                continue
            operation = operations[method]
            name = operation.get("operationId", f"{method} {path}")
            request = resolved(document, operation.get("requestBody", {}))
            for media, content in request.get("content", {}).items():
                yield f"{name}: request, {media}", content
            for status, response in operation.get("responses", {}).items():
                for media, content in resolved(document, response).get("content", {}).items():
                    yield f"{name}: {status}, {media}", content


def examples(document, content):
    if "example" in content:
        yield "example", content["example"]
    for name, example in content.get("examples", {}).items():
        yield name, resolved(document, example)["value"]


def problems(document, schema, example):
    """What is wrong with an example; the schema's references are the file's."""
    whole = {"components": document.get("components", {}), "allOf": [schema]}
    validator = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
    return [f"{'/'.join(str(each) for each in error.instance_path)}: {error.message}" for error in validator.iter_errors(example)]


def says_something(document, schema, operation):
    """Whether a schema tells what stands in an answer."""
    schema = resolved(document, schema)
    if schema.get("type") != "object" or {"oneOf", "anyOf"} & set(schema):
        return bool(schema)
    names = set(schema.get("properties", {}))
    if names <= {"result", "verifiedText", "verifiedKey"} and "result" in names:
        return operation in RESULT_ALONE
    return bool(names or "additionalProperties" in schema or schema.get("description"))


class APIExamples(unittest.TestCase):
    def test_every_example_is_of_its_schema(self):
        held = 0
        for file in FILES:
            document = yaml.load(file.read_text(), LOADER)
            for place, content in bodies(document):
                for name, example in examples(document, content):
                    held += 1
                    with self.subTest(f"{file.stem}: {place}: {name}"):
                        self.assertEqual(problems(document, content.get("schema", {}), example), [])
        self.assertGreater(held, 100, "few examples were found")

    def test_every_signed_request_has_an_example_and_one_is_worked_out(self):
        document = yaml.load((ROOT / f"docs/openapi/{SIGNED}.yaml").read_text(), LOADER)
        calls = {
            operations["post"]["operationId"]: operations["post"]["requestBody"]["content"]["application/json"]
            for path, operations in document["paths"].items() if path.startswith("/aps/")}
        self.assertGreater(len(calls), 12)
        self.assertEqual([name for name, content in calls.items() if not list(examples(document, content))], [])
        body = (SIGNATURE / "pay.json").read_bytes()
        self.assertEqual(json.loads(body), calls["beginPayment"]["examples"]["cashier"]["value"])

        head, sent = (SIGNATURE / "request.http").read_bytes().split(b"\r\n\r\n", 1)
        self.assertEqual(sent, body)
        line, *lines = head.decode().split("\r\n")
        headers = dict(each.split(": ", 1) for each in lines)
        method, path, _ = line.split()
        covered = f"{method} {path}\n{headers['Client-Id']}.{headers['Request-Time']}.".encode() + body
        signature = (SIGNATURE / "signature.txt").read_text().strip()
        self.assertEqual(headers["Signature"], f"algorithm=RSA256, keyVersion=1, signature={signature}")
        key = serialization.load_pem_private_key((SIGNATURE / "test-key.pem").read_bytes(), None)
        made = base64.b64encode(key.sign(covered, padding.PKCS1v15(), hashes.SHA256())).decode()
        self.assertEqual(urllib.parse.quote(made, safe=""), signature)

    def test_every_body_has_an_example(self):
        for file in FILES:
            if file.stem not in COMPLETE:
                continue
            document = yaml.load(file.read_text(), LOADER)
            places = list(bodies(document))
            self.assertGreater(len(places), 20, file.stem)
            without = [place for place, content in places if not list(examples(document, content))]
            self.assertEqual(without, [], f"{file.stem} has bodies without an example")

    def test_every_operation_says_what_it_answers_when_it_succeeds(self):
        """A success that is described, and what stands in its body: an envelope alone says nothing of what was asked for."""
        held, missing = 0, []
        for file in FILES:
            document = yaml.load(file.read_text(), LOADER)
            for path, operations in document["paths"].items():
                for method in METHODS:
                    if method not in operations:
                        continue
                    operation, held = operations[method], held + 1
                    name = f"{file.stem}: {operation['operationId']}"
                    good = {code: resolved(document, answer) for code, answer in operation["responses"].items() if str(code)[0] in "23"}
                    if not good:
                        missing.append(f"{name}: no success")
                    for code, answer in good.items():
                        bodies_of = answer.get("content", {})
                        if not answer.get("description"):
                            missing.append(f"{name}: {code}: no description")
                        if not bodies_of and int(code) < 204 and operation["operationId"] not in BARE:
                            missing.append(f"{name}: {code}: no body")
                        missing += [
                            f"{name}: {code}, {media}" for media, content in bodies_of.items()
                            if not says_something(document, content.get("schema", {}), operation["operationId"])]
        self.assertEqual(missing, [])
        self.assertGreater(held, 150)

    def test_what_is_not_of_its_schema_is_found(self):
        document = {"components": {"schemas": {"Id": {"type": "string", "pattern": "^[0-9]+$"}, "At": {"type": "string", "format": "date-time"}}}}
        self.assertEqual(problems(document, {"$ref": "#/components/schemas/Id"}, "12"), [])
        self.assertNotEqual(problems(document, {"$ref": "#/components/schemas/Id"}, "x"), [])
        self.assertNotEqual(problems(document, {"$ref": "#/components/schemas/At"}, "yesterday"), [])


if __name__ == "__main__":
    unittest.main()
