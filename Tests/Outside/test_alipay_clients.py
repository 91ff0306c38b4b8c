"""Runs two public clients, unmodified, against the gateway: an order string paid in the wallet, query, close, cancel, refunds in parts,
refund query, bill, and notifications verified by the client itself.

`alipay-sdk-python` knows no ports: the gateway listens on port 80 of a loopback address of its own for it. Both clients are named `alipay`,
so each runs in a process of its own; this file starts itself again for either.
"""
import io
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest
import urllib.request
import zipfile

os.environ["TZ"] = "Asia/Shanghai"
time.tzset()

from alipay_wallet import Application, Notified, pay, until_password
from parties import ROOT, Billfold, put

BESIDE = ROOT / ".build/python/beside"


class Journey:
    """What every client goes through. `calls` are the client's own."""

    def __init__(self, test, calls, public, notified, sandbox):
        self.test, self.calls, self.public, self.notified, self.sandbox = test, calls, public, notified, sandbox
        self.count = 0

    def number(self, name):
        self.count += 1
        return f"{name}{time.time_ns()}{self.count}"

    def paid(self, name, amount):
        """An order of the client that Mei pays; its notification is verified by the client."""
        test, number = self.test, self.number(name)
        order = self.calls.order(number, "Longjing 明前 #1", amount, self.notified.url)
        result = pay(self.public, order)
        test.assertEqual(result["resultStatus"], "9000", result)
        node = json.loads(result["result"])["alipay_trade_app_pay_response"]
        test.assertEqual((node["out_trade_no"], node["total_amount"], node["code"]), (number, amount, "10000"))
        told = self.notified.wait(lambda each: each.get("out_trade_no") == number and each["trade_status"] == "TRADE_SUCCESS")
        test.assertIsNotNone(told, "no notification came")
        test.assertEqual((told["total_amount"], told["app_id"], told["subject"]), (amount, node["app_id"], "Longjing 明前 #1"))
        self.verify(told)
        return number

    def verify(self, told):
        self.test.assertTrue(self.calls.verify(told))
        changed = {**told, "total_amount": "0.01"}
        self.test.assertFalse(self.calls.verify(changed))

    def query(self):
        number = self.paid("query", "128.00")
        answer = self.calls.query(number)
        self.test.assertEqual((answer["trade_status"], answer["total_amount"]), ("TRADE_SUCCESS", "128.00"))
        # The order string alone creates nothing.
        unknown = self.number("unknown")
        self.calls.order(unknown, "Tea", "1.00", self.notified.url)
        self.test.assertEqual(self.calls.refused(self.calls.query, unknown), "ACQ.TRADE_NOT_EXIST")

    def close(self):
        number = self.number("close")
        until_password(self.public, self.calls.order(number, "Tea", "1.00", self.notified.url))
        self.test.assertEqual(self.calls.query(number)["trade_status"], "WAIT_BUYER_PAY")
        self.test.assertEqual(self.calls.close(number)["out_trade_no"], number)
        self.test.assertEqual(self.calls.query(number)["trade_status"], "TRADE_CLOSED")
        paid = self.paid("closepaid", "2.00")
        self.test.assertIn(
            self.calls.refused(self.calls.close, paid), ("ACQ.TRADE_STATUS_ERROR", "ACQ.REASON_TRADE_STATUS_INVALID"))

    def cancel(self):
        number = self.number("cancel")
        until_password(self.public, self.calls.order(number, "Tea", "1.00", self.notified.url))
        self.test.assertEqual(self.calls.cancel(number)["action"], "close")
        paid = self.paid("cancelpaid", "3.00")
        self.test.assertEqual(self.calls.cancel(paid)["action"], "refund")

    def refund(self):
        number = self.paid("refund", "88.00")
        first = self.calls.refund(number, "30.00", "part-1")
        self.test.assertEqual((first["fund_change"], first["refund_fee"]), ("Y", "30.00"))
        self.advance(5)
        again = self.calls.refund(number, "30.00", "part-1")
        self.test.assertEqual((again["fund_change"], again["refund_fee"]), ("N", "30.00"))
        told = self.notified.wait(lambda each: each.get("out_trade_no") == number and each.get("out_biz_no") == "part-1")
        self.test.assertEqual((told["trade_status"], told["refund_fee"]), ("TRADE_SUCCESS", "30.00"))
        self.verify(told)
        self.test.assertEqual(
            self.calls.refused(self.calls.refund, number, "31.00", "part-1"), "ACQ.DISCORDANT_REPEAT_REQUEST")
        second = self.calls.refund(number, "58.00", "part-2")
        self.test.assertEqual((second["fund_change"], second["refund_fee"]), ("Y", "88.00"))
        self.advance(15)
        asked = self.calls.refund_query(number, "part-2")
        self.test.assertEqual((asked["refund_status"], asked["refund_amount"]), ("REFUND_SUCCESS", "58.00"))
        closed = self.notified.wait(lambda each: each.get("out_trade_no") == number and each["trade_status"] == "TRADE_CLOSED")
        self.test.assertEqual(closed["refund_fee"], "88.00")
        self.verify(closed)

    def bill(self):
        number = self.paid("bill", "7.00")
        day = time.strftime("%Y-%m-%d", time.localtime(self.now()))
        # The bill of a day is there the next day after ten.
        self.advance(36 * 3600)
        url = self.calls.bill(day)
        with urllib.request.urlopen(url, timeout=30) as answer:
            archive = zipfile.ZipFile(io.BytesIO(answer.read()))
        rows = "\n".join(archive.read(name).decode("gbk") for name in archive.namelist())
        self.test.assertIn(number, rows)
        self.test.assertIn("7.00", rows)

    def advance(self, seconds):
        put(f"{self.sandbox}/clock", {"advanceSeconds": seconds})
        self.ahead = getattr(self, "ahead", 0) + seconds

    def now(self):
        return time.time() + getattr(self, "ahead", 0)


def run_journey(test, make, public, notified, sandbox):
    journey = Journey(test, make, public, notified, sandbox)
    for name in ("query", "close", "cancel", "refund", "bill"):
        with test.subTest(name):
            getattr(journey, name)()


class PythonAlipaySDK:
    """PyPI python-alipay-sdk, in key mode or certificate mode."""

    def __init__(self, application, gateway, certificate):
        from alipay import AliPay, DCAliPay

        if certificate:
            self.client = DCAliPay(
                appid=application.app_id, app_private_key_string=application.private_pem(),
                app_public_key_cert_string=application.known["applicationCertificate"],
                alipay_public_key_cert_string=application.known["gatewayCertificate"],
                alipay_root_cert_string=application.known["rootCertificate"])
        else:
            self.client = AliPay(
                appid=application.app_id, app_private_key_string=application.private_pem(),
                alipay_public_key_string=application.gateway_pem())
        # The client has no setting for another gateway.
        self.client._gateway = f"{gateway}/gateway.do"

    def order(self, number, subject, amount, notify):
        return self.client.api_alipay_trade_app_pay(subject=subject, out_trade_no=number, total_amount=amount, notify_url=notify)

    def verify(self, told):
        told = dict(told)
        return self.client.verify(told, told.pop("sign"))

    @staticmethod
    def accepted(answer):
        if answer.get("code") != "10000":
            raise Refused(answer["sub_code"])
        return answer

    def call(self, method, **arguments):
        from alipay.exceptions import AliPayException

        try:
            return self.accepted(method(**arguments))
        except AliPayException as failure:
            node = next(iter(json.loads(failure._AliPayException__message).values()))
            raise Refused(node["sub_code"]) from failure

    def query(self, number):
        return self.call(self.client.api_alipay_trade_query, out_trade_no=number)

    def close(self, number):
        return self.call(self.client.api_alipay_trade_close, out_trade_no=number)

    def cancel(self, number):
        return self.call(self.client.api_alipay_trade_cancel, out_trade_no=number)

    def refund(self, number, amount, request):
        return self.call(self.client.api_alipay_trade_refund, refund_amount=amount, out_trade_no=number, out_request_no=request)

    def refund_query(self, number, request):
        return self.call(self.client.api_alipay_trade_fastpay_refund_query, out_request_no=request, out_trade_no=number)

    def bill(self, day):
        answer = self.call(
            self.client.server_api, api_name="alipay.data.dataservice.bill.downloadurl.query",
            biz_content={"bill_type": "trade", "bill_date": day})
        return answer["bill_download_url"]

    @staticmethod
    def refused(call, *arguments):
        try:
            call(*arguments)
        except Refused as refusal:
            return refusal.code
        return None


class AlipaySDKPython:
    """PyPI alipay-sdk-python, on the gateway's port 80."""

    def __init__(self, application, gateway):
        from alipay.aop.api.AlipayClientConfig import AlipayClientConfig
        from alipay.aop.api.DefaultAlipayClient import DefaultAlipayClient

        config = AlipayClientConfig()
        config.server_url = f"{gateway}/gateway.do"
        config.app_id = application.app_id
        config.app_private_key = application.private_pem()
        config.alipay_public_key = application.known["gatewayKey"]
        self.config, self.client = config, DefaultAlipayClient(alipay_client_config=config)

    def request(self, kind, model, values, notify=None):
        """A request of the client with its own model."""
        import importlib

        made_model = getattr(importlib.import_module(f"alipay.aop.api.domain.{model}"), model)()
        for name, value in values.items():
            setattr(made_model, name, value)
        request = getattr(importlib.import_module(f"alipay.aop.api.request.{kind}Request"), f"{kind}Request")(biz_model=made_model)
        if notify:
            request.notify_url = notify
        return request

    def call(self, kind, model, values):
        import importlib

        from alipay.aop.api.exception.Exception import ResponseException

        try:
            content = self.client.execute(self.request(kind, model, values))
        except ResponseException as failure:
            # A failure without signature, as the gateway's are: the client shows it and believes nothing.
            body = str(failure).partition("illegal. ")[2]
            if not body:
                raise
            raise Refused(next(iter(json.loads(body).values()))["sub_code"]) from failure
        response = getattr(importlib.import_module(f"alipay.aop.api.response.{kind}Response"), f"{kind}Response")()
        response.parse_response_content(content)
        if not response.is_success():
            raise Refused(response.sub_code)
        return {name: value for name, value in json.loads(content).items() if value is not None}

    def order(self, number, subject, amount, notify):
        return self.client.sdk_execute(
            self.request(
                "AlipayTradeAppPay", "AlipayTradeAppPayModel",
                {"out_trade_no": number, "subject": subject, "total_amount": amount, "product_code": "QUICK_MSECURITY_PAY"}, notify))

    def verify(self, told):
        from alipay.aop.api.util.SignatureUtils import get_sign_content, verify_with_rsa

        told = dict(told)
        sign = told.pop("sign")
        told.pop("sign_type")
        try:
            return verify_with_rsa(self.config.alipay_public_key, get_sign_content(told).encode("utf-8"), sign)
        except Exception as failure:
            # The client lets its library's own error through.
            if type(failure).__name__ == "VerificationError":
                return False
            raise

    def query(self, number):
        return self.call("AlipayTradeQuery", "AlipayTradeQueryModel", {"out_trade_no": number})

    def close(self, number):
        return self.call("AlipayTradeClose", "AlipayTradeCloseModel", {"out_trade_no": number})

    def cancel(self, number):
        return self.call("AlipayTradeCancel", "AlipayTradeCancelModel", {"out_trade_no": number})

    def refund(self, number, amount, request):
        return self.call(
            "AlipayTradeRefund", "AlipayTradeRefundModel",
            {"out_trade_no": number, "refund_amount": amount, "out_request_no": request})

    def refund_query(self, number, request):
        return self.call(
            "AlipayTradeFastpayRefundQuery", "AlipayTradeFastpayRefundQueryModel",
            {"out_trade_no": number, "out_request_no": request})

    def bill(self, day):
        return self.call(
            "AlipayDataDataserviceBillDownloadurlQuery", "AlipayDataDataserviceBillDownloadurlQueryModel",
            {"bill_type": "trade", "bill_date": day})["bill_download_url"]

    refused = staticmethod(PythonAlipaySDK.refused)


class Refused(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


class ClientTests(unittest.TestCase):
    arguments = ()

    def setUp(self):
        self.billfold = Billfold(*self.arguments)
        self.addCleanup(self.billfold.stop)
        self.prepare()
        self.billfold.start()
        self.notified = Notified()
        self.addCleanup(self.notified.stop)
        self.onboarding = (self.billfold.folder / "data/alipay-onboarding.key").read_text().strip()

    def prepare(self):
        pass

    def application(self, **options):
        return Application(self.billfold.public, self.onboarding, self.notified, **options)

    def go(self, client):
        run_journey(self, client, self.billfold.public, self.notified, self.billfold.sandbox)


class PythonAlipaySDKTests(ClientTests):
    def test_key_mode(self):
        self.go(PythonAlipaySDK(self.application(), self.billfold.public, certificate=False))

    def test_certificate_mode(self):
        self.go(PythonAlipaySDK(self.application(certificate=True), self.billfold.public, certificate=True))


class AlipaySDKPythonTests(ClientTests):
    def prepare(self):
        # A port that this client can reach: every loopback address has its own port 80.
        self.billfold.move_public(f"127.0.{os.getpid() % 250 + 1}.80", 80)

    def test_key_mode(self):
        self.go(AlipaySDKPython(self.application(), self.billfold.public))


def main():
    """Both clients are called `alipay`: each suite runs with its own in front."""
    ended = []
    for suite, path in (("PythonAlipaySDKTests", []), ("AlipaySDKPythonTests", [str(BESIDE)])):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path + [str(pathlib.Path(__file__).parent)]), "BILLFOLD_CLIENT": suite}
        ended.append(subprocess.run([sys.executable, __file__, suite, *sys.argv[1:]], env=environment).returncode)
    sys.exit(max(ended))


if __name__ == "__main__":
    if os.environ.get("BILLFOLD_CLIENT"):
        unittest.main()
    main()
