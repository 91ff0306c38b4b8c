"""A phone with an example app on it, played by the app's driver in a process of its own, and the line between the app and a server, which may be ill.

The driver does what a line on its standard input says and answers by a line that begins with a dash; what the app does of itself comes as a line of its
own. A killed app is a killed process.
"""
import http.client
import http.server
import os
import pathlib
import subprocess
import threading
import urllib.parse

PATIENCE = 60


class ExamplePhone:
    """An app that runs, from its start to its end."""

    def __init__(self, program, *arguments, **environment):
        self.lines, self.condition = [], threading.Condition()
        self.process = subprocess.Popen(
            [str(program), *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "LLVM_PROFILE_FILE": "/dev/null", **environment}, cwd=pathlib.Path(program).parent)
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    def listen(self):
        for line in self.process.stdout:
            with self.condition:
                self.lines.append(line.rstrip("\n"))
                self.condition.notify_all()
        with self.condition:
            self.lines.append("ended")
            self.condition.notify_all()

    def hears(self, name):
        """The value of the next line of that name; lines are heard once."""
        def place():
            return next((index for index, line in enumerate(self.lines) if line.split(" ", 1)[0] == name), None)

        with self.condition:
            self.condition.wait_for(lambda: place() is not None or "ended" in self.lines, PATIENCE)
            if place() is None:
                raise AssertionError(f"nothing is said of {name}, but {self.lines}")
            return self.lines.pop(place()).partition(" ")[2]

    def does(self, deed, value=""):
        self.process.stdin.write(f"{deed} {value}".rstrip() + "\n")
        self.process.stdin.flush()
        return self.hears("-")

    def tap(self, title):
        said = self.does("tap", title)
        if said != "tapped":
            raise AssertionError(said)

    def until(self, text):
        """What the customer reads once it holds the text."""
        said = self.does("until", text)
        if text not in said or said.startswith("never "):
            raise AssertionError(said)
        return said

    def kill(self):
        """As the system does: at once, and without a word to the app."""
        self.process.kill()
        self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        self.listener.join(5)
        self.process.stdin.close()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class Line:
    """The line between an app and a server. `lost` are words of paths whose answers do not arrive, `changed` what
    becomes of the bodies of calls."""

    def __init__(self, origin):
        self.origin, self.lost, self.changed, self.asked, self.statuses = origin, set(), {}, [], {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def carry(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.close_connection = True
                answer = outer.carry(self.command, self.path, dict(self.headers), body)
                if answer is None:
                    return
                status, headers, text = answer
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("content-length", "connection", "transfer-encoding", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = carry

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def carry(self, method, path, headers, body):
        for word, change in self.changed.items():
            if word in path:
                body = change(body)
        self.asked.append(path)
        sent = {name: value for name, value in headers.items() if name.lower() not in ("host", "content-length", "connection", "accept-encoding")}
        try:
            connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.origin).netloc, timeout=PATIENCE)
            connection.request(method, path, body or None, sent)
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            self.statuses[path] = answer.status
        except OSError:
            return None
        # The server has done what it was asked for, and nobody hears of it.
        return None if any(word in path for word in self.lost) else (answer.status, answer.getheaders(), text)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
