"""An author of mini programs: uploads a signed package, has it released, and signs a user in by the code that the program gets.

    author.py signed.zip

Its environment is what `billfold sandbox register author` writes. It needs `pip install cryptography`.
"""
import base64
import datetime
import json
import os
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

WALLET, AUTHOR, CLIENT, APP = (os.environ[name] for name in ("BILLFOLD_WALLET", "AUTHOR_ID", "AUTH_CLIENT_ID", "MINI_PROGRAM_ID"))
PLATFORM = "/mini-programs/v1/author/apps"
CHINA = datetime.timezone(datetime.timedelta(hours=8))
# A user of the sandbox.
USER = {"name": "mei@example.test", "password": "two-leaves-tea"}


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


def plain(path, content, bearer=None):
    """A call that is not signed: of the super app for its user, and of the sandbox's onboarding."""
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {bearer}"} if bearer else {})}
    try:
        with urllib.request.urlopen(urllib.request.Request(path, json.dumps(content).encode(), headers), timeout=30) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as refusal:
        raise SystemExit(f"{path} was refused: {refusal.code} {refusal.read().decode()}") from None


def publish(package):
    call(AUTHOR, PLATFORM, {
        "appId": APP, "workspaceId": os.environ["WORKSPACE_ID"], "name": "Own program", "authClientId": CLIENT,
        "serverDomains": ["api.example.com"]})
    version = call(AUTHOR, f"{PLATFORM}/{APP}/versions", package)["releaseVersion"]
    print(f"uploaded {version}")
    # The same package is the same version: a run before may have released it, and one since then a later version.
    if state(version) not in ("Full Release", "Archived"):
        call(AUTHOR, f"{PLATFORM}/{APP}/steps", {"releaseVersion": version, "step": "submit"})
        # The super app's people review and release it, two of them in the console. In test mode onboarding does both.
        releases = [{"appId": APP, "releaseVersion": version}]
        plain(os.environ["BILLFOLD_ONBOARDING"], {"releases": releases}, os.environ["BILLFOLD_ONBOARDING_KEY"])
    print(f"{version} is in {state(version)}")


def state(version):
    builds = call(AUTHOR, f"{PLATFORM}/{APP}/inquiry", {})["builds"]
    return next(build["state"] for build in builds if build["releaseVersion"] == version)


def user_agrees():
    """What the super app does when the program calls `my.getAuthCode` and its user agrees on the page. Returns the code."""
    session = plain(f"{WALLET}/v1/users/sessions", USER)["session"]
    asked = {"appId": APP, "authClientId": CLIENT, "scopes": ["auth_base", "USER_NAME"]}
    plain(f"{WALLET}/v1/authorizations/agreements", asked, session)
    return plain(f"{WALLET}/v1/authorizations/applyAuthCode", asked, session)["authCode"]


def sign_in(code):
    """What your server does with the code that your program sent it. The token stays here; the program gets a session of your own."""
    me = {"appId": APP, "authClientId": CLIENT}
    token = call(CLIENT, "/v2/authorizations/applyToken", {**me, "grantType": "AUTHORIZATION_CODE", "authCode": code})
    return call(CLIENT, "/v2/users/inquiryUserInfo", {**me, "accessToken": token["accessToken"]})["userInfo"]


def main():
    publish(pathlib.Path(sys.argv[1]).read_bytes())
    user = sign_in(user_agrees())
    print(f"signed in: {json.dumps(user, ensure_ascii=False)}")


if __name__ == "__main__":
    sys.exit(main())
