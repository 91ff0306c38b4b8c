"""Who is around the back ends under `Examples/BackEnds`: a customer, who pays at the address that one prints, and a stranger, who forges."""
import html
import http.client
import json
import re
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from alipay_wallet import MEI, Browser, Page, connect, result_of
from parties import get_json, post, provision

# A `billfold` that finds the servers of a test, as one does that is called beside their data folder.
SHIM = """#!/bin/sh
case "$1" in sandbox | listen | trigger | logs | open | keys) [ "$2" = make ] || set -- "$@" --data "{data}" ;; esac
exec "{program}" "$@"
"""


def own_names(text, who):
    """Commands of a page with names that are one newcomer's: who registers under another's name is refused."""
    text = re.sub(r"(sandbox register [^\n]*--name )'([^']*)'", rf"\1'\2 of {who}'", text)
    return re.sub(r"sandbox register (?![^\n]*--name )", f"sandbox register --name 'Own of {who}' ", text)


def follow(command, sandbox, before=lambda line: None, patience=180, **options):
    """Runs a program to its end, and is the customer that it asks for. Returns its status and what it said."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    end = threading.Timer(patience, process.kill)
    end.start()
    said = []
    try:
        for line in process.stdout:
            said.append(line)
            # An answer that a command printed before may have no end of its line.
            if found := re.search(r"(?:customer|user) (pays|adds|signs in|buys) (?:at )?(\S+)(?: in (\w+))?", line):
                before(line)
                if found[1] == "pays":
                    pay(found[2])
                elif found[3]:
                    Phone(found[2]).use(found[3], {"signs in": "signIn", "buys": "buy"}[found[1]])
                else:
                    assert provision(sandbox, found[2]) == "ready"
        return process.wait(), "".join(said)
    finally:
        end.cancel()
        process.kill()
        process.stdout.close()
        process.wait()


class Phone:
    """A phone with the super app, in the hands of its user: what is drawn for a browser, without one."""

    def __init__(self, page):
        self.phones = f"{page}phones"
        self.screen = post(self.phones, {})
        self.address = f"{self.phones}/{self.screen['session']}"
        self.tap("signIn", MEI[0], secret=MEI[1])
        self.until(lambda screen: screen["place"] == "home", "home")

    def tap(self, what, value=None, **more):
        self.screen = post(f"{self.address}/taps", {"do": what, **({} if value is None else {"value": value}), **more})

    def until(self, holds, what, patience=60):
        end = time.monotonic() + patience
        while not holds(self.screen):
            assert time.monotonic() < end, (what, self.screen)
            self.screen = get_json(f"{self.address}?after={self.screen['revision']}&wait=5", timeout=30)

    def data(self):
        return " ".join(each["value"] for each in self.screen.get("program", {}).get("data", []))

    def use(self, app, handler):
        """Opens a program, touches one of its buttons, agrees and pays where it is asked to, and waits for what the program says of it."""
        self.until(lambda screen: any(each["appId"] == app for each in screen["apps"]), "the program")
        newest = next(each["version"] for each in self.screen["apps"] if each["appId"] == app)
        self.tap("open", app)
        self.until(lambda screen: "program" in screen, "the program opens")
        for _ in range(20):
            if self.screen["program"]["version"] == newest:
                break
            # An older one that is on the phone starts, and the newest is fetched for the next start.
            self.tap("close")
            self.until(lambda screen: screen["place"] == "home", "home again")
            time.sleep(0.5)
            self.tap("open", app)
            self.until(lambda screen: "program" in screen, "the program opens")
        assert self.screen["program"]["version"] == newest, f"the phone keeps an older version than {newest}: {self.screen['program']}"
        # What a page lets one touch is there with its data.
        self.until(lambda _: any(each["handler"] == handler for each in self.screen["program"].get("controls", [])), "its page")
        before = self.data()
        self.tap("event", handler)
        while True:
            self.until(lambda screen: "sheet" in screen or self.data() != before, "an end")
            sheet = self.screen.get("sheet")
            if sheet is None:
                return
            if sheet["kind"] == "consent":
                self.tap("agree")
            else:
                pay(sheet["away"])
                self.tap("comeBack")
            self.until(lambda screen: screen.get("sheet") != sheet, "the sheet is gone")


def forge(own):
    """Says to a waiting back end what nobody signed. Returns what each of its doors answers: a status, and the body."""
    event = {"id": "evt_1", "type": "payment.succeeded", "object": {"kind": "payment", "id": "p"}, "data": {"order": "o"}}
    now = str(int(time.time()))
    return {
        path: send(own + path, kind, body, headers) for path, kind, body, headers in (
            ("/hook", "application/json", json.dumps(event),
             {"webhook-id": "evt_1", "webhook-timestamp": now, "webhook-signature": "v1,aGVsbG8="}),
            ("/sign-in", "application/json", json.dumps({"authCode": "never-given"}), {}),
            ("/notify", "application/x-www-form-urlencoded", "out_trade_no=x&trade_status=TRADE_SUCCESS&sign_type=RSA2&sign=aGVsbG8%3D", {}),
            ("/alipay-plus/notify", "application/json", json.dumps({"paymentRequestId": "x", "paymentResult": {"resultStatus": "S"}}),
             {"request-time": "2026-01-01T00:00:00+08:00", "signature": "algorithm=RSA256, keyVersion=1, signature=aGVsbG8%3D"}))}


def send(url, kind, body, headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body.encode(), {"Content-Type": kind, **headers}), timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


def pay(address):
    """Pays at a page of UnionPay's client, of the web cashier, or at the payment sheet, as a browser without script does."""
    place = urllib.parse.urlsplit(address)
    for path, way in (("/unionpay/pay/", pay_number), ("/cashier/", pay_express), ("/sheet/", pay_sheet)):
        if place.path.startswith(path):
            return way(place, f"{place.scheme}://{place.netloc}")
    raise AssertionError(f"nobody pays at {address}")


def pay_number(place, origin):
    connection = connect(origin)
    connection.request(
        "POST", f"{place.path}/pay", urllib.parse.urlencode({"scheme": "myshop"}),
        {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin})
    answer = connection.getresponse()
    # Back to the app, which is none of ours.
    assert answer.status == http.client.SEE_OTHER, (answer.status, answer.read()[:1000])
    connection.close()


def pay_express(place, origin):
    browser = Browser(origin)
    _, _, text = browser.ask("GET", f"{place.path}/login")
    _, _, text = browser.submit(Page(text), "/login", {"name": MEI[0], "password": MEI[1]})
    _, path, text = browser.submit(Page(text), "/means", {"means": "balance"})
    assert path.endswith("/password"), (path, text[:2000])
    browser.submit(Page(text), "/password", {"password": MEI[2]})
    for _ in range(50):
        if result_of(origin, place.path)["resultStatus"] != "8000":
            return


def pay_sheet(place, origin, wallet="ALIPAY_HK", customer=("hk-yan", "280911")):
    """Chooses a wallet on the sheet, follows its link, logs in there and confirms."""
    browser = Browser(origin)
    _, _, text = browser.ask("GET", place.path)
    row = re.search(f'<input[^>]*name="wallet" value="{wallet}"[^>]*>', text)[0]
    form = next(each for each in Page(text).forms if "wallet" in each["fields"])
    status, _, text = browser.ask("POST", form["action"], {**form["fields"], "wallet": wallet})
    assert status == 200, (status, text[:2000])
    there = urllib.parse.urlsplit(html.unescape(re.search('data-normal="([^"]*)"', row)[1]))
    slug, _, page = there.path.removeprefix("/wallets/").partition("/")
    holder = Browser(f"{there.scheme}://{there.netloc}")
    _, path, text = holder.ask(
        "POST", f"/wallets/{slug}/login", {"id": customer[0], "pin": customer[1], "next": f"/{page}?{there.query}"})
    for _ in range(100):
        if 'data-outcome="preparing"' not in text:
            break
        time.sleep(0.1)
        _, _, text = holder.ask("GET", path)
    status, _, text = holder.ask("POST", f"{path}/confirm", {})
    assert 'data-outcome="paid"' in text, (status, path, text[:2000])
