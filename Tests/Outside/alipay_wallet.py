"""Drives the wallet's pages as a browser without script does, and stands in for a merchant that takes notifications."""
import base64
import datetime
import hashlib
import html.parser
import http.client
import http.server
import json
import threading
import time
import urllib.parse
import urllib.request
import uuid

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from parties import post

MEI = ("mei@example.test", "two-leaves-tea", "246810")
WEI = ("wei@example.test", "two-leaves-tea", "135791")


class Page(html.parser.HTMLParser):
    """The forms of a page, and where its links lead."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.links, self.form = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.form = {"action": attributes.get("action"), "fields": {}}
            self.forms.append(self.form)
        elif tag == "input" and self.form is not None and attributes.get("name"):
            self.form["fields"][attributes["name"]] = attributes.get("value") or ""
        elif tag == "a" and attributes.get("href"):
            self.links.append((attributes["href"], "data-way-back" in attributes))

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None


def connect(origin):
    """A connection, over TLS where the origin says so; what is trusted is what Python trusts by default."""
    parts = urllib.parse.urlsplit(origin)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.netloc, timeout=60)


class Browser:
    """One visitor: cookies by name, redirects followed within the origin."""

    def __init__(self, origin, patience=0):
        self.origin, self.cookies, self.patience = origin, {}, patience

    def ask(self, method, path, fields=None, headers=None):
        """Returns status, path and text of the page that it ends on. What a
        busy wallet has not taken is sent again, as often as patience says."""
        steps = 0
        while steps < 10:
            connection = connect(self.origin)
            sent = {"Accept": "text/html", "Cookie": "; ".join(f"{key}={value}" for key, value in self.cookies.items()), **(headers or {})}
            body = None
            if fields is not None:
                body = urllib.parse.urlencode(fields)
                sent |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": sent.get("Origin", self.origin)}
            connection.request(method, path, body, {key: value for key, value in sent.items() if value})
            answer = connection.getresponse()
            text = answer.read().decode()
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                name, _, value = cookie.split(";")[0].partition("=")
                self.cookies[name] = value
            connection.close()
            if answer.status == 503 and self.patience:
                self.patience -= 1
                time.sleep(int(answer.headers.get("Retry-After", 1)))
                continue
            if answer.status != 303:
                return answer.status, path, text
            method, path, fields, headers = "GET", answer.headers["Location"], None, None
            steps += 1
        raise AssertionError(f"{path} leads in circles")

    def submit(self, page, ending, values):
        """Sends the form whose action ends so, with these values filled in."""
        form = next(form for form in page.forms if (form["action"] or "").endswith(ending))
        return self.ask("POST", form["action"], {**form["fields"], **values})


def result_of(origin, path):
    connection = connect(origin)
    connection.request("GET", f"{path}/result")
    answer = connection.getresponse()
    assert answer.status == 200, answer.status
    body = answer.read()
    connection.close()
    return json.loads(body)


def until_password(origin, order, customer=MEI, patience=0):
    """An order that the customer has come to the password of: the trade is made. Returns browser, session and page."""
    browser = Browser(origin, patience)
    status, session, text = browser.ask("POST", "/cashier", {"order": order})
    assert status == 200 and session.startswith("/cashier/"), (status, session, text[:2000])
    _, _, text = browser.ask("GET", f"{session}/login")
    status, path, text = browser.submit(Page(text), "/login", {"name": customer[0], "password": customer[1]})
    assert path.endswith("/means"), (status, path, text[:2000])
    status, path, text = browser.submit(Page(text), "/means", {"means": "balance"})
    assert path.endswith("/password"), (status, path, text[:2000])
    return browser, session, text


def pay(origin, order, customer=MEI, patience=0):
    """Pays an order on the wallet's pages. Returns what the client is told."""
    browser, session, text = until_password(origin, order, customer, patience)
    browser.submit(Page(text), "/password", {"password": customer[2]})
    for _ in range(50):
        result = result_of(origin, session)
        if result["resultStatus"] != "8000":
            return result
    return result


def shown(parameters, without=()):
    """The text that a signature covers: sorted by key, values as they are, without what is empty."""
    return "&".join(f"{key}={value}" for key, value in sorted(parameters.items()) if value and key not in without)


def modern(key, app_id, method, content, **more):
    """The parameters of a signed message of the open platform."""
    zone = datetime.timezone(datetime.timedelta(hours=8))
    parameters = {
        "app_id": app_id, "method": method, "format": "JSON", "charset": "utf-8", "sign_type": "RSA2", "version": "1.0",
        "timestamp": datetime.datetime.now(zone).strftime("%Y-%m-%d %H:%M:%S"), "biz_content": json.dumps(content), **more}
    signature = key.sign(shown(parameters).encode(), padding.PKCS1v15(), hashes.SHA256())
    return {**parameters, "sign": base64.b64encode(signature).decode()}


def legacy(secret, partner, service, parameters):
    """The parameters of a call of the old gateway, signed with the shared secret."""
    all_parameters = {"service": service, "partner": partner, "_input_charset": "utf-8", **parameters}
    sign = hashlib.md5((shown(all_parameters) + secret).encode()).hexdigest()
    return {**all_parameters, "sign_type": "MD5", "sign": sign}


class Notified:
    """A merchant's notification endpoint: keeps the fields of every notification and answers `success`, or what `reply` says."""

    def __init__(self, port=0):
        self.fields, self.condition, self.reply = [], threading.Condition(), b"success"
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                with outer.condition:
                    outer.fields.append(dict(urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=True)))
                    outer.condition.notify_all()
                self.send_response(200)
                self.send_header("Content-Length", str(len(outer.reply)))
                self.end_headers()
                self.wfile.write(outer.reply)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.url = f"{self.origin}/notify"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait(self, fits, patience=30):
        """The first notification that fits, now or later."""
        with self.condition:
            self.condition.wait_for(lambda: any(fits(each) for each in self.fields), patience)
            return next((dict(each) for each in self.fields if fits(each)), None)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Application:
    """A merchant of the open platform with an application and its own key, registered at the gateway."""

    def __init__(
            self, gateway, onboarding_key, notified, partner="2088000000000509", app_id="2026000000000509", certificate=False, md5=None,
            refund_password=None, more=None):
        self.partner, self.app_id, self.md5 = partner, app_id, md5
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        application = {"appID": app_id}
        public = self.key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        if certificate:
            name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, app_id)])
            request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(self.key, hashes.SHA256())
            application["certificateRequest"] = base64.b64encode(request.public_bytes(serialization.Encoding.DER)).decode()
        else:
            application["rsa2"] = base64.b64encode(public).decode()
        self.registered = post(
            f"{gateway}/onboarding/v1/merchants",
            {"partner": partner, "name": "An outside merchant", "notifyOrigins": [notified.origin], "applications": [application],
             **({"md5": md5} if md5 else {}), **({"refundPassword": refund_password} if refund_password else {}),
             **({"rsa": base64.b64encode(public).decode()} if md5 else {}), **(more or {})},
            {"Authorization": f"Bearer {onboarding_key}"})
        self.known = self.registered["applications"][0]

    def private_pem(self):
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()).decode()

    def order(self, number, amount, notify_url, subject="Tea"):
        """An order string, signed now."""
        content = {"out_trade_no": number, "total_amount": amount, "subject": subject, "product_code": "QUICK_MSECURITY_PAY"}
        return urllib.parse.urlencode(modern(self.key, self.app_id, "alipay.trade.app.pay", content, notify_url=notify_url))

    def refund(self, gateway, number, amount):
        """Gives back a part of an order under a number of its own."""
        content = {"out_trade_no": number, "refund_amount": amount, "out_request_no": uuid.uuid4().hex}
        call = modern(self.key, self.app_id, "alipay.trade.refund", content)
        with urllib.request.urlopen(f"{gateway}/gateway.do?{urllib.parse.urlencode(call)}", timeout=60) as answer:
            node = json.loads(answer.read())["alipay_trade_refund_response"]
        assert (node["code"], node["fund_change"]) == ("10000", "Y"), node
        return node

    def gateway_pem(self):
        body = self.known["gatewayKey"]
        lines = [body[index:index + 64] for index in range(0, len(body), 64)]
        return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----"])
