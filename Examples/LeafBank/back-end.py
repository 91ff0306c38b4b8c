"""The bank's own server, played. It logs customers in and opens their sessions at the issuer's host, with the bank's key, which the app never sees.

    python3 back-end.py --key-file …/bank.key [--issuer http://127.0.0.1:8080] [--port 8085]

A bank's server knows a customer by more than a name.
"""
import argparse
import http.server
import json
import pathlib
import urllib.error
import urllib.request

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--key-file", type=pathlib.Path, required=True)
parser.add_argument("--issuer", default="http://127.0.0.1:8080")
parser.add_argument("--port", type=int, default=8085)
given = parser.parse_args()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        wish = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if self.path != "/log-in":
            return self.answer(404, {})
        session = urllib.request.Request(
            f"{given.issuer}/provisioning/v1/sessions", method="POST",
            data=json.dumps({"customer": wish["customer"], "device": wish["device"]}).encode(),
            headers={"Authorization": f"Bearer {given.key_file.read_text().strip()}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(session, timeout=30) as opened:
                return self.answer(201, {"token": json.load(opened)["token"]})
        except urllib.error.URLError as error:
            print(f"the issuer's host: {error}", flush=True)
            return self.answer(502, {})

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


server = http.server.ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
print(f"the bank listens at http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
