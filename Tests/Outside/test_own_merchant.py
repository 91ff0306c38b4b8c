"""A merchant's own back end, in plain Python, against the running program: orders with notes of its own, contacts as browsers give them, lists with
filters and cursors, and answers that are given again.
"""
import json
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from parties import Billfold, buy

# As a browser hands over a contact of which it knows the place alone.
CONTACT = {
    "addressLines": [], "administrativeArea": "", "country": "Netherlands", "countryCode": "NL", "familyName": "", "givenName": "",
    "locality": "Amsterdam", "phoneticFamilyName": "", "phoneticGivenName": "", "postalCode": "1000 AA", "subAdministrativeArea": "",
    "subLocality": ""}
ORDER = {
    "goods": "electronic", "currency": "CNY", "country": "CN", "merchantName": "Two Leaves",
    "lines": [{"label": "Song", "unitAmount": "12.00", "quantity": 1}]}
PARCEL = {
    **ORDER, "goods": "delivered", "shippingMethods": [{"identifier": "post", "label": "By post", "detail": "", "amount": "5.00"}]}


class OwnMerchant(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.billfold = Billfold().start()
        cls.addClassCleanup(cls.billfold.stop)
        cls.key = (cls.billfold.folder / "data/api.key").read_text().strip()

    def ask(self, method, path, body=None, key=None, bearer=None):
        """Status, headers and bytes of an answer, refusals too."""
        headers = {"Authorization": f"Bearer {bearer or self.key}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        request = urllib.request.Request(
            self.billfold.public + path, None if body is None else json.dumps(body).encode(), headers, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            return answer.status, answer.headers, answer.read()

    def order(self, reference, order=ORDER, **more):
        status, _, body = self.ask("POST", "/v1/orders", {**order, "reference": reference, **more}, key=f"order-{urllib.parse.quote(reference)}")
        self.assertEqual(status, 201, body)
        return json.loads(body)

    def listed(self, path):
        status, _, body = self.ask("GET", path)
        self.assertEqual(status, 200, body)
        return json.loads(body)

    def refused(self, answer, status, code):
        self.assertEqual((answer[0], json.loads(answer[2])["error"]["code"]), (status, code))

    def test_orders_are_found_page_by_page(self):
        made = [self.order(f"PAGE {number}/茶")["id"] for number in range(5)]
        seen, cursor = [], None
        while True:
            page = self.listed("/v1/orders?limit=2" + (f"&cursor={cursor}" if cursor else ""))
            self.assertLessEqual(len(page["orders"]), 2)
            seen += [each["id"] for each in page["orders"]]
            cursor = page.get("next")
            if cursor is None:
                break
        self.assertEqual([each for each in seen if each in made], made[::-1])
        self.assertEqual(len(seen), len(set(seen)))
        found = self.listed("/v1/orders?reference=" + urllib.parse.quote("PAGE 3/茶", safe=""))["orders"]
        self.assertEqual([each["id"] for each in found], [made[3]])
        self.assertNotIn("clientSecret", found[0])
        later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
        self.assertEqual(self.listed(f"/v1/orders?createdFrom={later}")["orders"], [])
        self.refused(self.ask("GET", "/v1/orders?state=succeeded"), 400, "malformed-request")
        self.refused(self.ask("GET", "/v1/orders", bearer="cs_two-leaves.00"), 401, "unauthorized")

    def test_payments_and_refunds_are_found(self):
        _, outcome = buy(self.billfold.sandbox, "longjing")
        self.assertEqual(outcome, "succeeded")
        payment = self.listed("/v1/payments?state=succeeded")["payments"][0]
        order = json.loads(self.ask("GET", f"/v1/orders/{payment['order']}")[2])
        body = {"amount": "0.01"}
        first = self.ask("POST", f"/v1/payments/{payment['id']}/refunds", body, key="refund-1")
        self.assertEqual(first[0], 201, first[2])
        refund = json.loads(first[2])["id"]
        by_reference = urllib.parse.quote(order["reference"], safe="")
        for path, member, expected in [
                (f"/v1/payments?reference={by_reference}", "payments", payment["id"]), (f"/v1/payments?order={order['id']}", "payments", payment["id"]),
                (f"/v1/refunds?payment={payment['id']}", "refunds", refund), (f"/v1/refunds?reference={by_reference}", "refunds", refund)]:
            with self.subTest(path):
                self.assertEqual([each["id"] for each in self.listed(path)[member]], [expected])
        for _ in range(100):
            if json.loads(self.ask("GET", f"/v1/refunds/{refund}")[2])["state"] == "succeeded":
                break
            time.sleep(0.2)
        again = self.ask("POST", f"/v1/payments/{payment['id']}/refunds", body, key="refund-1")
        self.assertEqual((again[0], again[2]), (first[0], first[2]))
        self.assertEqual((first[1]["Idempotent-Replayed"], again[1]["Idempotent-Replayed"]), (None, "true"))

    def test_a_repeated_order_is_the_first_answer(self):
        wish = {**ORDER, "reference": "TWICE", "metadata": {"cart": "7731"}}
        first = self.ask("POST", "/v1/orders", wish, key="twice")
        again = self.ask("POST", "/v1/orders", wish, key="twice")
        self.assertEqual((first[0], first[2]), (again[0], again[2]))
        self.assertEqual((first[1]["Idempotent-Replayed"], again[1]["Idempotent-Replayed"]), (None, "true"))
        order = json.loads(first[2])
        self.assertEqual(order["metadata"], {"cart": "7731"})
        customers = json.loads(self.ask("GET", f"/v1/orders/{order['id']}", bearer=order["clientSecret"])[2])
        self.assertNotIn("metadata", customers)
        self.refused(self.ask("POST", "/v1/orders", {**wish, "metadata": {}}, key="twice"), 422, "idempotency-conflict")

    def test_a_browsers_contact_is_taken(self):
        order = self.order("PARCEL", PARCEL, requiredShippingContactFields=["phoneticName"])
        self.assertIn("phoneticName", order["requiredShippingContactFields"])
        status, _, body = self.ask(
            "POST", f"/v1/orders/{order['id']}/quote", {"shippingContact": CONTACT, "couponCode": ""}, bearer=order["clientSecret"])
        self.assertEqual(status, 200, body)
        # Nobody can invent a token; it is refused for itself, and not for how it is written.
        for data in [{}, {"version": "EC_v1"}, '{"version":"EC_v1"}', "AAAA"]:
            with self.subTest(data=data):
                token = {"paymentData": data, "transactionIdentifier": "0f" * 32, "paymentMethod": {"displayName": "", "network": "", "type": ""}}
                answer = self.ask(
                    "POST", f"/v1/orders/{order['id']}/payments", {"token": token, "shippingContact": {**CONTACT, "countryCode": "CN"}},
                    key=f"pay-{json.dumps(data)}".replace(" ", ""), bearer=order["clientSecret"])
                self.refused(answer, 422, "token-refused")

    def test_a_currency_that_is_not_settled_is_refused_at_once(self):
        answer = self.ask("POST", "/v1/orders", {**ORDER, "reference": "USD-1", "currency": "USD", "country": "US"}, key="usd")
        self.refused(answer, 422, "currency-not-settled")
        self.assertEqual(self.listed("/v1/orders?reference=USD-1")["orders"], [])


if __name__ == "__main__":
    unittest.main()
