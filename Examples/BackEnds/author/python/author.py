"""An author of mini programs: uploads a signed package, has it released, and is the server that signs the program's user in.

    author.py signed.zip

Its environment is what `billfold sandbox register author` writes. It needs `pip install cryptography`.
"""
import base64
import datetime
import http.server
import json
import os
import pathlib
import queue
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

WALLET, AUTHOR, CLIENT, APP = (os.environ[name] for name in ("BILLFOLD_WALLET", "AUTHOR_ID", "AUTH_CLIENT_ID", "MINI_PROGRAM_ID"))
PLATFORM = "/mini-programs/v1/author/apps"
CHINA = datetime.timezone(datetime.timedelta(hours=8))
OWN = os.environ.get("OWN_ORIGIN", "http://127.0.0.1:3000")
# What the interfaces that the program calls need, and how each datum of its user is given.
GRANT = {"features": ["auth", "payment"], "scopes": [{"scope": "USER_NAME", "rule": "ask"}]}
PATIENCE = 180


def private_key(name):
    return serialization.load_pem_private_key(pathlib.Path(os.environ[name]).read_bytes(), None)


KEYS = {AUTHOR: private_key("AUTHOR_PRIVATE_KEY_FILE"), CLIENT: private_key("CLIENT_PRIVATE_KEY_FILE")}
WALLET_KEY = serialization.load_pem_public_key(pathlib.Path(os.environ["BILLFOLD_WALLET_PUBLIC_KEY_FILE"]).read_bytes())


def covered(path, caller, time_text, body):
    return f"POST {path}\n{caller}.{time_text}.".encode() + body


def call(caller, path, content):
    """A signed call of the author's tools or of its server. U says that it is not known: the same call is sent again."""
    is_package = isinstance(content, bytes)
    body = content if is_package else json.dumps(content).encode()
    for _ in range(5):
        now = datetime.datetime.now(CHINA).isoformat(timespec="seconds")
        signature = base64.b64encode(KEYS[caller].sign(covered(path, caller, now, body), padding.PKCS1v15(), hashes.SHA256()))
        request = urllib.request.Request(WALLET + path, body, {
            "client-id": caller, "request-time": now, "content-type": "application/zip" if is_package else "application/json",
            "signature": f"algorithm=RSA256, keyVersion=1, signature={urllib.parse.quote(signature, safe='')}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            text, headers = answer.read(), answer.headers
        result = json.loads(text)["result"]
        if "signature" not in headers:
            # Only a caller whom the server does not know by the signature gets an answer without one.
            raise SystemExit(f"{path} was refused: {result['resultCode']}: {result['resultMessage']}")
        given = re.search(r"signature=([^,\s]+)$", headers["signature"])[1]
        # Raises unless the super app's server signed it.
        WALLET_KEY.verify(
            base64.b64decode(urllib.parse.unquote(given)), covered(path, caller, headers["response-time"], text), padding.PKCS1v15(),
            hashes.SHA256())
        if result["resultStatus"] == "F":
            raise SystemExit(f"{path} was refused: {result['resultCode']}: {result['resultMessage']}")
        if result["resultStatus"] == "S":
            return json.loads(text)
        time.sleep(2)
    raise SystemExit(f"{path}: the outcome is not known; inquire before you send something else")


def onboard(content):
    """In test mode onboarding does what the super app's people do, two of them in the console."""
    path, key = os.environ["BILLFOLD_ONBOARDING"], os.environ["BILLFOLD_ONBOARDING_KEY"]
    headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(path, json.dumps(content).encode(), headers), timeout=30):
            pass
    except urllib.error.HTTPError as refusal:
        raise SystemExit(f"{path} was refused: {refusal.code} {refusal.read().decode()}") from None


def publish(package):
    call(AUTHOR, PLATFORM, {
        "appId": APP, "workspaceId": os.environ["WORKSPACE_ID"], "name": "Own program", "authClientId": CLIENT,
        "serverDomains": [urllib.parse.urlsplit(OWN).netloc]})
    # Before the upload: a version has the permissions of the time when it came.
    onboard({"grants": [{"appId": APP, "grant": GRANT}]})
    version = call(AUTHOR, f"{PLATFORM}/{APP}/versions", package)["releaseVersion"]
    print(f"uploaded {version}")
    # The same package is the same version: a run before may have released it, and one since then a later version.
    if state(version) not in ("Full Release", "Archived"):
        call(AUTHOR, f"{PLATFORM}/{APP}/steps", {"releaseVersion": version, "step": "submit"})
        onboard({"releases": [{"appId": APP, "releaseVersion": version}]})
    print(f"{version} is in {state(version)}")


def state(version):
    builds = call(AUTHOR, f"{PLATFORM}/{APP}/inquiry", {})["builds"]
    return next(build["state"] for build in builds if build["releaseVersion"] == version)


def sign_in(code):
    """What your server does with the code that your program sent it. The token stays here; the program gets a session of your own."""
    me = {"appId": APP, "authClientId": CLIENT}
    token = call(CLIENT, "/v2/authorizations/applyToken", {**me, "grantType": "AUTHORIZATION_CODE", "authCode": code})
    return call(CLIENT, "/v2/users/inquiryUserInfo", {**me, "accessToken": token["accessToken"]})["userInfo"]


class Listener(http.server.BaseHTTPRequestHandler):
    """Your server: the program brings the code that `my.getAuthCode` gave it."""

    signed_in = queue.Queue()

    def do_POST(self):
        try:
            said = json.loads(self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 10_000)))
            user = sign_in(said["authCode"])
        except (KeyError, TypeError, ValueError, SystemExit) as problem:
            self.answer(400, {"error": str(problem)})
        else:
            self.answer(200, {"name": user.get("userName", "somebody")})
            self.signed_in.put(user)

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    publish(pathlib.Path(sys.argv[1]).read_bytes())
    address = urllib.parse.urlsplit(OWN)
    server = http.server.ThreadingHTTPServer((address.hostname, address.port), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"user signs in at {os.environ['BILLFOLD_PHONE']} in {APP}, Own program", flush=True)
    try:
        user = Listener.signed_in.get(timeout=PATIENCE)
    except queue.Empty:
        raise SystemExit("nobody signed in") from None
    print(f"signed in: {json.dumps(user, ensure_ascii=False)}")


if __name__ == "__main__":
    sys.exit(main())
