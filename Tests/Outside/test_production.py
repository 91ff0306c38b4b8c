"""Runs the servers as in production: TLS, PostgreSQL, key stores made by `billfold keys`, operators who sign in.

Production believes Apple's root alone, so a simulated token must be refused there, and everything up to it must work. The same
merchants, keys and certificates are then served in test mode, where tokens are paid end to end.
"""
import base64
import http.client
import json
import os
import pathlib
import pty
import re
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from alipay_plus import new_key, public_key, signed_headers
from alipay_wallet import MEI, Browser, Page, modern, pay
from parties import PROGRAM, Billfold, free_ports
from postgresql import Cluster
from proxies import Front

MERCHANT = "merchant.example.tea"
ACQUIRER_ID = "777290058110097"
DOMAIN = "shop.example"
PASSWORD = "correct horse battery staple"


class Wire:
    """Requests over TLS to one port, believing the test's own authority."""

    def __init__(self, port, root):
        self.port = port
        self.context = ssl.create_default_context(cafile=str(root))

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=60)
        try:
            data = json.dumps(body).encode() if isinstance(body, dict) else body
            connection.request(method, path, body=data, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), dict((key.lower(), value) for key, value in answer.getheaders())
        finally:
            connection.close()

    def json(self, method, path, body=None, bearer=None, key=None):
        headers = {"content-type": "application/json"}
        if bearer:
            headers["authorization"] = f"Bearer {bearer}"
        if key:
            headers["idempotency-key"] = key
        status, answer, _ = self.ask(method, path, body, headers)
        return status, json.loads(answer or b"{}")


class AppleEndpoint:
    """Apple's session endpoint: it takes one request from a client whose certificate the wallet's office issued."""

    answer = b'{"merchantSessionIdentifier":"opaque", "untouched" :true}'

    def __init__(self, certificate, key, issuers):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=issuers)
        self.context = context
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"https://127.0.0.1:{self.listener.getsockname()[1]}"
        self.requests = []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                near, _ = self.listener.accept()
                with self.context.wrap_socket(near, server_side=True) as tls:
                    self.serve(tls)
            except ssl.SSLError:
                continue
            except OSError:
                return

    def serve(self, tls):
        received = b""
        while b"\r\n\r\n" not in received:
            received += tls.recv(65_536)
        head, body = received.split(b"\r\n\r\n", 1)
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        while len(body) < length:
            body += tls.recv(65_536)
        subject = dict(pair for group in tls.getpeercert()["subject"] for pair in group)
        self.requests.append((head.split(b"\r\n")[0].decode(), json.loads(body), subject.get("userId")))
        tls.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(self.answer) + self.answer)

    def close(self):
        self.listener.close()


class Installation:
    """Files and counterparties that every server of this file shares."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-production-"))
        self.processes = []
        self.closing = []
        self.make_certificates()
        self.cluster = Cluster()
        self.closing.append(self.cluster.close)
        for name in ["production", "test"]:
            subprocess.run(["createdb", "-h", "127.0.0.1", "-p", str(self.cluster.port), "-U", "billfold", name], check=True)
        port = free_ports(1)[0]
        self.sandbox = f"http://127.0.0.1:{port}"
        self.spawn(
            "sandbox", "--roles", "unionpay,certificates", "--sandbox", f"127.0.0.1:{port}", "--data", self.path("sandbox"),
            "--outgoing-roots", self.path("ca.pem"))
        self.wait(lambda: urllib.request.urlopen(f"{self.sandbox}/healthz", timeout=2).status == 200, self.processes[-1])
        self.front = Front(port, self.path("tls.pem"), self.path("tls.key"))
        self.closing.append(self.front.close)
        self.environment = {"BILLFOLD_KEY_ENCRYPTION_KEY_FILE": self.path("kek")}
        self.run("keys", "make", "--kind", "encryption", "--out", self.path("kek"))
        self.certificates = {}
        for name, kind in [("ec", "processing"), ("rsa", "processing"), ("identity", "identity")]:
            self.import_key(name, kind)
        self.import_signing_key()
        self.write_merchants("merchants.json", MERCHANT)

    def path(self, name):
        return str(self.folder / name)

    def address(self, database):
        return f"postgresql://billfold@127.0.0.1:{self.cluster.port}/{database}"

    def make_certificates(self):
        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=self.folder)

        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=Test CA",
                "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "tls.key", "-out", "tls.csr", "-subj", "/CN=127.0.0.1")
        (self.folder / "tls.ext").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:shop.example\nbasicConstraints=CA:FALSE\n")
        openssl("x509", "-req", "-in", "tls.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-out", "tls.pem", "-days", "20", "-extfile", "tls.ext")
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "sign.key", "-out", "sign.pem", "-days", "30", "-subj",
                "/CN=Signing certificate", "-addext", "keyUsage=critical,digitalSignature")
        openssl("pkcs12", "-export", "-inkey", "sign.key", "-in", "sign.pem", "-out", "sign.p12", "-passout", "pass:000000")

    def run(self, *arguments, environment=None, status=0, given=None):
        """One command of the program, to its end; its standard output."""
        ending = subprocess.run(
            [str(PROGRAM), *arguments], capture_output=True, text=True, timeout=120, input=given,
            env={**os.environ, **getattr(self, "environment", {}), **(environment or {})})
        assert ending.returncode == status, f"{arguments}: {ending.returncode}\n{ending.stdout}\n{ending.stderr}"
        return ending.stdout + ending.stderr if status else ending.stdout

    def import_key(self, name, kind):
        """A key made, requested, certified by the office, and imported, each by its command."""
        key, request, certificate = (self.path(f"{name}.{end}") for end in ["key", "csr", "pem"])
        self.run("keys", "make", "--kind", "ec" if name.startswith("ec") else "rsa", "--out", key)
        self.run("keys", "csr", "--merchant", MERCHANT, "--key", key, "--kind", kind, "--out", request)
        with urllib.request.urlopen(urllib.request.Request(
                f"{self.sandbox}/certificates/{kind}?activate=true", data=pathlib.Path(request).read_bytes(), method="POST")) as answer:
            pathlib.Path(certificate).write_bytes(answer.read())
        self.run("keys", "import", certificate, "--key", key, "--store", self.path("tea"))
        os.unlink(key)

    def import_signing_key(self):
        pathlib.Path(self.path("password")).write_text("000000\n")
        self.run("keys", "import", self.path("sign.p12"), "--password-file", self.path("password"), "--store", self.path("tea"))
        body = {"merId": ACQUIRER_ID, "certificate": pathlib.Path(self.path("sign.pem")).read_text()}
        urllib.request.urlopen(urllib.request.Request(
            f"{self.sandbox}/unionpay/control/merchants", data=json.dumps(body).encode(), method="POST",
            headers={"content-type": "application/json"})).close()
        with urllib.request.urlopen(f"{self.sandbox}/unionpay/control/certificates") as answer:
            pathlib.Path(self.path("unionpay.pem")).write_bytes(answer.read())

    def write_merchants(self, name, identifier, **changes):
        gateway = f"https://127.0.0.1:{self.front.port}/unionpay"
        (self.folder / "association").write_bytes(b"proof of the domain")
        (self.folder / name).write_text(json.dumps({
            "unionPay": {
                "transaction": f"{gateway}/gateway/api/backTransReq.do", "query": f"{gateway}/gateway/api/queryTrans.do",
                "file": f"{gateway}/file/", "trust": "unionpay.pem"},
            "merchants": [{
                "id": "tea", "applePayIdentifier": identifier, "displayName": "Tea 茶", "domains": [DOMAIN],
                "unionPayMerchantID": ACQUIRER_ID, "keys": "tea", "domainAssociation": "association", **changes}]}))

    def arguments(self, mode, data, merchants="merchants.json"):
        self.public, self.console = free_ports(2)
        return [
            "--mode", mode, "--roles", "card-payments,console", "--listen", f"127.0.0.1:{self.public}", "--console",
            f"0.0.0.0:{self.console}", "--tls-certificate", self.path("tls.pem"), "--tls-key", self.path("tls.key"), "--data",
            self.path(data), "--merchants", self.path(merchants), "--outgoing-roots", self.path("ca.pem"), "--merchant-url",
            f"https://127.0.0.1:{self.public}"]

    def operator(self, database):
        return {"BILLFOLD_DATABASE": self.address(database)}

    def add_operator(self, name, roles, mode, address=None):
        self.run("operators", "add", name, "--roles", roles, "--data", self.path(mode), given=f"{PASSWORD}\n",
                 environment={"BILLFOLD_DATABASE": address or self.address(mode)})

    def type_password(self, *arguments, typed):
        """One command at a terminal of its own, where each line is typed when it is asked for; all that the terminal showed."""
        near, far = pty.openpty()
        process = subprocess.Popen(
            [str(PROGRAM), *arguments], stdin=far, stdout=far, stderr=far, env={**os.environ, **self.environment}, start_new_session=True)
        os.close(far)
        shown, lines = b"", list(typed)
        while True:
            try:
                shown += os.read(near, 4_096)
            except OSError:
                break
            if lines and shown.endswith(b": "):
                os.write(near, lines.pop(0).encode() + b"\n")
        os.close(near)
        return process.wait(60), shown.decode()

    def spawn(self, name, *arguments, environment=None):
        with open(self.path(f"{name}.log"), "ab") as log:
            process = subprocess.Popen(
                [str(PROGRAM), "serve", *arguments], stdout=log, stderr=subprocess.STDOUT,
                env={**os.environ, **getattr(self, "environment", {}), **(environment or {})})
        process.log = self.path(f"{name}.log")
        self.processes.append(process)
        return process

    def serve(self, mode, *arguments):
        self.run("db", "migrate", "--kind", "cards", environment=self.operator(mode))
        self.add_operator("chief", "viewer,operator,approver,administrator", mode)
        process = self.spawn(mode, *self.arguments(mode, mode), *arguments, environment=self.operator(mode))
        wire, console = Wire(self.public, self.path("ca.pem")), Wire(self.console, self.path("ca.pem"))
        self.wait(lambda: wire.ask("GET", "/readyz")[0] == 200 and console.ask("GET", "/healthz")[0] == 200, process)
        return process, wire, console

    @staticmethod
    def wait(condition, process, patience=120):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if process.poll() is not None:
                break
            try:
                if condition():
                    return
            except OSError:
                pass
            time.sleep(0.2)
        raise AssertionError(f"not ready:\n{pathlib.Path(process.log).read_text()[-4000:]}")

    def api_key(self, mode):
        return self.run(
            "keys", "api-key", "--merchant", "tea", "--label", "shop", "--data", self.path(mode),
            environment=self.operator(mode)).strip()

    def token(self, order, certificate):
        """A token of the sandbox's wallet for the order."""
        made = json.loads(self.run(
            "apple-pay", "make-token", "--authority", self.path("sandbox/wallet"), "--certificate", self.path(f"{certificate}.pem"),
            "--amount", order["total"], "--application-data-base64", order["applicationData"], "--native", "--output",
            self.path("token"), "--json"))
        return {
            "paymentData": base64.b64encode(pathlib.Path(self.path("token")).read_bytes()).decode(),
            "transactionIdentifier": made["transactionIdentifier"]}

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
        for close in self.closing:
            close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Express:
    """An order gateway and a wallet, each with a folder, stores and a console of its own, and a merchant with a key."""

    partner, app_id, customer = "2088000000000707", "2021000000000707", "2088000000001001"
    login = ("lan@example.com", "first flush of spring", "314159")

    def __init__(self, home, name):
        self.home, self.name = home, name
        self.gateway_port, self.gateway_console, self.wallet_port, self.wallet_console = free_ports(4)
        self.gateway, self.wallet = (f"https://127.0.0.1:{port}" for port in (self.gateway_port, self.wallet_port))
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        public = self.key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.keys = {each: secrets.token_urlsafe(32) for each in ("wallet-link.key", "gateway-link.key")}
        for folder in ("gateway", "wallet"):
            os.mkdir(self.path(folder), 0o700)
            for each, key in self.keys.items():
                self.write(f"{folder}/{each}", key)
        self.configuration = {
            "origin": self.gateway,
            "wallets": [{
                "id": "ALIPAY_CN", "origin": self.wallet, "key": "gateway/wallet-link.key", "credential": "gateway/gateway-link.key"}],
            "merchants": [{
                "partner": self.partner, "name": "Two Leaves Tea",
                "applications": [{"appID": self.app_id, "rsa2": base64.b64encode(public).decode()}]}]}
        self.configure()

    def path(self, name):
        return self.home.path(f"{self.name}-{name}")

    def write(self, name, text):
        path = pathlib.Path(self.path(name))
        path.touch(mode=0o600)
        path.write_text(text)

    def configure(self, **changes):
        """The gateway's file, with these members instead of its own."""
        configuration = json.dumps({**self.configuration, **changes})
        for folder in ("gateway", "wallet"):
            configuration = configuration.replace(f'"{folder}/', f'"{self.name}-{folder}/')
        self.write("gateway.json", configuration)
        self.write("super-app.json", json.dumps({
            "origin": self.wallet, "name": "ALIPAY_CN", "scheme": "walletapp", "codeHost": "mp.wallet.example",
            "workspaces": [{"workspaceId": "own", "kind": "LOCAL_MINI_PROGRAM", "name": "Own"}]}))

    def arguments(self, role, **without):
        """What a process is started with; a flag that is set to `None` is left out."""
        port, console = (self.gateway_port, self.gateway_console) if role == "gateway" else (self.wallet_port, self.wallet_console)
        flags = {
            "mode": "production", "roles": ("alipay-gateway" if role == "gateway" else "wallet") + ",console",
            "listen": f"127.0.0.1:{port}", "console": f"0.0.0.0:{console}", "tls-certificate": self.home.path("tls.pem"),
            "tls-key": self.home.path("tls.key"), "data": self.path(role), "outgoing-roots": self.home.path("ca.pem"),
            **({"alipay": self.path("gateway.json")} if role == "gateway" else {
                "alipay-gateway-url": self.gateway, "super-app": self.path("super-app.json")}), **without}
        return [word for flag, value in flags.items() if value is not None for word in (f"--{flag}", value)]

    def environment(self, role):
        names = {"gateway": "BILLFOLD_ALIPAY_DATABASE", "wallet": "BILLFOLD_WALLET_DATABASE"}
        return {
            "BILLFOLD_DATABASE": self.home.address(f"{self.name}_{role}_console"),
            names[role]: self.home.address(f"{self.name}_{role}")}

    def start(self, role, **flags):
        for name in (f"{self.name}_{role}", f"{self.name}_{role}_console"):
            port = str(self.home.cluster.port)
            subprocess.run(["createdb", "-h", "127.0.0.1", "-p", port, "-U", "billfold", name], check=True)
        environment = self.environment(role)
        self.home.run("db", "migrate", "--kind", "cards", environment=environment)
        for name in ("chief", "deputy"):
            self.home.run(
                "operators", "add", name, "--roles", "viewer,operator,approver,administrator", "--data", self.path(role),
                given=f"{PASSWORD}\n", environment=environment)
        process = self.home.spawn(f"{self.name}-{role}", *self.arguments(role, **flags), environment=environment)
        ports = (self.gateway_port, self.gateway_console) if role == "gateway" else (self.wallet_port, self.wallet_console)
        wire, console = (Wire(port, self.home.path("ca.pem")) for port in ports)
        self.home.wait(lambda: wire.ask("GET", "/readyz")[0] == 200 and console.ask("GET", "/healthz")[0] == 200, process)
        return process, wire, console

    def message(self, method, content, **more):
        return urllib.parse.urlencode(modern(self.key, self.app_id, method, content, **more))

    def order(self, number, notify_url="https://shop.example/notify"):
        content = {"out_trade_no": number, "total_amount": "9.00", "subject": "Tea", "product_code": "QUICK_MSECURITY_PAY"}
        return self.message("alipay.trade.app.pay", content, notify_url=notify_url)

    def open_account(self):
        self.write("login.txt", self.login[1])
        self.write("payment.txt", self.login[2])
        return self.home.run(
            "alipay", "open-account", "--data", self.path("wallet"), "--number", self.customer, "--name", "Lan Tran", "--email", self.login[0],
            "--phone", "+8613900001001", "--login-password-file", self.path("login.txt"), "--payment-password-file",
            self.path("payment.txt"), environment=self.environment("wallet"))


class Acquiring:
    """An acquiring gateway with a folder, a store and a console of its own, one acquirer, and one wallet, that of an `Express`."""

    client, acquirer, wallet_client, merchant = "ACQUIRER_1", "1022188000000001", "WALLET_1", "MER-0001"
    wallet_id = "1022166000000000001"

    def __init__(self, home, express):
        self.home, self.express, self.key = home, express, new_key()
        self.port, self.console_port = free_ports(2)
        self.origin = f"https://127.0.0.1:{self.port}"
        os.mkdir(self.path("gateway"), 0o700)
        handed = self.public_keys("gateway", self.path("gateway"))
        self.gateway_key = serialization.load_der_public_key(base64.b64decode(handed["forAcquirers"][0]["publicKey"]))
        self.wallet_keys = self.public_keys("wallet", express.path("wallet"))["keys"]
        self.wallet = {
            "clientId": self.wallet_client, "pspId": self.wallet_id, "origin": express.wallet, "gateway": self.origin,
            "gatewayKeys": handed["forWallets"], "minimum": "10", "maximum": "5000000"}
        page = f"{express.wallet}/wallet/alipay-plus/open"
        self.configuration = {
            "origin": self.origin,
            "acquirers": [{
                "clientId": self.client, "acquirerId": self.acquirer, "name": "Corner Acquiring",
                "keys": [{"version": 1, "publicKey": public_key(self.key)}], "notifyUrl": "https://acquirer.example/notify",
                "settlementCurrency": "CNY", "agreementId": "AG-1", "feePercent": "0.8",
                "merchants": [{"id": self.merchant, "name": "Corner Tea", "mcc": "5411"}]}],
            "wallets": [{
                "clientId": self.wallet_client, "pspId": self.wallet_id, "paymentMethodType": "ALIPAY_CN", "brand": "Alipay",
                "region": "CN", "currency": "CNY", "minimum": "10", "maximum": "5000000",
                "scenarios": ["cashier", "orderCode", "entryCode"], "keys": self.wallet_keys,
                "origin": f"{express.wallet}/wallet/alipay-plus", "links": {"normal": page}, "codeIssuer": "281005"}],
            "rates": {"since": "2026-11-20T08:00:00+08:00", "perDollar": [{"currency": "CNY", "price": "7.1234"}]}}
        self.configure()

    def path(self, name):
        return self.home.path(f"{self.express.name}-plus-{name}")

    def public_keys(self, party, folder):
        return json.loads(self.home.run("alipay-plus", "public-keys", party, "--data", folder, "--json"))

    def configure(self, wallet=None, **changes):
        """The gateway's and the wallet's file, with these members instead of their own."""
        for name, content in (("gateway.json", {**self.configuration, **changes}), ("wallet.json", {**self.wallet, **(wallet or {})})):
            pathlib.Path(self.path(name)).write_text(json.dumps(content))

    def arguments(self, **without):
        flags = {
            "mode": "production", "roles": "alipay-plus,console", "listen": f"127.0.0.1:{self.port}",
            "console": f"0.0.0.0:{self.console_port}", "tls-certificate": self.home.path("tls.pem"), "tls-key": self.home.path("tls.key"),
            "data": self.path("gateway"), "outgoing-roots": self.home.path("ca.pem"), "alipay-plus": self.path("gateway.json"), **without}
        return [word for flag, value in flags.items() if value is not None for word in (f"--{flag}", value)]

    def start(self):
        names = {f"{self.express.name}_plus_console": "BILLFOLD_DATABASE", f"{self.express.name}_plus": "BILLFOLD_ALIPAY_PLUS_DATABASE"}
        for name in names:
            port = str(self.home.cluster.port)
            subprocess.run(["createdb", "-h", "127.0.0.1", "-p", port, "-U", "billfold", name], check=True)
        environment = {variable: self.home.address(name) for name, variable in names.items()}
        self.home.run("db", "migrate", "--kind", "cards", environment=environment)
        self.home.run(
            "operators", "add", "chief", "--roles", "viewer", "--data", self.path("gateway"), given=f"{PASSWORD}\n",
            environment=environment)
        process = self.home.spawn(f"{self.express.name}-plus", *self.arguments(), environment=environment)
        wire, console = (Wire(port, self.home.path("ca.pem")) for port in (self.port, self.console_port))
        self.home.wait(lambda: wire.ask("GET", "/readyz")[0] == 200 and console.ask("GET", "/healthz")[0] == 200, process)
        return process, wire

    def call(self, wire, api, body, key=None):
        """A signed call; the answer, whose signature is the gateway's. To one by a key that is not the acquirer's nothing is signed."""
        path, sent = f"/aps/api/v1/{api}", json.dumps(body).encode()
        status, answer, headers = wire.ask("POST", path, sent, signed_headers(key or self.key, self.client, path, sent))
        assert status == 200, (status, answer)
        if key:
            assert "signature" not in headers, headers
            return json.loads(answer)
        signature = urllib.parse.unquote(re.search("signature=(.*)", headers["signature"])[1])
        text = f"POST {path}\n{self.client}.{headers['response-time']}.".encode() + answer
        self.gateway_key.verify(base64.b64decode(signature), text, padding.PKCS1v15(), hashes.SHA256())
        return json.loads(answer)

    def pay_request(self, number, value, **more):
        amount = {"currency": "CNY", "value": value}
        return {
            "paymentRequestId": number, "paymentAmount": amount,
            "order": {
                "referenceOrderId": number, "orderDescription": "green tea", "orderAmount": amount, "env": {"terminalType": "WEB"},
                "merchant": {"referenceMerchantId": self.merchant, "merchantMCC": "5411", "merchantName": "Corner Tea"}},
            "paymentMethod": {"paymentMethodType": "CONNECT_WALLET"}, "paymentFactor": {"isCashierPayment": True},
            "paymentRedirectUrl": "https://acquirer.example/return", **more}


class ProductionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.installation = Installation()
        cls.addClassCleanup(cls.installation.close)

    def place(self, wire, key, reference):
        status, order = wire.json("POST", "/v1/orders", {
            "reference": reference, "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Tea",
            "lines": [{"label": "Song", "unitAmount": "16.50", "quantity": 2, "taxRate": "0"}]}, bearer=key, key=reference)
        self.assertEqual(status, 201, order)
        return order

    def pay(self, wire, order, token, key):
        return wire.json("POST", f"/v1/orders/{order['id']}/payments", {"token": token}, bearer=order["clientSecret"], key=key)

    def sign_in(self, console, name="chief", password=PASSWORD):
        status, body, headers = console.ask(
            "POST", "/api/session", {"name": name, "password": password}, {"content-type": "application/json"})
        self.assertEqual(status, 200, body)
        return headers["set-cookie"].split(";")[0], json.loads(body)["csrfToken"]

    def refused(self, code, status, *arguments, database="production", environment=None):
        """Starting ends with that code."""
        said = self.installation.run(
            "serve", *arguments, environment={**self.installation.operator(database), **(environment or {})}, status=status)
        self.assertIn(code, said)
        return said

    def test_production(self):
        home = self.installation
        process, wire, console = home.serve("production")
        key = home.api_key("production")
        self.assertTrue(key.startswith("bf_live_"))
        self.assertNotIn(key, pathlib.Path(process.log).read_text())

        with self.subTest("keys lie sealed, and the log names them"):
            for file in pathlib.Path(home.path("tea")).glob("*.key.pem"):
                self.assertIn("BILLFOLD SEALED KEY", file.read_text())
            self.assertGreater(len(pathlib.Path(home.path("production/hashing.key")).read_bytes()), 32)
            self.assertIn("publicKeyHash", pathlib.Path(process.log).read_text())

        with self.subTest("plain HTTP is not answered"):
            with self.assertRaises((ConnectionError, http.client.HTTPException)):
                plain = http.client.HTTPConnection("127.0.0.1", home.public, timeout=10)
                plain.request("GET", "/readyz")
                plain.getresponse()

        with self.subTest("an order is made and quoted, and the token is refused as untrusted"):
            self.assertEqual(wire.json("POST", "/v1/orders", {}, bearer="bf_live_" + "0" * 64, key="x")[0], 401)
            order = self.place(wire, key, "P-1")
            self.assertEqual(wire.json("GET", f"/v1/orders/{order['id']}", bearer=key)[1]["state"], "open")
            status, quote = wire.json("POST", f"/v1/orders/{order['id']}/quote", {}, bearer=order["clientSecret"])
            self.assertEqual((status, quote["total"]), (200, "33.00"), quote)
            status, answer = self.pay(wire, order, home.token(order, "ec"), "pay-1")
            self.assertEqual((status, answer["error"]["code"]), (422, "token-refused"))
            self.assertEqual(wire.json("GET", f"/v1/orders/{order['id']}", bearer=key)[1]["payments"], [])

        with self.subTest("the domain is proved"):
            for end in ["", ".txt"]:
                status, body, _ = wire.ask(
                    "GET", f"/.well-known/apple-developer-merchantid-domain-association{end}", headers={"host": DOMAIN})
                self.assertEqual((status, body), (200, b"proof of the domain"))

        with self.subTest("operators sign in"):
            self.assertEqual(console.ask("GET", "/metrics")[0], 401)
            status, _, headers = console.ask("GET", "/", headers={"accept": "text/html"})
            self.assertEqual((status, headers["location"].split("?")[0]), (303, "/sign-in"))
            cookie, csrf = self.sign_in(console)
            status, metrics, _ = console.ask("GET", "/metrics", headers={"cookie": cookie})
            self.assertEqual(status, 200)
            text = metrics.decode()
            self.assertIn('card_payments_tokens_refused_total{code="untrusted-root"} 1', text)
            self.assertRegex(text, r'merchant_certificate_days_left\{[^}]*purpose="processing"[^}]*\} \d+')

            with self.subTest("what exists in test mode alone is absent"):
                for path in ["/api/sandbox/plans/12345678", "/api/sandbox/clock"]:
                    status, body, _ = console.ask("POST", path, {}, {"cookie": cookie, "x-csrf-token": csrf})
                    self.assertEqual(status, 404, body)
                self.assertEqual(wire.ask("GET", "/unionpay/control/merchants")[0], 404)

            self.assertEqual(console.ask("DELETE", "/api/session", headers={"cookie": cookie})[0], 403)
            self.assertEqual(console.ask("DELETE", "/api/session", headers={"cookie": cookie, "x-csrf-token": csrf})[0], 204)
            self.assertEqual(console.ask("GET", "/metrics", headers={"cookie": cookie})[0], 401)

        with self.subTest("guessing a password is limited"):
            answers = []
            for attempt in range(40):
                status, _, _ = console.ask(
                    "POST", "/api/session", {"name": "chief", "password": f"wrong {attempt}"}, {"content-type": "application/json"})
                answers.append(status)
                if status == 429:
                    break
            self.assertEqual(answers[0], 401)
            self.assertEqual(answers[-1], 429, answers)

        with self.subTest("an API key is ended by its label"):
            home.run("keys", "api-key", "--merchant", "tea", "--label", "shop", "--revoke", "--data", home.path("production"),
                     environment=home.operator("production"))
            self.assertEqual(wire.json("GET", f"/v1/orders/{order['id']}", bearer=key)[0], 401)

    def test_production_refuses_to_start(self):
        home = self.installation
        base = home.arguments("production", "refused")
        for code, status, arguments in [
            ("key-unusable", 1, home.arguments("production", "refused", "other.json")),
            ("configuration-invalid", 64, home.arguments("production", "refused", "misspelt.json")),
            ("configuration-invalid", 64, [*base[:base.index("--merchants")], *base[base.index("--merchants") + 2:]]),
            ("configuration-invalid", 64, [*base, "--roles", "card-payments,unionpay"]),
            ("configuration-invalid", 64, [*base, "--apple-pay-url", "https://127.0.0.1:1"]),
        ]:
            home.write_merchants("other.json", "merchant.example.coffee")
            home.write_merchants("misspelt.json", MERCHANT, domain=["x.example"])
            with self.subTest(code, arguments=arguments):
                said = self.refused(code, status, *arguments)
                if code == "key-unusable":
                    self.assertIn("merchant-matches", said)
        self.refused("keys-not-sealed", 64, *base, environment={"BILLFOLD_KEY_ENCRYPTION_KEY_FILE": ""})
        self.refused("is sealed, and no key-encryption key was given", 1, *base, "--plain-keys", environment={"BILLFOLD_KEY_ENCRYPTION_KEY_FILE": ""})

    def test_order_gateway_and_wallet(self):
        home = self.installation
        express = Express(home, "express")
        gateway_process, gateway, gateway_console = express.start("gateway")
        wallet_process, wallet, wallet_console = express.start("wallet")
        self.believe_the_authority()
        logs = [pathlib.Path(process.log) for process in (gateway_process, wallet_process)]
        handed = json.loads(home.run(
            "alipay", "merchant-keys", "--data", express.path("gateway"), "--partner", express.partner,
            environment=express.environment("gateway")))
        gateway_key = serialization.load_der_public_key(base64.b64decode(handed["applications"][0]["gatewayKey"]))

        def call(method, content):
            """A signed call; the answer's node, whose signature is the application's own key's."""
            status, body, _ = gateway.ask("GET", "/gateway.do?" + express.message(method, content))
            self.assertEqual(status, 200)
            name = method.replace(".", "_") + "_response"
            answer = json.loads(body)
            text = body[body.index(b":") + 1:body.index(b',"sign":')]
            gateway_key.verify(base64.b64decode(answer["sign"]), text, padding.PKCS1v15(), hashes.SHA256())
            return answer[name]

        def shown(order):
            return gateway.json(
                "POST", "/link/v1/orders", {"requestId": secrets.token_hex(8), "order": order, "channel": "app"},
                bearer=express.keys["wallet-link.key"])

        with self.subTest("plain HTTP is not answered"):
            for port in (express.gateway_port, express.wallet_port):
                with self.assertRaises((ConnectionError, http.client.HTTPException)):
                    plain = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                    plain.request("GET", "/readyz")
                    plain.getresponse()

        with self.subTest("keys lie sealed"):
            for file in ("hashing.key", "alipay-partners.key", "alipay-platform.key", "alipay-authority.key"):
                data = pathlib.Path(express.path(f"gateway/{file}")).read_bytes()
                self.assertGreater(len(data), 32, file)
                self.assertNotIn(b"PRIVATE KEY", data, file)

        with self.subTest("what exists in test mode alone is absent"):
            for wire, method, path in [
                (gateway, "POST", "/onboarding/v1/merchants"), (gateway, "PUT", "/clock"), (gateway, "GET", "/alipay-shop/"),
                (wallet, "PUT", "/clock"), (wallet, "GET", "/alipay-shop/"), (wallet, "POST", "/onboarding/v1/super-app"),
            ]:
                self.assertEqual(wire.ask(method, path, {})[0], 404, path)
            for console in (gateway_console, wallet_console):
                cookie, csrf = self.sign_in(console)
                self.assertEqual(console.ask("POST", "/api/sandbox/clock", {}, {"cookie": cookie, "x-csrf-token": csrf})[0], 404)

        with self.subTest("consoles ask who it is"):
            for console, path in ((gateway_console, "/gateway"), (wallet_console, "/alarms")):
                status, _, headers = console.ask("GET", path, headers={"accept": "text/html"})
                self.assertEqual((status, headers["location"].split("?")[0]), (303, "/sign-in"))
            self.assertEqual(gateway_console.ask("POST", "/api/gateway/refunds/2088000000000707/0/resend", {"remark": "x"})[0], 401)

        with self.subTest("two people register whose mini programs the wallet hosts"):
            public = express.configuration["merchants"][0]["applications"][0]["rsa2"]
            self.approvals(wallet_console)("oauth-client", "tea-client", {
                "authClientId": "tea-client", "name": "Tea", "keys": [{"version": 1, "publicKey": public}], "apps": ["2026112200000001"]})
            self.assertEqual(wallet.json("GET", "/mini-programs/v1/apps?container=1.0.0"), (200, {"apps": []}))
            page = wallet_console.ask("GET", "/mini-programs", headers={"accept": "text/html", "cookie": self.sign_in(wallet_console)[0]})
            self.assertIn(b"tea-client", page[1])
            self.assertEqual(page[1].count(b"BEGIN PUBLIC KEY"), 2)

        with self.subTest("the link takes its own key alone"):
            self.assertEqual(gateway.json("POST", "/link/v1/orders", {}, bearer="x" * 32)[0], 401)
            self.assertEqual(wallet.json("GET", "/wallet/link/v1/books?day=2026-01-01", bearer=express.keys["wallet-link.key"])[0], 401)

        with self.subTest("notifications go to public addresses alone"):
            for url in ("https://127.0.0.1:9/notify", "http://10.0.0.1/notify", "https://169.254.169.254/", "http://[::1]/notify"):
                status, refusal = shown(express.order("PRIVATE", url))
                self.assertEqual((status, refusal["error"]["code"]), (403, "ALIN42273"), url)
            self.assertEqual(shown(express.order("PUBLIC"))[0], 200)

        with self.subTest("there are no customers but those that were opened, and they begin frozen"):
            self.assertEqual(self.logged_in(express, MEI), (401, "/login"))
            self.assertIn("frozen", express.open_account())
            self.assertEqual(self.logged_in(express, express.login), (401, "/login"))

        with self.subTest("two people let a customer pay"):
            approve = self.approvals(wallet_console)
            approve("wallet-thaw", express.customer, {"reason": "identity was checked"})
            approve("wallet-top-up", express.customer, {"amount": {"amount": "100.00", "currency": "CNY"}, "reason": "transfer 1"})
            self.assertEqual(pay(express.wallet, express.order("P_1"), express.login)["resultStatus"], "9000")
            trade = call("alipay.trade.query", {"out_trade_no": "P_1"})
            self.assertEqual((trade["trade_status"], trade["total_amount"]), ("TRADE_SUCCESS", "9.00"))

        with self.subTest("money goes back and both books say the same"):
            refund = call("alipay.trade.refund", {"out_trade_no": "P_1", "refund_amount": "4.00", "out_request_no": "R1"})
            self.assertEqual((refund["code"], refund["fund_change"]), ("10000", "Y"))
            cookie, _ = self.sign_in(gateway_console, "deputy")

            def page(path):
                status, body, _ = gateway_console.ask("GET", path, headers={"cookie": cookie, "accept": "text/html"})
                self.assertEqual(status, 200, path)
                return body.decode()

            home.wait(lambda: "data-none-owed" in page("/gateway"), gateway_process, 60)
            books = json.loads(page("/api/gateway/books"))
            self.assertEqual((books["differences"], len(books["lines"]), books.get("problem")), (0, 2, None), books)

        with self.subTest("no log holds a key or a password"):
            for log in logs:
                for secret in (*express.keys.values(), express.login[1], PASSWORD):
                    self.assertNotIn(secret, log.read_text())

    def logged_in(self, express, customer):
        """Where a customer ends who logs in at the cashier."""
        browser = Browser(express.wallet)
        status, session, text = browser.ask("POST", "/cashier", {"order": express.order(f"L{secrets.token_hex(4)}")})
        self.assertEqual(status, 200, text[:500])
        _, _, text = browser.ask("GET", f"{session}/login")
        status, path, _ = browser.submit(Page(text), "/login", {"name": customer[0], "password": customer[1]})
        return status, path.removeprefix(session)

    def approvals(self, console):
        """What one operator asks for and another approves."""
        people = []
        for name in ("chief", "deputy"):
            cookie, csrf = self.sign_in(console, name)
            people.append({"cookie": cookie, "x-csrf-token": csrf, "content-type": "application/json"})

        def approve(kind, subject, detail):
            status, body, _ = console.ask("POST", "/api/approvals", {"kind": kind, "subject": subject, "detail": json.dumps(detail)}, people[0])
            self.assertEqual(status, 202, body)
            path = f"/api/approvals/{json.loads(body)['id']}/approval"
            status, body, _ = console.ask("POST", path, {}, people[0])
            self.assertEqual((status, json.loads(body)["error"]["code"]), (403, "same-person"))
            status, body, _ = console.ask("POST", path, {}, people[1])
            self.assertEqual((status, json.loads(body)["state"]), (200, "done"), body)

        return approve

    def believe_the_authority(self):
        """Python's own connections believe the test's authority until the test ends."""
        os.environ["SSL_CERT_FILE"] = self.installation.path("ca.pem")
        self.addCleanup(os.environ.pop, "SSL_CERT_FILE", None)

    def test_acquiring_gateway_and_wallet(self):
        home = self.installation
        express = Express(home, "acquiring")
        acquiring = Acquiring(home, express)
        gateway_process, gateway = acquiring.start()
        wallet_process, wallet, wallet_console = express.start("wallet", **{"alipay-plus-wallet": acquiring.path("wallet.json")})
        self.believe_the_authority()
        express.open_account()
        approve = self.approvals(wallet_console)
        approve("wallet-thaw", express.customer, {"reason": "identity was checked"})
        approve("wallet-top-up", express.customer, {"amount": {"amount": "100.00", "currency": "CNY"}, "reason": "transfer 1"})

        with self.subTest("keys lie sealed"):
            for file in (
                    acquiring.path("gateway/alipay-plus-acquirers.key"), acquiring.path("gateway/alipay-plus-wallets.key"),
                    express.path("wallet/wallet-alipay-plus.key")):
                self.assertNotIn(b"PRIVATE KEY", pathlib.Path(file).read_bytes(), file)

        with self.subTest("nobody registers over HTTP"):
            for path in ("/onboarding/v1/acquirers", "/onboarding/v1/wallets"):
                self.assertEqual(gateway.ask("POST", path, {})[0], 404)

        with self.subTest("a key that is not the acquirer's, and an address that is private"):
            refused = acquiring.call(gateway, "payments/pay", acquiring.pay_request("A_0", "900"), key=new_key())
            self.assertEqual(refused["result"]["resultCode"], "INVALID_SIGNATURE")
            private = acquiring.pay_request("A_0", "900", paymentNotifyUrl="https://127.0.0.1/notify")
            self.assertEqual(acquiring.call(gateway, "payments/pay", private)["result"]["resultCode"], "PARAM_ILLEGAL")

        with self.subTest("a customer pays in the wallet, and the acquirer hears it"):
            request = acquiring.pay_request("A_1", "900")
            answer = acquiring.call(gateway, "payments/pay", request)
            self.assertEqual(answer["result"]["resultStatus"], "U", answer)
            self.assertTrue(answer["normalUrl"].startswith(f"{express.wallet}/wallet/alipay-plus/open?codeValue="), answer)
            self.assertIn("paid", self.confirmed(express, answer["normalUrl"].removeprefix(express.wallet)))

            def paid():
                return acquiring.call(gateway, "payments/inquiryPayment", {"paymentRequestId": "A_1"})["paymentResult"]["resultStatus"] == "S"

            home.wait(paid, gateway_process, 60)
            again = acquiring.call(gateway, "payments/pay", request)
            self.assertEqual((again["result"]["resultStatus"], again["walletBrandName"]), ("S", "Alipay"), again)

        with self.subTest("a part goes back to the customer"):
            refund = {"paymentRequestId": "A_1", "refundRequestId": "R_1", "refundAmount": {"currency": "CNY", "value": "400"}}
            home.wait(
                lambda: acquiring.call(gateway, "payments/refund", refund)["result"]["resultStatus"] == "S", gateway_process, 60)
            _, _, home_page = self.customer.ask("GET", "/wallet")
            self.assertIn("95.00", home_page)

        with self.subTest("no log holds a key or a password"):
            for process in (gateway_process, wallet_process):
                log = pathlib.Path(process.log).read_text()
                for secret in (*express.keys.values(), *express.login[1:], PASSWORD):
                    self.assertNotIn(secret, log)

    def confirmed(self, express, path):
        """What became of a payment that a customer logs in for and confirms."""
        self.customer = Browser(express.wallet)
        status, _, text = self.customer.ask("GET", path)
        self.assertEqual(status, 200, text[:500])
        status, path, text = self.customer.submit(
            Page(text), path.removeprefix("/wallet/alipay-plus/open"), {"name": express.login[0], "password": express.login[1]})
        self.assertIn("/payments/", path, text[:2000])

        def shows(kind):
            return f"/{kind}\"" in self.customer.ask("GET", path)[2]

        end = time.monotonic() + 30
        while not shows("confirm") and time.monotonic() < end:
            time.sleep(0.2)
        _, _, text = self.customer.ask("GET", path)
        _, _, text = self.customer.submit(Page(text), "/confirm", {"password": express.login[2]})
        return re.search('data-outcome="([a-z]+)"', text)[1]

    def test_acquiring_gateway_and_wallet_refuse_to_start(self):
        express = Express(self.installation, "refused-acquiring")
        acquiring = Acquiring(self.installation, express)

        def refused(reason, arguments):
            with self.subTest(reason):
                said = self.installation.run("serve", *arguments, environment={
                    "BILLFOLD_DATABASE": express.path("console.sqlite"), "BILLFOLD_WALLET_DATABASE": express.path("wallet.sqlite"),
                    "BILLFOLD_ALIPAY_PLUS_DATABASE": acquiring.path("gateway.sqlite")}, status=64)
                self.assertIn("configuration-invalid", said)
                self.assertIn(reason, said)

        def wallet():
            return express.arguments("wallet", **{"alipay-plus-wallet": acquiring.path("wallet.json")})

        refused("production needs --alipay-plus", acquiring.arguments(**{"alipay-plus": None}))
        acquiring.configure(origin=acquiring.origin.replace("https", "http"))
        refused("HTTPS only", acquiring.arguments())
        for reason, change in [
            ("HTTPS only", {"gateway": acquiring.origin.replace("https", "http")}),
            ("HTTPS only", {"origin": express.wallet.replace("https", "http")}),
            ("gatewayKeys", {"gatewayKeys": []}), ("maximum", {"maximum": "1"}), ("colour", {"colour": "red"}),
        ]:
            acquiring.configure(wallet=change)
            refused(reason, wallet())

    def test_order_gateway_and_wallet_refuse_to_start(self):
        express = Express(self.installation, "refused-express")
        wallets, merchants = express.configuration["wallets"], express.configuration["merchants"]

        def refused(reason, role, **changes):
            with self.subTest(reason, role=role):
                said = self.installation.run(
                    "serve", *express.arguments(role, **changes), environment={
                        "BILLFOLD_DATABASE": express.path("console.sqlite"), "BILLFOLD_ALIPAY_DATABASE": express.path("gateway.sqlite"),
                        "BILLFOLD_WALLET_DATABASE": express.path("wallet.sqlite")}, status=64)
                self.assertIn("configuration-invalid", said)
                self.assertIn(reason, said)

        refused("production needs --alipay", "gateway", alipay=None)
        refused("sandbox", "gateway", roles="alipay-gateway,alipay-merchant")
        for reason, changes in [
            ("HTTPS only", {"origin": express.gateway.replace("https", "http")}),
            ("HTTPS only", {"wallets": [{**wallets[0], "origin": express.wallet.replace("https", "http")}]}),
            ("private origins", {"merchants": [{**merchants[0], "notifyOrigins": ["http://127.0.0.1:9100"]}]}),
            ("does not exist", {"wallets": [{**wallets[0], "key": "gateway/nothing.key"}]}),
            ("a gateway needs a merchant and a wallet", {"wallets": []}),
        ]:
            express.configure(**changes)
            refused(reason, "gateway")
        express.configure()
        os.chmod(express.path("gateway/wallet-link.key"), 0o640)
        refused("open to other users", "gateway")
        refused("HTTPS only", "wallet", **{"alipay-gateway-url": "http://127.0.0.1:1"})
        express.write("wallet/gateway-link.key", "short")
        refused("24 bytes", "wallet")
        express.write("wallet/gateway-link.key", express.keys["wallet-link.key"])
        refused("one key for each direction", "wallet")
        os.unlink(express.path("wallet/gateway-link.key"))
        refused("from the gateway", "wallet")

    def test_test_mode(self):
        """The same merchants over the same TLS on PostgreSQL, where the sandbox's root is believed."""
        home = self.installation
        with urllib.request.urlopen(f"{home.sandbox}/certificates/root") as root, \
                urllib.request.urlopen(f"{home.sandbox}/certificates/intermediate") as intermediate:
            apple = AppleEndpoint(home.path("tls.pem"), home.path("tls.key"), (root.read() + intermediate.read()).decode())
        self.addCleanup(apple.close)
        process, wire, console = home.serve(
            "test", "--certificates-url", home.sandbox, "--unionpay-url", home.sandbox, "--apple-pay-url", apple.origin)
        key = home.api_key("test")

        def paid(reference, certificate, token=None, order=None):
            order = order or self.place(wire, key, reference)
            status, answer = self.pay(wire, order, token or home.token(order, certificate), reference)
            self.assertEqual(status, 200, answer)
            home.wait(
                lambda: wire.json("GET", f"/v1/payments/{answer['payment']['id']}", bearer=key)[1]["state"] == "succeeded", process, 60)
            return answer["payment"]["id"]

        payment = paid("T-1", "ec")
        paid("T-2", "rsa")
        self.two_people_give_money_back(process, wire, console, key, payment)

        with self.subTest("a new key is taken over without a restart, and the old one goes on"):
            order = self.place(wire, key, "T-3")
            token = home.token(order, "ec")
            home.import_key("ec-new", "processing")
            home.wait(lambda: "the keys were exchanged" in pathlib.Path(process.log).read_text(), process, 60)
            paid("T-3", "ec", token, order)
            paid("T-4", "ec-new")

        with self.subTest("a web session is asked for with the identity certificate"):
            url = f"{apple.origin}/paymentservices/startSession"
            status, session, headers = wire.ask(
                "POST", "/v1/apple-pay/sessions", {"validationURL": url, "domain": DOMAIN},
                {"authorization": f"Bearer {key}", "content-type": "application/json"})
            self.assertEqual((status, session), (200, AppleEndpoint.answer))
            self.assertIn("no-store", headers["cache-control"])
            line, body, subject = apple.requests[0]
            self.assertEqual(line, "POST /paymentservices/startSession HTTP/1.1")
            self.assertEqual(body, {
                "merchantIdentifier": MERCHANT, "displayName": "Tea 茶", "initiative": "web", "initiativeContext": DOMAIN})
            self.assertEqual(subject, MERCHANT)
            other = AppleEndpoint(home.path("tls.pem"), home.path("tls.key"), pathlib.Path(home.path("ca.pem")).read_text())
            self.addCleanup(other.close)
            status, answer = wire.json(
                "POST", "/v1/apple-pay/sessions", {"validationURL": f"{other.origin}/paymentservices/startSession", "domain": DOMAIN},
                bearer=key)
            self.assertEqual((status, answer["error"]["code"], other.requests), (422, "validation-url-refused", []))

        with self.subTest("its database is refused in production"):
            arguments = home.arguments("production", "test")
            self.refused("mode-mismatch", 1, *arguments, database="test")

    def two_people_give_money_back(self, process, wire, console, key, payment):
        """The console listens on every address, over TLS. Its operators were added while it runs."""
        home = self.installation
        signed_in = {}
        for name, roles in [("lin", "viewer,operator,approver"), ("wang", "viewer,operator,approver"), ("eve", "viewer")]:
            home.add_operator(name, roles, "test")
            cookie, csrf = self.sign_in(console, name)
            signed_in[name] = {"cookie": cookie, "x-csrf-token": csrf, "content-type": "application/json"}

        def act(name, path, body=None):
            status, answer, _ = console.ask("POST", path, body or {}, signed_in[name])
            return status, json.loads(answer)

        def state():
            found = wire.json("GET", f"/v1/payments/{payment}", bearer=key)[1]
            return found["state"], [(each["amount"], each["state"]) for each in found["modifications"]]

        with self.subTest("a refund takes two people over TLS"):
            wish = {"kind": "refund", "subject": payment, "detail": json.dumps({"amount": "3.00", "reason": "late"})}
            status, refusal = act("eve", "/api/approvals", wish)
            self.assertEqual((status, refusal["error"]["code"]), (403, "role-required"))
            status, asked = act("lin", "/api/approvals", wish)
            self.assertEqual((status, asked["state"], asked["requestedBy"]), (202, "waiting", "lin"), asked)
            approval = f"/api/approvals/{asked['id']}/approval"
            for name, code in [("eve", "role-required"), ("lin", "same-person")]:
                status, refusal = act(name, approval)
                self.assertEqual((status, refusal["error"]["code"]), (403, code))
            self.assertEqual(state(), ("succeeded", []))
            status, done = act("wang", approval)
            self.assertEqual((status, done["state"], done["decidedBy"]), (200, "done", "wang"), done)
            home.wait(lambda: state() == ("partlyRefunded", [("3.00", "succeeded")]), process, 60)

        with self.subTest("the audit trail shows both, to administrators alone"):
            self.assertEqual(console.ask("GET", "/audit", headers=signed_in["wang"])[0], 403)
            cookie, _ = self.sign_in(console)
            status, page, _ = console.ask("GET", "/audit", headers={"cookie": cookie})
            self.assertEqual(status, 200)
            self.assertIn("the chain holds", page.decode())
            rows = [
                [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[dh][^>]*>.*?</t[dh]>", row)][2:]
                for row in re.findall(r"<tr>.*?</tr>", page.decode(), re.S)]
            for row in [
                ["lin", "approval.request.refund", payment, asked["id"]], ["lin", "approval.approved", asked["id"], "refused: same-person"],
                ["wang", "approval.approved", asked["id"], "done"], ["system", "approval.run.refund", payment, done["outcome"]],
            ]:
                self.assertIn(row, rows)

    def test_passwords_are_typed_unseen(self):
        home = self.installation
        store = home.path("typed/billfold.sqlite")
        os.mkdir(home.path("typed"), 0o700)
        home.run("db", "migrate", "--kind", "cards", "--database", store)
        add = ["operators", "add", "lin", "--roles", "viewer", "--data", home.path("typed")]
        status, shown = home.type_password(*add, typed=[PASSWORD, "something else"])
        self.assertEqual(status, 1, shown)
        self.assertIn("passwords-differ", shown)
        status, shown = home.type_password(*add, typed=[PASSWORD, PASSWORD])
        self.assertEqual(status, 0, shown)
        self.assertIn("lin can sign in as viewer", shown)
        self.assertNotIn(PASSWORD, shown)

    def test_postgresql_in_every_form(self):
        home = self.installation
        port = home.cluster.port
        pathlib.Path(home.path("service.conf")).write_text(f"[billfold]\nhost=127.0.0.1\nport={port}\nuser=billfold\ndbname=postgres\n")
        forms = {
            "URI": f"postgresql://billfold@127.0.0.1:{port}/postgres",
            "short scheme": f"postgres://billfold@127.0.0.1:{port}/postgres",
            "two hosts": f"postgresql://billfold@127.0.0.1:1,127.0.0.1:{port}/postgres",
            "keywords": f"host=127.0.0.1 port={port} user=billfold dbname=postgres",
            "socket": f"host={home.cluster.folder} port={port} user=billfold dbname=postgres",
            "service": "service=billfold",
        }
        home.run("db", "migrate", "--kind", "cards", "--database", forms["URI"])
        home.add_operator("chief", "administrator", "form URI", forms["URI"])
        for name, form in forms.items():
            with self.subTest(name):
                data = f"form {name}"
                self.started_on(form, data)
                self.assertEqual(list(pathlib.Path(home.path(data)).glob("*.sqlite")), [])

    def started_on(self, form, data):
        home = self.installation
        process = home.spawn(
            "form", *home.arguments("test", data), "--certificates-url", home.sandbox, "--unionpay-url", home.sandbox, "--database", form,
            environment={**home.operator("test"), "PGSERVICEFILE": home.path("service.conf")})
        wire = Wire(home.public, home.path("ca.pem"))
        home.wait(lambda: wire.ask("GET", "/readyz")[0] == 200, process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)

    def test_weak_postgresql_is_refused(self):
        port = self.installation.cluster.port
        for form in [
            f"postgresql://billfold@127.0.0.1:{port}/postgres?options=-csynchronous_commit%3Doff",
            f"host=127.0.0.1 port={port} user=billfold dbname=postgres options=-csynchronous_commit=local",
        ]:
            with self.subTest(form):
                said = self.refused("unsafe-settings", 1, *self.installation.arguments("production", "weak"), "--database", form)
                self.assertRegex(said, "synchronous_commit is (off|local), it must be on or remote_apply")


class FewDescriptorsTests(unittest.TestCase):
    """Strangers who connect leave descriptors for stores and for calls to others, on every listener alike."""

    @staticmethod
    def kept(origin, count=100):
        """How many of so many connections that say nothing a listener keeps."""
        address = urllib.parse.urlsplit(origin)
        strangers = [socket.create_connection((address.hostname, address.port), timeout=5) for _ in range(count)]
        time.sleep(2)
        kept = 0
        for stranger in strangers:
            stranger.setblocking(False)
            try:
                kept += stranger.recv(1) != b""
            except BlockingIOError:
                kept += 1
            except OSError:
                pass
            stranger.close()
        return kept

    def test_no_listener_takes_the_descriptors_of_stores(self):
        billfold = Billfold("--roles", "shop,console,alipay-plus")
        billfold.command = ["prlimit", "--nofile=240:240", *billfold.command]
        with billfold:
            for origin in (billfold.public, billfold.console, billfold.sandbox):
                with self.subTest(origin):
                    self.assertLess(self.kept(origin), 60)


if __name__ == "__main__":
    unittest.main(verbosity=2)
