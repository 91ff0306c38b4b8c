"""Starts the built program with every role on free loopback ports, in a folder of its own."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("BILLFOLD_PROGRAM", ROOT / ".build/debug/billfold"))


_held = []


def free_ports(count):
    """Ports that nobody listens on. On Linux each is held by a socket that does not listen for as long as this process lives: the system gives it
    to nobody who asks for any, and a server that names it listens there. It is held on every address: another suite's strangers come from many
    addresses of this machine, and one of their ports would keep a server from listening on all."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        if sys.platform == "linux":
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        each.bind(("0.0.0.0", 0))
    ports = [each.getsockname()[1] for each in sockets]
    if sys.platform == "linux":
        _held.extend(sockets)
    else:
        for each in sockets:
            each.close()
    return ports


def get(url, headers=None, timeout=60):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {}), timeout=timeout) as answer:
        return answer.status, answer.read()


def get_json(url, headers=None, timeout=60):
    return json.loads(get(url, headers, timeout)[1])


def post(url, body, headers=None, timeout=90):
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), method="POST", headers={"Content-Type": "application/json", **(headers or {})})
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.loads(answer.read())


def tell(url, body, timeout=60):
    """Posts to who has nothing to answer."""
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST", headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        answer.read()


def put(url, body, timeout=60):
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="PUT", headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.loads(answer.read())


def merchant_books(public, key):
    """The merchant's books of the last 24 hours, with the payments of all pages."""
    headers = {"Authorization": f"Bearer {key}"}
    books = page = get_json(f"{public}/v1/books", headers)
    while "next" in page:
        page = get_json(f"{public}/v1/books?cursor={page['next']}", headers)
        books["payments"] += page["payments"]
    return books


def take_up(sessions, opening):
    """Takes up a simulated device. Returns how to tap on it, and how to wait for a screen from one on; both return a screen."""
    base = f"{sessions}/{urllib.parse.quote(post(sessions, opening)['session'])}"

    def tap(action, value=None):
        try:
            return post(f"{base}/taps", {"do": action, **({"value": value} if value else {})})
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise AssertionError(f"tapping {action} {value or ''} is answered {refusal.code}: {refusal.read().decode()}") from refusal

    def until(screen, reached, patience=120):
        end = time.monotonic() + patience
        while not reached(screen):
            assert time.monotonic() < end, f"the screen stays as it is for {patience} s: {screen}"
            screen = get_json(f"{base}?after={screen['revision']}", timeout=60)
        return screen

    return tap, until


def buy(sandbox, product):
    """Buys with a scripted phone. Returns the order's id, where there is one, and what the customer was told."""
    tap, until = take_up(f"{sandbox}/phone/sessions", {"model": "ready", "lines": [{"product": product, "quantity": 1}]})

    def at_rest(screen):
        return screen["place"] == "outcome" or (screen["place"] == "sheet" and screen["sheet"]["phase"] in ("ready", "enteringPIN"))

    screen = until(tap("pay"), at_rest)
    if screen["place"] == "sheet":
        before = screen["revision"]
        screen = until(tap("authorize"), lambda each: each["revision"] > before and at_rest(each))
        if screen["place"] == "sheet" and screen["sheet"]["phase"] == "enteringPIN":
            screen = until(tap("enterPIN", "123456"), lambda each: each["place"] == "outcome")
    return (screen.get("order") or {}).get("id"), (screen.get("outcome") or {}).get("kind")


def provision(sandbox, card, model="trusted"):
    """Adds a card with the bank's app on a phone of its own. Returns the app's last word on it."""
    tap, until = take_up(f"{sandbox}/bank/phones", {"model": model})

    def phase(*names):
        # A card that is refused has an outcome, and no further page.
        return lambda each: (each.get("sheet") or {}).get("phase") in names or each.get("outcome")

    until(tap("logIn", "c-1"), lambda each: each["cards"])
    screen = until(tap("add", card), phase("introduction"))
    if screen.get("outcome"):
        return screen["outcome"]["kind"]
    screen = until(tap("next"), phase("choosingDevice", "terms"))

    def refused(step):
        """What the app's customer is told who does not get past a step."""
        return AssertionError(f"{card} on a phone of the kind {model} is refused at '{step}': {json.dumps(screen['outcome'])}")

    if screen.get("outcome"):
        raise refused("next")
    if screen["sheet"]["phase"] == "choosingDevice":
        screen = until(tap("chooseDevice", screen["sheet"]["devices"][0]["id"]), phase("terms"))
        if screen.get("outcome"):
            raise refused("chooseDevice")
    screen = until(tap("acceptTerms"), phase("added", "failed", "choosingMethod"))
    if not screen.get("outcome"):
        screen = until(tap("done"), lambda each: each.get("outcome"))
    return screen["outcome"]["kind"]


def wait_for(description, condition, patience=90):
    """What the condition gives once that is something. It may take so many seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{description}: not within {patience} s")


class Billfold:
    """`billfold serve`, all roles in one process, from `start` to `stop`."""

    def __init__(self, *arguments, ports=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-outside-"))
        public, console, sandbox = ports or free_ports(3)
        self.public = f"http://127.0.0.1:{public}"
        self.console = f"http://127.0.0.1:{console}"
        self.sandbox = f"http://127.0.0.1:{sandbox}"
        self.log = self.folder / "serve.log"
        self.command = [
            str(PROGRAM), "serve", "--listen", f"127.0.0.1:{public}", "--console", f"127.0.0.1:{console}",
            "--sandbox", f"127.0.0.1:{sandbox}", "--data", str(self.folder / "data"), *arguments]
        self.process, self.environment = None, None
        self.ready = [f"{self.public}/readyz", f"{self.console}/readyz", f"{self.sandbox}/shop"]

    def move_public(self, host, port):
        """Gives the public listener another address, before the start."""
        before, self.public = self.public, f"http://{host}" + ("" if port in (80, 443) else f":{port}")
        self.command[self.command.index("--listen") + 1] = f"{host}:{port}"
        self.ready = [url.replace(before, self.public) for url in self.ready]

    def speak_tls(self, certificate, key):
        """Has the public listener and the console speak TLS, before the start. Who asks them must trust the certificate."""
        self.command += ["--tls-certificate", str(certificate), "--tls-key", str(key)]
        secured = {plain: plain.replace("http://", "https://", 1) for plain in (self.public, self.console)}
        for plain, tls in secured.items():
            self.ready = [url.replace(plain, tls) for url in self.ready]
        self.public, self.console = secured[self.public], secured[self.console]

    def start(self, patience=120):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.STDOUT, env=self.environment)
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"billfold serve ended with {self.process.returncode}:\n{self.log.read_text()[-4000:]}")
            try:
                if all(get(url, timeout=2)[0] == 200 for url in self.ready):
                    return self
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.2)
        raise RuntimeError(f"billfold serve was not ready in {patience} s:\n{self.log.read_text()[-4000:]}")

    def end(self):
        """Ends the process and leaves its folder."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                print("billfold serve did not stop within 30 s of SIGTERM", file=sys.stderr)

    def stop(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_):
        self.stop()
