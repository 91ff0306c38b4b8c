"""What stands between the parties: a load balancer, a line that can be cut, and a proxy that ends TLS."""
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
