"""What one caller keeps busy, others do not wait for, and nothing that hangs outlives SIGTERM for long.

Hashing that never ends and a disk that never answers are made by a library in front of the program's own (stuck.c).
"""
import base64
import datetime
import http.client
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID

from parties import Billfold, buy, post

# The listeners' grace, what is left to workers and stores, what closing may take, and a little.
LIMIT = 20 + 5 + 3 + 3


def key_file(rounds):
    """A PKCS#12 file whose key's password is hashed so often; the password is 000000."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(7)
        .not_valid_before(now).not_valid_after(now + datetime.timedelta(days=2)).sign(key, hashes.SHA256()))
    sealing = (
        serialization.PrivateFormat.PKCS12.encryption_builder().kdf_rounds(rounds)
        .key_cert_algorithm(pkcs12.PBES.PBESv2SHA256AndAES256CBC).hmac_hash(hashes.SHA256()).build(b"000000"))
    return base64.b64encode(pkcs12.serialize_key_and_certificates(b"x", key, certificate, None, sealing)).decode()


class PoolTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.built = tempfile.TemporaryDirectory(prefix="billfold-stuck-")
        cls.library = pathlib.Path(cls.built.name) / "stuck.so"
        source = pathlib.Path(__file__).resolve().parent / "stuck.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", cls.library, source, "-ldl"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.built.cleanup()

    def billfold(self):
        billfold = Billfold()
        billfold.environment = {**os.environ, "LD_PRELOAD": str(self.library), "BILLFOLD_STUCK": str(billfold.folder)}
        return billfold

    def submit(self, billfold, artifacts, source="127.0.0.1", timeout=60):
        """Hands artifacts to the doctor from an address. Returns status, page and seconds; None for a status where nobody waited."""
        host, port = billfold.console.removeprefix("http://").split(":")
        start = time.monotonic()
        connection = http.client.HTTPConnection(host, int(port), timeout=timeout, source_address=(source, 0))
        try:
            connection.request(
                "POST", "/doctor", json.dumps({"artifacts": artifacts}), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), time.monotonic() - start
        except TimeoutError:
            return None, "", time.monotonic() - start
        finally:
            connection.close()

    def test_diagnoses_are_bounded_and_end_with_their_requests(self):
        usual, dear = key_file(2_048), key_file(2_000_000)
        with self.billfold() as billfold:
            with self.subTest("a file of too many rounds is told of with the number, and costs nothing"):
                status, page, seconds = self.submit(billfold, [{"name": f"{n}.p12", "bytes": dear} for n in range(12)])
                self.assertEqual(status, 200)
                self.assertLess(seconds, 5)
                self.assertIn("pkcs12-rounds", page)
                self.assertRegex(page, r"\b4\d{6}\b")
            with self.subTest("a usual file is read"):
                status, page, _ = self.submit(billfold, [{"name": "a.p12", "bytes": usual}])
                self.assertEqual((status, "pkcs12-rounds" in page), (200, False))
                self.assertIn("certId", page)

            stuck = billfold.folder / "hashing"
            stuck.touch()
            clients = [
                threading.Thread(target=self.submit, args=(billfold, [{"name": "a.p12", "bytes": usual}]), kwargs={"timeout": 8})
                for _ in range(8)]
            for client in clients:
                client.start()
            time.sleep(1)
            with self.subTest("beside work that hangs, another caller is answered, and a payment is made"):
                status, _, seconds = self.submit(billfold, [{"name": "a", "bytes": "AAAA"}], source="127.0.0.2")
                self.assertEqual(status, 200)
                self.assertLess(seconds, 5)
                start = time.monotonic()
                self.assertEqual(buy(billfold.sandbox, "longjing")[1], "succeeded")
                self.assertLess(time.monotonic() - start, 20)
            with self.subTest("one caller has so many places"):
                status, page, _ = self.submit(billfold, [{"name": "a", "bytes": "AAAA"}])
                self.assertEqual((status, json.loads(page)["error"]["code"]), (429, "rate-limited"))
            for client in clients:
                client.join()
            with self.subTest("SIGTERM is obeyed beside work that never ends"):
                start = time.monotonic()
                billfold.process.terminate()
                self.assertEqual(billfold.process.wait(LIMIT), 0)
                self.assertLess(time.monotonic() - start, 15)
                log = billfold.log.read_text()
                self.assertIn("asked to stop", log)
                self.assertNotIn("ended by force", log)

    def test_a_disk_that_never_answers_outlives_no_grace(self):
        with self.billfold() as billfold:
            (billfold.folder / "disk").touch()

            def change():
                try:
                    post(f"{billfold.sandbox}/phone/sessions", {"model": "ready", "lines": [{"product": "longjing", "quantity": 1}]})
                    buy(billfold.sandbox, "longjing")
                except OSError:
                    pass

            threading.Thread(target=change, daemon=True).start()
            time.sleep(2)
            start = time.monotonic()
            billfold.process.terminate()
            billfold.process.wait(LIMIT)
            self.assertLess(time.monotonic() - start, LIMIT)
            self.assertIn("asked to stop", billfold.log.read_text())


if __name__ == "__main__":
    unittest.main()
