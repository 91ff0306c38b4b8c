"""A proxy that writes down what a program says to a server, and what the OpenAPI files say of it."""
import http.server
import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request

import yaml

from test_api_examples import FILES, LOADER, METHODS, problems, resolved


class Exchange:
    """One request and its answer."""

    def __init__(self, method, path, headers, body, status, kind, answer):
        self.method, self.headers, self.body = method, headers, body
        self.path, _, self.query = path.partition("?")
        self.status, self.kind, self.answer = status, kind, answer

    def __str__(self):
        return f"{self.method} {self.path}: {self.status}"


class Recorder(http.server.ThreadingHTTPServer):
    """Passes requests on to a server."""

    daemon_threads = True

    def __init__(self, target):
        super().__init__(("127.0.0.1", 0), RecorderHandler)
        self.target, self.exchanges = target, []
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class RecorderHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def forward(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "content-length")}
        request = urllib.request.Request(self.server.target + self.path, body, headers, method=self.command)
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            text = answer.read()
        self.server.exchanges.append(Exchange(
            self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body, answer.status,
            answer.headers.get_content_type(), text))
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in ("connection", "content-length", "transfer-encoding", "date", "server"):
                self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_DELETE = do_PATCH = do_PUT = forward


class Contract:
    """The operations of all OpenAPI files."""

    def __init__(self):
        self.operations = []
        for file in FILES:
            document = yaml.load(file.read_text(), LOADER)
            # Some files say for several places what they say.
            for prefix in {urllib.parse.urlsplit(server["url"]).path.rstrip("/") for server in document["servers"]}:
                for path, operations in document["paths"].items():
                    pattern = re.compile(re.sub(r"\\\{[^/]*?\\\}", "[^/]+", re.escape(prefix + path)))
                    for method in METHODS:
                        if method in operations:
                            parameters = operations.get("parameters", []) + operations[method].get("parameters", [])
                            self.operations.append((pattern, method, file.stem, document, operations[method], parameters))
        # A path without parameters comes before one that would take it for a name.
        self.operations.sort(key=lambda each: each[0].pattern.count("[^/]+"))

    def faults(self, exchange):
        """What of an exchange is not as a file says."""
        for pattern, method, file, document, operation, parameters in self.operations:
            if method == exchange.method.lower() and pattern.fullmatch(exchange.path):
                told = self.asked(exchange, document, operation, parameters) + self.answered(exchange, document, operation)
                return [f"{exchange}, {file} {operation['operationId']}: {each}" for each in told]
        return [f"{exchange}: no file has it"]

    @staticmethod
    def content(kind, body):
        if kind.split(";")[0].strip() == "application/x-www-form-urlencoded":
            return dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))
        return json.loads(body)

    def judge(self, document, media, kind, body):
        """A body beside the media types that may be there."""
        name = kind.split(";")[0].strip()
        if name not in media:
            return [f"{name or 'no media type'} is none of {', '.join(media)}"]
        if name not in ("application/json", "application/x-www-form-urlencoded"):
            return []
        return problems(document, media[name].get("schema", {}), self.content(name, body))

    def asked(self, exchange, document, operation, parameters):
        faults = []
        query = dict(urllib.parse.parse_qsl(exchange.query, keep_blank_values=True))
        known = [resolved(document, each) for each in parameters]
        faults += [f"the query has {name}" for name in query if name not in {each["name"] for each in known if each["in"] == "query"}]
        for each in known:
            given = {"query": query, "header": exchange.headers}.get(each["in"])
            name = each["name"].lower() if each["in"] == "header" else each["name"]
            if given is not None and each.get("required") and name not in given:
                faults.append(f"{each['name']} is missing")
        body = resolved(document, operation.get("requestBody", {}))
        if exchange.body and body:
            faults += self.judge(document, body["content"], exchange.headers.get("content-type", ""), exchange.body)
        elif exchange.body:
            faults.append("there is a body")
        elif body.get("required"):
            faults.append("there is no body")
        return faults

    def answered(self, exchange, document, operation):
        if str(exchange.status) not in operation["responses"]:
            return [f"no answer has {exchange.status}"]
        media = resolved(document, operation["responses"][str(exchange.status)]).get("content", {})
        return self.judge(document, media, exchange.kind, exchange.answer) if media else []
