"""A merchant, its author's tools and a user of the super app outside the program: signed calls, a package packed by hand, a session."""
import base64
import hashlib
import io
import json
import re
import urllib.error
import urllib.parse
import urllib.request
import zipfile

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

import alipay_plus
from parties import get, post

APP, CLIENT, AUTHOR = "2026112200000777", "outside-client", "outside-author"
BASE = "/mini-programs/v1"


class SuperApp:
    """One mini program with everybody whom it takes, registered and released."""

    def __init__(self, billfold):
        self.public, self.console, self.key = billfold.public, billfold.console, alipay_plus.new_key()
        self.onboarding_key = (billfold.folder / "data/super-app-onboarding.key").read_text().strip()
        registered = post(
            f"{self.public}/onboarding/v1/super-app", self.registration(), {"Authorization": f"Bearer {self.onboarding_key}"})
        self.server_key = serialization.load_pem_public_key(registered["publicKey"].encode())
        self.session = self.sign_in()

    def registration(self):
        key = alipay_plus.public_key(self.key)
        keys = [{"version": 1, "publicKey": key}]
        return {
            "authors": [{
                "authorId": AUTHOR, "name": "Outside", "keys": keys, "packageKeys": [{"keyId": "outside", "publicKey": key}],
                "workspaces": ["wallet"]}],
            "clients": [{"authClientId": CLIENT, "name": "Outside", "keys": keys, "apps": [APP]}]}

    def call(self, path, body, caller=CLIENT, kind="application/json"):
        """Sends a signed call, and holds the answer to its signature."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {**alipay_plus.signed_headers(self.key, caller, path, data), "content-type": kind}
        with urllib.request.urlopen(urllib.request.Request(self.public + path, data, headers), timeout=60) as answer:
            text, told = answer.read(), answer.headers
        signature = re.fullmatch("algorithm=RSA256, keyVersion=1, signature=(.*)", told["Signature"]).group(1)
        self.server_key.verify(
            base64.b64decode(urllib.parse.unquote(signature)), f"POST {path}\n{caller}.{told['Response-Time']}.".encode() + text,
            padding.PKCS1v15(), hashes.SHA256())
        return json.loads(text)

    def package(self, version="1.0.0"):
        """A package as the documentation says it, made without the program."""
        files = {
            "app.json": b'{"pages":["pages/start/index"]}', "app.js": b"App({})", "pages/start/index.axml": b"<view>Tea</view>",
            "pages/start/index.js": b"Page({})"}
        listed = [
            {"path": path, "size": len(files[path]), "sha256": hashlib.sha256(files[path]).hexdigest()} for path in sorted(files)]
        manifest = json.dumps(
            {"format": 1, "appId": APP, "version": version, "minimumContainer": "1.0.0", "files": listed}, separators=(",", ":")).encode()
        signature = self.key.sign(b"mini program package, format 1\n" + manifest, padding.PKCS1v15(), hashes.SHA256())
        signed = {"keyId": "outside", "algorithm": "rsa-pkcs1-SHA256", "signature": base64.b64encode(signature).decode()}
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for path, data in [("manifest.json", manifest), ("manifest.sig", json.dumps(signed).encode()), *files.items()]:
                packed.writestr(path, data)
        return archive.getvalue()

    def publish(self):
        """From the upload to every user; returns the version with its stamp."""
        said = self.call(f"{BASE}/author/apps", {
            "appId": APP, "workspaceId": "wallet", "name": "Outside", "authClientId": CLIENT, "serverDomains": ["api.tea.example"]}, AUTHOR)
        assert said["result"]["resultCode"] == "SUCCESS", said
        built = self.call(f"{BASE}/author/apps/{APP}/versions", self.package(), AUTHOR, "application/zip")
        assert built["result"]["resultCode"] == "SUCCESS", built
        version = built["releaseVersion"]
        said = self.call(f"{BASE}/author/apps/{APP}/steps", {"releaseVersion": version, "step": "submit"}, AUTHOR)
        assert said["state"] == "Under Review", said
        for step in ("approve", "release"):
            self.approve(f"mini-program-{step}", f"{APP}@{version}", {"reason": "test"})
        return version

    def approve(self, kind, subject, detail):
        asked = post(f"{self.console}/api/approvals", {"kind": kind, "subject": subject, "detail": json.dumps(detail)})
        done = post(f"{self.console}/api/approvals/{asked['id']}/approval", {})
        assert done["state"] == "done", done

    def sign_in(self, name="mei@example.test", password="two-leaves-tea"):
        """A user's session, as the super app keeps it."""
        page = urllib.request.urlopen(f"{self.public}/wallet/login", timeout=60)
        cookie = page.headers["Set-Cookie"].split(";")[0]
        proof = re.search('name="csrf" value="([0-9a-f]+)"', page.read().decode()).group(1)
        form = urllib.parse.urlencode({"csrf": proof, "name": name, "password": password}).encode()
        request = urllib.request.Request(f"{self.public}/wallet/login", form, {"Cookie": cookie})

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None

        try:
            urllib.request.build_opener(Stay).open(request, timeout=60)
        except urllib.error.HTTPError as answer:
            assert answer.code == 303, answer.code
            return answer.headers["Set-Cookie"].split(";")[0].split("=", 1)[1]
        raise AssertionError("nobody was signed in")

    def app_session(self, name="mei@example.test", password="two-leaves-tea"):
        """A user's session, as the super app's own app gets it."""
        return post(f"{self.public}/v1/users/sessions", {"name": name, "password": password})["session"]

    def as_user(self, path, body):
        return post(self.public + path, body, {"Authorization": f"Bearer {self.session}"})

    def code(self, scopes=("auth_base",)):
        answer = self.as_user("/v1/authorizations/applyAuthCode", {"appId": APP, "authClientId": CLIENT, "scopes": list(scopes)})
        return answer["authCode"]

    def tokens(self):
        return self.call("/v2/authorizations/applyToken", {
            "appId": APP, "authClientId": CLIENT, "grantType": "AUTHORIZATION_CODE", "authCode": self.code()})

    def contract(self):
        """The token of an address at which a contract can be signed."""
        answer = self.call("/v1/authorizations/prepare", {
            "scopes": "AGREEMENT_PAY", "extendInfo": json.dumps({"contractDesc": "Tea every week"})})
        return answer["authUrl"].rsplit("/", 1)[1]

    def package_name(self):
        metadata = json.loads(get(f"{self.public}{BASE}/apps/{APP}/metadata?container=1.0.0")[1])
        return metadata["package"]["sha256"]
