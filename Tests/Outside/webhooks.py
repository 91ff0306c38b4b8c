"""A back end that is told of events: it verifies what comes with the public library, and fails as it is asked to."""
import http.server
import json
import threading

from standardwebhooks import Webhook


class Receiver(http.server.ThreadingHTTPServer):
    """Keeps what came, in the order in which it came. What it answers is decided by `judge`: a status, or nothing for a connection that ends."""

    daemon_threads = True

    def __init__(self, judge=lambda call: 204):
        super().__init__(("127.0.0.1", 0), Handler)
        self.judge = judge
        self.secrets = []
        self.calls, self.taken, self.faults = [], [], []
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://localhost:{self.server_address[1]}/hook"

    def stop(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        """A sender that was killed."""

    def take(self, headers, body):
        call = {"headers": headers, "body": body, "event": json.loads(body), "key": headers.get("webhook-key-id")}
        for secret in self.secrets:
            try:
                Webhook(secret).verify(body, headers)
            except Exception as problem:
                with self.lock:
                    self.faults.append(f"{headers.get('webhook-id')}: {problem}")
        if call["event"]["id"] != headers.get("webhook-id"):
            self.faults.append(f"{headers.get('webhook-id')} carries {call['event']['id']}")
        with self.lock:
            self.calls.append(call)
            status = self.judge(call)
            if status and 200 <= status < 300:
                self.taken.append(call["event"])
        return status


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.server.take({name.lower(): value for name, value in self.headers.items()}, body)
        if status is None:
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


def in_order(events):
    """What is wrong with the order in which events came first: an object's later one before an earlier one."""
    last, faults, seen = {}, [], set()
    for event in events:
        if event["id"] in seen:
            continue
        seen.add(event["id"])
        place = (event["object"]["kind"], event["object"]["id"])
        if event["sequence"] != last.get(place, 0) + 1:
            faults.append(f"{event['id']} of {place} has number {event['sequence']} behind {last.get(place, 0)}")
        last[place] = max(event["sequence"], last.get(place, 0))
    return faults
