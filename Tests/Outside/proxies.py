"""What stands between the parties: a load balancer, a line that can be cut, and a proxy that ends TLS."""
import http.client
import http.server
import socket
import ssl
import threading


class Proxy:
    """Takes connections on a port of its own and passes bytes on, both ways, until one end closes."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def join(self, near):
        """Returns both ends of a connection that was taken, or raises OSError."""
        raise NotImplementedError

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[near], daemon=True).start()

    def serve(self, taken):
        try:
            near, far = self.join(taken)
        except OSError:
            taken.close()
            return
        with near, far:
            other = threading.Thread(target=self.pipe, args=[near, far], daemon=True)
            other.start()
            self.pipe(far, near)
            other.join()

    @staticmethod
    def pipe(source, target):
        try:
            while data := source.recv(65_536):
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()


class Balancer(Proxy):
    """Sends each connection to the next server that takes it, as a load balancer without health checks would."""

    def __init__(self, targets):
        self.targets = targets
        self.turn = 0
        super().__init__()
        self.address = f"http://127.0.0.1:{self.port}"

    def join(self, near):
        for _ in self.targets:
            self.turn += 1
            try:
                far = socket.create_connection(("127.0.0.1", self.targets[self.turn % len(self.targets)]), timeout=5)
            except OSError:
                continue
            far.settimeout(None)
            return near, far
        raise ConnectionRefusedError("no server takes the connection")


class Breakable(Proxy):
    """A connection to one server that a test cuts: what is open ends, and nobody else gets through until it is mended."""

    def __init__(self, target):
        self.target, self.is_cut = target, False
        self.open = set()
        super().__init__()
        self.address = f"http://127.0.0.1:{self.port}"

    def join(self, near):
        if self.is_cut:
            raise ConnectionRefusedError("the connection is cut")
        far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
        far.settimeout(None)
        self.open.add(near)
        return near, far

    def cut(self):
        self.is_cut = True
        for end in list(self.open):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.open.clear()

    def mend(self):
        self.is_cut = False


class Front(Proxy):
    """Ends TLS before a party that listens on loopback without it, as a proxy in a data centre does."""

    def __init__(self, target, certificate, key):
        self.target = target
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        super().__init__()

    def join(self, near):
        # A failed handshake closes its socket.
        near = self.context.wrap_socket(near, server_side=True)
        try:
            return near, socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            near.close()
            raise


class LossyLine:
    """HTTP to one server, on which requests or answers are lost as the program that uses it asks: `GET /line/requests`, `/line/answers` and
    `/line/nothing` say what is lost from then on. `/line/one-answer` answers once an answer to a POST was lost."""

    def __init__(self, target):
        self.loses, self.lost = "nothing", threading.Event()
        line = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path.startswith("/line/"):
                    line.told(self.path.removeprefix("/line/"))
                    return self.reply(204, [], b"")
                loses = line.loses
                if loses == "requests":
                    return self.hang_up()
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
                far = http.client.HTTPConnection("127.0.0.1", target, timeout=60)
                far.request(self.command, self.path, body or None, headers)
                answer = far.getresponse()
                content = answer.read()
                far.close()
                if loses == "answers":
                    if self.command == "POST":
                        line.lost.set()
                    return self.hang_up()
                return self.reply(answer.status, answer.getheaders(), content)

            do_GET = do_POST = do_PUT = do_DELETE = handle_any

            def hang_up(self):
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

            def reply(self, status, headers, content):
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("content-length", "connection", "transfer-encoding", "date", "server"):
                        self.send_header(name, value)
                # Each request has a connection of its own: on Linux, URLSession spins when one that it used before ends without an answer.
                self.send_header("Connection", "close")
                if status != 204:
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                """Says nothing."""

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """Whoever was killed while it waited is not answered."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def told(self, what):
        if what == "one-answer":
            self.lost.wait(60)
        else:
            self.loses = what
            self.lost.clear()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
