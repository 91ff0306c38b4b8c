"""Runs a public acquirer's client, unmodified and with all of its tools, against the gateway: PyPI ant-intl-alipayplus-mcp, which serves the
tools over standard input and output.

The client knows TLS on port 443 alone, and names the whole address in its request line: the gateway gets a certificate and a loopback
address of its own. It wants other versions of its libraries than the tests, so it runs with a folder of its own.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import uuid

from cryptography.hazmat.primitives import serialization

from alipay_plus import CLIENT, MERCHANT, Network, new_key, public_key
from parties import ROOT, Billfold

LIBRARIES = ROOT / ".build/python/acquirer"
TOOLS = {"create_payment", "query_payment", "cancel_payment", "create_refund", "customs_declare", "query_customs_declare"}
# The gateway, and of the sandbox what its readiness is asked by.
ROLES = "alipay-plus,console,shop"


class Client:
    """The client's process, and JSON-RPC of the Model Context Protocol with it, one line a message."""

    def __init__(self, **settings):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "alipayplusmcp.main"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            env={**os.environ, "PYTHONPATH": str(LIBRARIES), **settings})
        self.last, self.called = 0, set()
        self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "billfold-tests", "version": "1"}})
        self.write({"method": "notifications/initialized"})
        self.tools = {each["name"] for each in self.ask("tools/list", {})["tools"]}

    def write(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, parameters):
        self.last += 1
        self.write({"id": self.last, "method": method, "params": parameters})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
        self.errors.seek(0)
        raise RuntimeError(f"the client ended:\n{self.errors.read().decode()[-4000:]}")

    def say(self, tool, **arguments):
        """What a tool says, as it says it."""
        self.called.add(tool)
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return "".join(each["text"] for each in answer["content"])

    def call(self, tool, **arguments):
        """The gateway's answer, which the client has verified."""
        text = self.say(tool, **arguments)
        try:
            return json.loads(text)
        except json.JSONDecodeError as failure:
            raise RuntimeError(f"{tool}: {text}") from failure

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()
        self.errors.close()


class PublicClientTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="billfold-certificate-")
        cls.addClassCleanup(folder.cleanup)
        certificate, key = (pathlib.Path(folder.name) / name for name in ("tls.pem", "tls.key"))
        # A port that this client can reach: every loopback address has its own port 443.
        host = f"127.0.{os.getpid() % 250 + 1}.43"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj",
             f"/CN={host}", "-addext", f"subjectAltName=IP:{host},IP:127.0.0.1", "-addext",
             "keyUsage=critical,digitalSignature,keyCertSign"], check=True, capture_output=True)
        # The tests' own requests verify it; the client verifies no certificate at all.
        os.environ["SSL_CERT_FILE"] = str(certificate)
        cls.addClassCleanup(os.environ.pop, "SSL_CERT_FILE")
        cls.billfold = Billfold("--roles", ROLES)
        cls.billfold.move_public(host, 443)
        cls.billfold.speak_tls(certificate, key)
        cls.addClassCleanup(cls.billfold.stop)
        cls.billfold.start()
        cls.network = Network(cls.billfold)
        cls.addClassCleanup(cls.network.stop)

    @staticmethod
    def private(key):
        """As the client takes a key: base64 without the lines around it."""
        der = key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return base64.b64encode(der).decode()

    def client(self, **other):
        client = Client(**{
            "GATEWAY_URL": self.billfold.public, "CLIENT_ID": CLIENT, "MERCHANT_PRIVATE_KEY": self.private(self.network.key),
            "ALIPAY_PUBLIC_KEY": self.network.gateway_key.strip(), "PAYMENT_REDIRECT_URL": f"{self.network.origin}/return",
            "PAYMENT_NOTIFY_URL": f"{self.network.origin}/notify", "SETTLEMENT_CURRENCY": "SGD", "MERCHANT_NAME": "Corner Tea",
            "MERCHANT_ID": MERCHANT, "MERCHANT_MCC": "5411", "MERCHANT_REGION": "SG", **other})
        self.addCleanup(client.close)
        return client

    def result(self, answer, status, code, part="result"):
        self.assertEqual((answer[part]["resultStatus"], answer[part]["resultCode"]), (status, code), answer)

    def pay(self, client, value=1999, currency="SGD"):
        """A payment that waits for its payer. Returns its id and the answer."""
        request = f"mcp-{uuid.uuid4().hex}"
        answer = client.call(
            "create_payment", payment_request_id=request, order_amount_currency=currency, order_amount_value=value,
            order_description="Longjing 明前 #1")
        self.result(answer, "U", "PAYMENT_IN_PROCESS")
        return request, answer

    def test_every_tool(self):
        client = self.client()
        self.assertEqual(client.tools, TOOLS)

        request, begun = self.pay(client)
        self.assertTrue(begun["normalUrl"].replace(":443/", "/").startswith(f"{self.billfold.public}/sheet/"), begun)
        self.result(client.call("query_payment", payment_request_id=request), "U", "PAYMENT_IN_PROCESS", "paymentResult")
        self.network.confirm("TEST_PH", self.network.scan(begun["normalUrl"], "TEST_PH"))
        told = self.network.until_told(request)
        self.result(told, "S", "SUCCESS", "paymentResult")
        paid = client.call("query_payment", payment_request_id=request)
        self.result(paid, "S", "SUCCESS")
        self.result(paid, "S", "SUCCESS", "paymentResult")
        self.assertEqual((paid["paymentAmount"], paid["walletBrandName"], paid["paymentId"]), (
            {"currency": "SGD", "value": "1999"}, "GCash", told["paymentId"]))

        # Refunded in parts, of which one request comes twice.
        refunds = [f"r-{uuid.uuid4().hex}" for _ in range(3)]

        def refund(number, value):
            return client.call(
                "create_refund", payment_request_id=request, refund_request_id=refunds[number], refund_amount_value=value,
                refund_currency="SGD")

        first = refund(0, 999)
        self.result(first, "S", "SUCCESS")
        self.assertEqual(refund(0, 999)["refundId"], first["refundId"])
        self.result(refund(0, 998), "F", "REPEAT_REQ_INCONSISTENT")
        self.result(refund(1, 1001), "F", "REFUND_AMOUNT_EXCEED")
        self.result(refund(2, 1000), "S", "SUCCESS")
        shown = client.call("query_payment", payment_request_id=request)["transactions"]
        self.assertEqual(
            sorted(each["transactionAmount"]["value"] for each in shown if each["transactionType"] == "REFUND"), ["1000", "999"])

        cancelled, opened = self.pay(client, 4200, "JPY")
        self.result(client.call("cancel_payment", payment_request_id=cancelled), "S", "SUCCESS")
        self.result(client.call("cancel_payment", payment_request_id=cancelled), "S", "SUCCESS")
        state = client.call("query_payment", payment_request_id=cancelled)
        self.assertEqual(state["paymentResult"]["resultStatus"], "F", state)
        with self.assertRaisesRegex(RuntimeError, "ORDER_IS_CLOSED"):
            self.network.scan(opened["normalUrl"], "TEST_PH")

        # The gateway offers no customs declarations, and says so.
        self.result(client.call(
            "customs_declare", payment_request_id=request, customs_declaration_request_id="d-1", declaration_amount_value=1999,
            customs_code="HANGZHOU", merchant_customs_code="C-1", merchant_customs_name="Corner Tea", is_split=False,
            reference_order_id="o-1"), "F", "BUSINESS_NOT_SUPPORT")
        self.result(client.call("query_customs_declare", declaration_request_ids=["d-1"]), "F", "BUSINESS_NOT_SUPPORT")
        self.assertEqual(client.called, client.tools)

    def test_a_request_id_is_one_payment_and_an_unknown_one_is_none(self):
        client = self.client()
        request, begun = self.pay(client)
        again = dict(payment_request_id=request, order_amount_currency="SGD", order_description="Longjing 明前 #1")
        self.assertEqual(client.call("create_payment", order_amount_value=1999, **again)["paymentId"], begun["paymentId"])
        self.result(client.call("create_payment", order_amount_value=2000, **again), "F", "REPEAT_REQ_INCONSISTENT")
        self.result(client.call("query_payment", payment_request_id="nobody's"), "F", "ORDER_NOT_EXIST")
        # The docs of the tool ask for the smallest unit; a hundredth of a rupiah is none.
        self.result(client.call(
            "create_payment", payment_request_id=f"mcp-{uuid.uuid4().hex}", order_amount_currency="IDR", order_amount_value=1050,
            order_description="Tea"), "F", "PARAM_ILLEGAL")

    def test_an_address_that_is_not_registered_is_refused(self):
        # What the client sends where it is not told of an address.
        client = self.client(PAYMENT_NOTIFY_URL="http://localhost:8080/notify")
        answer = client.call(
            "create_payment", payment_request_id=f"mcp-{uuid.uuid4().hex}", order_amount_currency="SGD", order_amount_value=1,
            order_description="Tea")
        self.result(answer, "F", "PARAM_ILLEGAL")
        self.assertIn("paymentNotifyUrl", answer["result"]["resultMessage"])

    def test_another_key_on_either_side_is_noticed(self):
        stranger = new_key()
        unknown = self.client(MERCHANT_PRIVATE_KEY=self.private(stranger))
        # What nobody can verify is refused unsigned, and this client shows no unsigned answer.
        self.assertIn("signature", unknown.say("query_payment", payment_request_id="p").lower())
        distrusting = self.client(ALIPAY_PUBLIC_KEY=public_key(stranger))
        self.assertIn("verif", distrusting.say("query_payment", payment_request_id="p").lower())


if __name__ == "__main__":
    unittest.main()
