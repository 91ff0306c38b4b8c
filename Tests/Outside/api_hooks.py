"""What schemathesis does around each request: it loads this file into its own process, and test_api.py says what to use.

Generated cases stay as they are, except that what cannot be guessed is fed in: credentials, ids, and for the operations whose
body somebody has to sign, a body that was signed.
"""
import base64
import itertools
import json
import os
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import schemathesis
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from hypothesis import strategies
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData, CoverageScenario

import alipay_plus
import alipay_wallet
from parties import post

SETTING = json.loads(open(os.environ["BILLFOLD_API_SETTING"]).read())
KEY = SETTING.get("key", "")
LOCK = threading.Lock()
COUNTS = open(os.environ["BILLFOLD_API_COUNTS"], "a", buffering=1)
TURNS = {}
# How many sign-ins count, and since when.
ATTEMPTS = [0.0, 0.0]


def draw(name):
    """The pool's members in turn, over and over; `None` where it is empty."""
    with LOCK:
        turn = TURNS.setdefault(name, itertools.cycle(SETTING.get(name) or [None]))
        return next(turn)


def draw_once(name):
    """A member that nobody got before; `None` when all are used up."""
    with LOCK:
        pool = SETTING.get(name)
        return pool.pop() if pool else None


def is_other_method(case):
    data = case.meta.phase.data if case.meta else None
    return isinstance(data, CoveragePhaseData) and data.scenario == CoverageScenario.UNSPECIFIED_HTTP_METHOD


def name_of(case):
    return case.operation.definition.raw.get("operationId", "")


@schemathesis.auth(refresh_interval=None)
class Credential:
    """An API key, or where operators sign in a session; signing out has one of its own, which it ends."""

    def get(self, case, context):
        if SESSION:
            is_good = case.meta is None or case.meta.generation.mode.is_positive
            return sign_in() if is_good and name_of(case) == "signOut" else SESSION
        return SETTING.get("credentials", {}).get(name_of(case)) or KEY or None

    def set(self, case, credential, context):
        if SESSION:
            (name, token), proof = credential
            case.cookies = {**(case.cookies or {}), name: token}
            if not is_wrong(case, ParameterLocation.HEADER):
                case.headers["X-CSRF-Token"] = proof
        else:
            case.headers["Authorization"] = f"Bearer {credential}"


def use_credential(case, secret):
    """Replaces the credential where there is one: the checks that send none, or a wrong one, keep theirs."""
    if case.headers.get("Authorization") == f"Bearer {KEY}":
        case.headers["Authorization"] = f"Bearer {secret}"


def with_plain_integers(value):
    """To JSON Schema 2.0 is an integer; we take integers without a fraction, which no schema can demand."""
    if isinstance(value, dict):
        return {name: with_plain_integers(each) for name, each in value.items()}
    if isinstance(value, list):
        return [with_plain_integers(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def is_wrong(case, location):
    return case.meta is not None and case.meta.is_negative_at(location)


@schemathesis.hook
def before_call(context, case, kwargs):
    # A browser's word on the page that asks: with an invented one every operation refuses (403), which the files say once for all.
    case.headers.pop("Origin", None)
    if is_other_method(case):
        return
    is_good = case.meta is None or case.meta.generation.mode.is_positive
    if is_good and "Idempotency-Key" in case.headers:
        # Equal keys of different cases would be one request.
        case.headers["Idempotency-Key"] = (uuid.uuid4().hex + case.headers["Idempotency-Key"])[:255]
    if is_good:
        case.body = with_plain_integers(case.body)
    feed = FEEDS.get(name_of(case))
    if feed and not is_wrong(case, ParameterLocation.PATH):
        feed(case, is_good)
    if is_good and (party := SETTING.get("signers", {}).get(name_of(case))):
        kwargs["auth"] = PartySignature(**party)


@schemathesis.hook
def after_call(context, case, response):
    if not is_other_method(case):
        COUNTS.write(f"{name_of(case)} {response.status_code}\n")
    if name_of(case) in ("setAuthorFault", "getAuthorFault", "clearAuthorFault"):
        clear_author_faults()
    if name_of(case) == "setOrderFaults":
        clear_order_faults()


def feed_order(case, is_good):
    order = draw("orders")
    case.path_parameters["id"] = order["id"]
    return order


def feed_client(case, is_good):
    order = feed_order(case, is_good)
    use_credential(case, order["secret"])


def feed_number(case, is_good):
    """An order by UnionPay's own client: the choice that all ask with gets the one number."""
    feed_client(case, is_good)
    if is_good:
        case.body = {}


def feed_payment(case, is_good):
    kept = draw_once("kept") if is_good else None
    if kept is None:
        return feed_client(case, is_good)
    case.path_parameters["id"] = kept["id"]
    case.body = kept["body"]
    use_credential(case, kept["secret"])


def feed_refund(case, is_good):
    case.path_parameters["id"] = draw("payments")
    if is_good and draw("turns"):
        case.body["amount"] = "0.01"


def feed_cancellation(case, is_good):
    case.path_parameters["id"] = (draw_once("cancellable") if is_good else None) or draw("payments")


def feed_new_order(case, is_good):
    """Every other order has prices that are possible together: no schema can say so."""
    if not is_good or not draw("turns"):
        return
    body = case.body
    body["currency"], body["reference"] = "CNY", uuid.uuid4().hex
    for line in body["lines"]:
        line.update(unitAmount="33.00", quantity=1, taxRate="0.13")
    for number, method in enumerate(body.get("shippingMethods", [])):
        method.update(identifier=f"m{number}", amount="5.00")
    for number, coupon in enumerate(body.get("coupons", [])):
        coupon.update(code=f"c{number}", percentOff="12.5")


def feed_day(case, is_good):
    if is_good and draw("turns"):
        case.body["settleDate"] = SETTING["day"]


def feed_notification(case, is_good):
    if is_good and draw("turns"):
        case.body = dict(draw("notifications"))


def feed_stream(case, is_good):
    """A story that has entries, from its beginning: a stream of what is still to come would stay silent."""
    if is_good:
        case.path_parameters["id"] = draw("stories")
        case.headers.pop("Last-Event-ID", None)
        case.query = {"after": 0}


def wait_for_attempt():
    """The console takes five sign-ins of a name from an address, then one every ten seconds; one of them is left to the cases."""
    with LOCK:
        now = time.monotonic()
        filled, at = ATTEMPTS
        filled = max(0, filled - (now - at) / 10) + 1
        wait = max(0, filled - 4) * 10
        ATTEMPTS[:] = filled, now
    time.sleep(wait)


def sign_in():
    body = json.dumps(SETTING["operator"]).encode()
    while True:
        wait_for_attempt()
        request = urllib.request.Request(SETTING["console"] + "/api/session", body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.headers["Set-Cookie"].split(";")[0].split("=", 1), json.loads(answer.read())["csrfToken"]
        except urllib.error.HTTPError as refusal:
            # What else comes from this address, wrong names say, counts as well.
            if refusal.code != 429:
                raise
            time.sleep(int(refusal.headers["Retry-After"]))


SESSION = sign_in() if "operator" in SETTING else None


def feed_credentials(case, is_good):
    if is_good and draw("turns"):
        wait_for_attempt()
        case.body = SETTING["operator"]


def feed_approval(case, is_good):
    """A request that waits: it asks to take down a mini program that nobody knows."""
    if is_good:
        wish = {"kind": "mini-program-take-down", "subject": "nobody", "detail": json.dumps({"reason": "a test"})}
        case.path_parameters["id"] = post(SETTING["console"] + "/api/approvals", wish, timeout=60)["id"]


def feed_wish(case, is_good):
    if is_good and draw("turns"):
        case.body |= {"kind": "mini-program-take-down", "detail": json.dumps({"reason": "a test"})}


def feed_path(name, parameter="id"):
    def feed(case, is_good):
        if value := draw(name):
            case.path_parameters[parameter] = value
    return feed


# Nothing that anybody signed: a good request is fed in.
schemathesis.openapi.media_type("application/x-pem-file", strategies.binary(max_size=1000))


def feed_client_order(case, is_good):
    """A browser that has an order of its own."""
    if is_good and draw("turns") and not is_wrong(case, ParameterLocation.COOKIE):
        case.cookies = {**(case.cookies or {}), "unionpay-order": draw("clientOrders")}


def feed_client_cart(case, is_good):
    if is_good and draw("turns") and not is_wrong(case, ParameterLocation.COOKIE):
        case.cookies = {**(case.cookies or {}), "cart": f"{draw('products')}.1"}


def feed_client_token(case, is_good):
    """What has a token's form, which is all that the gateway looks at."""
    case.path_parameters["tn"] = draw("numbers")
    if is_good and draw("turns"):
        header = {name: base64.b64encode(bytes(count)).decode() for name, count in (("wrappedKey", 256), ("publicKeyHash", 32))}
        token = {"version": "RSA_v1", "data": base64.b64encode(bytes(64)).decode(), "signature": "AAAA", "header": {**header, "transactionId": "0" * 64}}
        case.body = {"mode": "01", "merchantIdentifier": "merchant.example", "paymentData": base64.b64encode(json.dumps(token).encode()).decode()}


def feed_broker(name):
    """A card on its way into its own device, with what its customer does next."""
    def feed(case, is_good):
        if is_good and draw("turns") and (known := draw(name)):
            # Cases of one operation may share what they are made of.
            case.path_parameters = {**case.path_parameters, **{name: known[name] for name in ("element", "card") if name in known}}
            if "body" in known:
                case.body = dict(known["body"])
    return feed


def feed_request(name):
    def feed(case, is_good):
        if is_good and draw("turns"):
            case.body = draw(name)
    return feed


def feed_phone(case, is_good):
    """A phone that nobody used; of very many, the oldest are put away."""
    phone = post(SETTING["sandbox"] + "/phone/sessions", {"model": "ready", "lines": [{"product": draw("products"), "quantity": 1}]})
    case.path_parameters["session"] = phone["session"]
    return f"{SETTING['sandbox']}/phone/sessions/{phone['session']}"


def feed_screen(case, is_good):
    """A wrong question that is wrong elsewhere, by a parameter that nobody knows say, would wait longer than its answer may take."""
    feed_phone(case, is_good)
    query = case.query or {}
    case.query = {"wait": 0, **query} if is_wrong(case, ParameterLocation.QUERY) else {**query, "wait": 0}


def feed_screens(case, is_good):
    """The phone of somebody who pays, which has more than one screen to show."""
    post(feed_phone(case, is_good) + "/taps", {"do": "pay"})


def feed_tap(case, is_good):
    feed_phone(case, is_good)
    if is_good and draw("turns"):
        case.body = {"do": "pay"}


def feed_bank_phone(case, is_good):
    """A phone with the bank's app that nobody used."""
    phone = post(SETTING["sandbox"] + "/bank/phones", {"model": "trusted"})
    case.path_parameters["session"] = phone["session"]


def feed_bank_screen(case, is_good):
    feed_bank_phone(case, is_good)
    query = case.query or {}
    case.query = {"wait": 0, **query} if is_wrong(case, ParameterLocation.QUERY) else {**query, "wait": 0}


def feed_bank_tap(case, is_good):
    feed_bank_phone(case, is_good)
    if is_good and draw("turns"):
        case.body = {"do": "switchTo", "value": "wallet"}


def feed_super_app_phone(case, is_good):
    """A phone with the super app that nobody used."""
    phone = post(SETTING["sandbox"] + "/super-app/phones", {})
    case.path_parameters["session"] = phone["session"]


def feed_super_app_screen(case, is_good):
    feed_super_app_phone(case, is_good)
    query = case.query or {}
    case.query = {"wait": 0, **query} if is_wrong(case, ParameterLocation.QUERY) else {**query, "wait": 0}


def feed_super_app_tap(case, is_good):
    feed_super_app_phone(case, is_good)
    if is_good and draw("turns"):
        case.body = {"do": "network", "value": "off"}


def feed_listing(case, is_good):
    if is_good and draw("turns"):
        case.body = {"card": draw("cards"), "secureElement": draw("secureElements"), "allowed": draw("turns")}


def feed_token(case, is_good):
    if is_good and draw("turns"):
        case.path_parameters["reference"] = draw("tokens")
        case.body = {"action": draw("tokenActions"), "reason": "Z"}


def feed_lost(case, is_good):
    if is_good and draw("turns"):
        case.body = {"secureElement": draw("secureElements")}


def feed_found(case, is_good):
    if is_good and draw("turns"):
        case.body = {"secureElement": draw("lostElements"), "remark": "in her bag"}


def feed_product(case, is_good):
    if is_good and draw("turns"):
        case.path_parameters["product"] = draw("products")


def feed_cart(case, is_good):
    if is_good and draw("turns"):
        case.body["product"] = draw("products")


def feed_checkout(case, is_good):
    if is_good and draw("turns"):
        case.body = {"lines": [{"product": draw("products"), "quantity": 1}], "reference": uuid.uuid4().hex}


def feed_session(case, is_good):
    """Of a customer whom the processor has not, it says that it has no answer."""
    if is_good:
        case.body["customer"] = draw("customers")


def feed_pass_data(case, is_good):
    """What the wallet hands over, as nobody used it; a card is asked about so often and no more."""
    feed_path("cards")(case, is_good)
    if is_good and (challenge := draw_once("challenges")):
        case.body = challenge


def feed_named_card(case, is_good):
    if is_good:
        case.body["cardNumber"] = draw("cards")


def feed_documented_pass_data(case, is_good):
    """The same in the form of apps that were written before: base64, and the card beside it."""
    if is_good and (challenge := draw_once("documentedChallenges")):
        texts = {name: base64.b64encode(bytes.fromhex(challenge[name])).decode() for name in ("nonce", "nonceSignature")}
        case.body = {"cardNumber": draw("cards"), "certificates": challenge["certificates"], **texts}


def feed_activation(case, is_good):
    """A card's token that waits for its customer."""
    feed_path("cards")(case, is_good)
    if is_good and (token := draw_once("waiting")):
        case.path_parameters["id"], case.body = token["card"], {"tokenReference": token["token"]}


def feed_card_event(case, is_good):
    """Of a card that no other operation needs, and now: each under an id of its own."""
    if not is_good:
        return
    events = case.body["events"] if name_of(case) == "reportCardEvents" else [case.body]
    for event in events:
        event["eventId"], event["occurredAt"] = uuid.uuid4().hex, int(time.time() * 1000)
        if draw("turns") or event["card"] in SETTING.get("cards", []):
            event["card"] = draw("eventCards")


def feed_import(case, is_good):
    """A part that is new: with other cards it would be one that was taken."""
    if is_good:
        case.body["importId"] = uuid.uuid4().hex


def feed_bank_token(case, is_good):
    """A token that other operations leave alone."""
    case.path_parameters["reference"] = draw("bankTokens")
    if is_good and name_of(case) == "actOnBankToken" and (draw("turns") or case.body["action"] == "delete"):
        case.body = {"action": draw("bankActions"), "reason": "Z"}


def feed_transaction(case, is_good):
    if is_good:
        case.body["transactionId"], case.body["occurredAt"] = uuid.uuid4().hex, int(time.time() * 1000)
        if draw("turns"):
            case.body |= {"card": draw("cards"), "amount": {"value": "12.30", "currency": "EUR"}}


def feed_allowed(case, is_good):
    if is_good and draw("turns"):
        case.body["card"] = draw("cards")


def feed_told(name):
    """What a network sealed or said before: told again, it is answered again."""
    def feed(case, is_good):
        if is_good and draw("turns"):
            case.body = dict(draw(name))
    return feed


def feed_key(case, is_good):
    """An RSA key now and then: it takes its time to make."""
    if is_good:
        case.body["key"] = draw("keys")


def feed_registration(case, is_good):
    if is_good and draw("turns"):
        case.body = {"merId": case.body["merId"], "secureKey": "a key for keyed hashes"}


def feed_acquirer(case, is_good):
    """A link that is inferred between two operations may bring another party's name for a merchant's number."""
    if is_good and "merId" in (case.query or {}) and not re.fullmatch("[0-9]{15}", str(case.query["merId"])):
        case.query["merId"] = "777290058110048"


def feed_serial(case, is_good):
    if is_good and draw("turns"):
        case.path_parameters["serial"] = draw("serials")


if "application" in SETTING:
    APPLICATION_KEY = load_pem_private_key(SETTING["application"]["key"].encode(), None)


def order_string(amount="8.00"):
    """An order that nobody showed yet."""
    application = SETTING["application"]
    content = {"out_trade_no": uuid.uuid4().hex, "total_amount": amount, "subject": "Tea", "product_code": "QUICK_MSECURITY_PAY"}
    return urllib.parse.urlencode(alipay_wallet.modern(
        APPLICATION_KEY, application["appID"], "alipay.trade.app.pay", content, notify_url=application["notify"]))


def linked(path, body):
    return post(f"{SETTING['gateway']}/link/v1/{path}", {"requestId": uuid.uuid4().hex, **body}, {"Authorization": f"Bearer {SETTING['walletKey']}"})


def shown_order():
    return linked("orders", {"order": order_string(), "channel": "app"})["ref"]


BUYER = {"id": "2088000000000017", "logonID": "mei***@example.test"}


def gateway_call():
    """A signed call of either generation, for a trade that is there or that is not."""
    name = draw("gatewayCalls")
    number = draw("outTradeNos")
    if "." not in name:
        parameters = {"out_trade_no": number} if name == "single_trade_query" else {}
        return alipay_wallet.legacy(SETTING["md5"], SETTING["application"]["partner"], name, parameters)
    content = {"out_trade_no": number}
    if name == "alipay.trade.refund":
        content |= {"refund_amount": "0.01", "out_request_no": uuid.uuid4().hex}
    return alipay_wallet.modern(APPLICATION_KEY, SETTING["application"]["appID"], name, content)


def feed_gateway_query(case, is_good):
    if is_good and draw("turns"):
        case.query = gateway_call()


def feed_gateway_form(case, is_good):
    """A charset counts in the query alone."""
    if is_good and draw("turns"):
        form = gateway_call()
        case.query = {name: form.pop(name) for name in ("charset", "_input_charset") if name in form}
        case.media_type, case.body = "application/x-www-form-urlencoded", form


def feed_confirmation(case, is_good):
    """A batch of refunds: its call is the merchant's, and the password is typed by a person of it."""
    if not is_good or not draw("turns"):
        return
    call = alipay_wallet.legacy(SETTING["md5"], SETTING["application"]["partner"], "refund_fastpay_by_platform_pwd", {
        "batch_no": f"{SETTING['batchDay']}{uuid.uuid4().hex[:16]}", "batch_num": "1", "refund_date": "2026-11-21 04:00:00",
        "detail_data": "2026112122000000000000000009^0.01^cold"})
    case.media_type = "application/x-www-form-urlencoded"
    case.body = {"call": urllib.parse.urlencode(call), "password": SETTING["refundPassword"]}


def feed_bill(case, is_good):
    """An address is good for half a minute."""
    if not is_good or not draw("turns"):
        return
    call = alipay_wallet.modern(
        APPLICATION_KEY, SETTING["application"]["appID"], "alipay.data.dataservice.bill.downloadurl.query",
        {"bill_type": "trade", "bill_date": SETTING["billDay"]})
    with urllib.request.urlopen(f"{SETTING['gateway']}/gateway.do?{urllib.parse.urlencode(call)}", timeout=60) as answer:
        node = json.loads(answer.read())["alipay_data_dataservice_bill_downloadurl_query_response"]
    case.path_parameters["token"] = node["bill_download_url"].rsplit("/", 1)[1]


def feed_shown_order(case, is_good):
    if is_good:
        case.body["requestId"] = uuid.uuid4().hex
        if draw("turns"):
            case.body["order"] = order_string()
            case.body.pop("tradeNo", None)


def feed_trade(case, is_good):
    if is_good:
        case.body["requestId"] = uuid.uuid4().hex
        if draw("turns"):
            case.body["ref"] = shown_order()


def feed_link_payment(case, is_good):
    if is_good:
        case.body["requestId"] = uuid.uuid4().hex
        if draw("turns"):
            trade = linked("trades", {"ref": shown_order(), "buyer": BUYER})
            case.body = {"requestId": uuid.uuid4().hex, "tradeNo": trade["tradeNo"], "buyerID": BUYER["id"], "amount": trade["payable"]}


def feed_merchant(case, is_good):
    """Keys are keys and certificate requests are requests, which no schema says."""
    if is_good and draw("turns"):
        case.body = {"partner": f"2088{uuid.uuid4().int % 10**12:012d}", "name": "Somebody", "refundPacing": "documented"}


def feed_cashier(case, is_good):
    if is_good and draw("turns"):
        case.body = {**case.body, "order": order_string()}
        # A browser gives some schemes a meaning of their own.
        case.body.pop("scheme", None)


def feed_checkout_page(case, is_good):
    case.path_parameters["token"] = draw("checkouts")


def feed_customer_refund(case, is_good):
    """A cent of what a customer paid, each under an id of its own."""
    if is_good and draw("turns"):
        case.body = {**draw("walletPayments"), "requestId": uuid.uuid4().hex, "amount": {"value": "0.01", "currency": "CNY"}}


def feed_places(name):
    """What the path says, in all its parameters."""
    def feed(case, is_good):
        if is_good and (place := draw(name)):
            case.path_parameters.update(place)
    return feed


class PartySignature:
    """Signs what is sent, as it is sent."""

    KEYS = {name: load_pem_private_key(pem.encode(), None) for name, pem in SETTING.get("partyKeys", {}).items()}

    def __init__(self, key, client):
        self.key, self.client = self.KEYS[key], client

    def __call__(self, request):
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        path = urllib.parse.urlsplit(request.url).path
        request.headers.update(alipay_plus.signed_headers(self.key, self.client, path, body))
        return request


def feed_plus_payment(case, is_good):
    """A payment that is new, or one that is known."""
    if is_good and draw("turns"):
        case.body = {**draw("payRequests"), **({"paymentRequestId": uuid.uuid4().hex} if draw("turns") else {})}


def feed_plus_name(case, is_good):
    if is_good and draw("turns"):
        case.body = {**(case.body or {}), "paymentRequestId": draw("paymentNames")}
        case.body.pop("paymentId", None)


def feed_choice(case, is_good):
    case.path_parameters["reference"] = draw("sheets")
    if is_good and draw("turns"):
        case.body["wallet"] = "TEST_PH"


def feed_option(case, is_good):
    if is_good and draw("turns"):
        case.path_parameters.update(draw("options"))


def feed_exchange(case, is_good):
    """A code or a refresh token that nobody used; afterwards, invented ones."""
    if is_good and (exchange := draw_once("exchanges")):
        older = name_of(case) == "exchangeTokenOlder"
        case.body = {name: each for name, each in exchange.items() if not older or name not in ("appId", "authClientId")}


def feed_person(case, is_good):
    if is_good and draw("turns"):
        case.body = dict(SETTING["person"])


def asked(address, body=None, credential=None, method=None):
    """A request of this file's own: what it needs is not what is tried."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {credential}"} if credential else {})}
    request = urllib.request.Request(address, None if body is None else json.dumps(body).encode(), headers, method=method or ("GET" if body is None else "POST"))
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


AUTHOR_OPERATIONS = ["sign-in", "order", "order-state", "apply-token"]


def feed_author_code(case, is_good):
    """A code that nobody used, so often and no more: the wallet counts a user's. The clock is moved meanwhile, so it is fetched at once."""
    if is_good and draw_once("authorCodes"):
        app = SETTING["authorApp"]
        session = asked(SETTING["public"] + "/v1/users/sessions", SETTING["person"])["session"]
        wish = {**app, "scopes": ["auth_base"]}
        code = asked(SETTING["public"] + "/v1/authorizations/applyAuthCode", wish, session)["authCode"]
        case.body = {"authCode": code, "appId": app["appId"]}


def feed_author_order(case, is_good):
    if is_good and draw("turns"):
        case.body = {"offer": "longjing", "form": draw("forms")}


def feed_author_question(case, is_good):
    if is_good:
        order = asked(SETTING["sandbox"] + "/author/v1/orders", {"offer": "longjing", "form": "orderStr"})
        case.path_parameters["number"] = order["number"]


def feed_author_fault(case, is_good):
    if is_good:
        operation = case.path_parameters["operation"] = draw("authorOperations")
        asked(f"{SETTING['sandbox']}/author/v1/faults/{operation}", {"fault": "reply-late", "delayMilliseconds": 1}, method="PUT")


def feed_order_faults(case, is_good):
    """An order that has a plan. Another case may take it away before this one asks."""
    if is_good and draw("turns"):
        journey, order = "express-order", f"api-{uuid.uuid4().hex}"
        case.path_parameters.update(journey=journey, order=order)
        case.query = {}
        asked(f"{SETTING['sandbox']}/faults/orders/{journey}/{order}", {"faults": ["reply-late"]}, method="PUT")


def clear_order_faults():
    """What a case sets is not to befall the next ones."""
    for plan in asked(f"{SETTING['sandbox']}/faults/orders")["plans"]:
        if not plan["order"].startswith("api-"):
            owner = f"?owner={urllib.parse.quote(plan['owner'])}" if "owner" in plan else ""
            try:
                asked(f"{SETTING['sandbox']}/faults/orders/{plan['journey']}/{plan['order']}{owner}", method="DELETE")
            except urllib.error.HTTPError:
                # Another case has cleared it.
                pass


def clear_author_faults():
    """What a case sets is not to befall the next ones."""
    for operation in AUTHOR_OPERATIONS:
        asked(f"{SETTING['sandbox']}/author/v1/faults/{operation}", method="DELETE")


def feed_session_end(case, is_good):
    """A session that nobody ended; the checks that send none, or a wrong one, keep theirs."""
    known = SETTING["credentials"]["endUserSession"]
    if is_good and case.headers.get("Authorization") == f"Bearer {known}" and (session := draw_once("endable")):
        case.headers["Authorization"] = f"Bearer {session}"


def feed_page(case, is_good):
    """A list's first page: a cursor belongs to the list and filters of the page before."""
    if is_good and draw("turns"):
        (case.query or {}).pop("cursor", None)


def feed_page_of(places, owner):
    """The list of somebody who is registered."""
    def feed(case, is_good):
        case.path_parameters[owner] = draw(places)[owner]
        feed_page(case, is_good)
    return feed


def feed_listed(case, is_good):
    """Names of what there is, where a list is asked for by names."""
    if is_good and draw("turns"):
        case.query = {**(case.query or {}), "ids": draw("miniPrograms")}


def feed_events(case, is_good):
    """A cursor that the feed gave out, and an object that has events; others answer too."""
    if is_good and draw("turns"):
        query = dict(case.query or {})
        query.update({"after": draw("eventCursors"), "object": draw("eventObjects")})
        case.query = query


def feed_event_stream(case, is_good):
    """From the beginning of a feed that has events: a stream of what is still to come would stay silent."""
    if is_good:
        case.headers.pop("Last-Event-ID", None)
        case.query = {"after": "evc_0"}


def feed_resend(case, is_good):
    case.path_parameters["id"] = draw("events")
    if is_good and draw("turns"):
        case.body = {"endpoint": draw("endpoints")}


def feed_hook(case, is_good):
    if is_good and (hook := draw_once("hooks")):
        case.body = hook


def feed_endpoint_change(case, is_good):
    case.path_parameters["id"] = draw("endpoints")
    if is_good and draw("turns"):
        case.body = {"events": ["payment.failed"], "enabled": True}


def feed_rotation(case, is_good):
    """One rotation overlaps at a time; without an overlap there is always another."""
    case.path_parameters["id"] = draw("endpoints")
    if is_good and draw("turns"):
        case.body = {"overlap": 0}


def feed_endpoint_end(case, is_good):
    """Others are needed still."""
    if is_good and (name := draw_once("deletable")):
        case.path_parameters["id"] = name


FEEDS = {
    "listEvents": feed_events, "followEvents": feed_event_stream, "readEvent": feed_path("events"), "listDeliveries": feed_path("events"),
    "resendEvent": feed_resend, "addEndpoint": feed_hook, "readEndpoint": feed_path("endpoints"), "changeEndpoint": feed_endpoint_change,
    "deleteEndpoint": feed_endpoint_end, "rotateEndpointKey": feed_rotation,
    "openUserSession": feed_person, "endUserSession": feed_session_end,
    "openAuthorSession": feed_author_code, "makeAuthorOrder": feed_author_order, "askAuthorOrder": feed_author_question,
    "getAuthorFault": feed_author_fault,
    "applyAuthCode": feed_request("scopes"), "agree": feed_request("scopes"), "exchangeToken": feed_exchange,
    "exchangeTokenOlder": feed_exchange, "inquiryUserInfo": feed_request("inquiries"), "prepareContract": feed_request("contracts"),
    "readContract": feed_path("addresses", "token"), "signContract": feed_path("addresses", "token"), "listApps": feed_listed,
    "readMetadata": feed_path("miniPrograms", "appId"), "readPackage": feed_path("packages", "sha256"),
    "putPage": feed_path("miniPrograms", "appId"),
    "takeStep": feed_path("miniPrograms", "appId"), "inquireApp": feed_path("miniPrograms", "appId"),
    "putCode": feed_path("miniPrograms", "appId"), "registerAtSuperApp": feed_request("registrations"),
    "beginPayment": feed_plus_payment, "inquirePayment": feed_plus_name, "cancelByAcquirer": feed_plus_name,
    "refundByAcquirer": feed_plus_name, "showSheet": feed_path("sheets", "reference"), "showEntry": feed_path("sheets", "reference"),
    "readSheet": feed_path("sheets", "reference"), "chooseWallet": feed_choice, "readSandboxOption": feed_option,
    "readLogo": feed_path("logos", "name"), "registerAcquirer": feed_request("acquirers"), "registerWallet": feed_request("wallets"),
    "callGateway": feed_gateway_query, "postGateway": feed_gateway_form, "downloadBill": feed_bill, "confirmRefunds": feed_confirmation, "showOrder": feed_shown_order,
    "openTrade": feed_trade, "pay": feed_link_payment, "askPayment": feed_path("paymentRequests", "requestId"),
    "withdrawPayment": feed_path("paymentRequests", "requestId"),
    "askResult": feed_path("refs", "ref"), "openCashier": feed_cashier, "checkoutResult": feed_checkout_page,
    "closeCheckout": feed_checkout_page, "refundCustomer": feed_customer_refund, "replayNotification": feed_places("notifications"), "resendRefund": feed_places("owedRefunds"),
    "replayAcquiringNotification": feed_places("plusNotifications"), "retryAcquiringAlarm": feed_places("stuckAlarms"),
    "clearAcquiringAlarm": feed_places("amountAlarms"),
    "resendEventByOperator": feed_places("resendable"), "webhookOwnerPage": feed_places("toldOwners"), "webhookEventPage": feed_places("toldEvents"),
    "acquiringPaymentPage": feed_path("plusPayments"), "miniProgramPage": feed_path("hosted"),
    "gatewayTradePage": feed_path("trades", "number"),
    "createOrder": feed_new_order, "readOrder": feed_order, "quoteOrder": feed_client, "payOrder": feed_payment,
    "askForNumber": feed_number, "takeAppResult": feed_client,
    "readPayment": feed_path("payments"), "refundPayment": feed_refund, "cancelPayment": feed_cancellation,
    "listOrders": feed_page, "listPayments": feed_page, "listRefunds": feed_page,
    "listTrades": feed_page_of("notifications", "merchant"), "listAcquiringPayments": feed_page_of("plusNotifications", "acquirer"),
    "readRefund": feed_path("refunds"), "reconcile": feed_day, "takeNotification": feed_notification,
    "getStory": feed_path("stories"), "followStory": feed_stream, "signIn": feed_credentials,
    "getScreen": feed_screen, "followScreens": feed_screens, "tapPhone": feed_tap, "product": feed_product, "setQuantity": feed_cart,
    "addBrokerCard": feed_broker("sealedCards"), "removeBrokerCard": feed_broker("removableCards"),
    "enableBrokerCard": feed_broker("enabledCards"), "requestBrokerCode": feed_broker("waitingCards"),
    "listBrokerPasses": feed_broker("devices"), "setBrokerDeviceLost": feed_broker("lostDevices"),
    "clientOrder": feed_client_order, "bringClientResult": feed_client_order, "payCartByClient": feed_client_cart,
    "openClient": feed_path("numbers", "tn"), "payInClient": feed_path("numbers", "tn"), "declineInClient": feed_path("numbers", "tn"),
    "leaveClient": feed_path("numbers", "tn"), "clientOrderFacts": feed_path("numbers", "tn"), "payByToken": feed_client_token,
    "checkOut": feed_checkout, "issueProcessing": feed_request("processing"), "issueIdentity": feed_request("identity"),
    "rotateKey": feed_key, "getCertificate": feed_serial, "activateCertificate": feed_serial, "registerMerchant": feed_merchant if "application" in SETTING else feed_registration, "gatewayOrders": feed_acquirer, "gatewayBooks": feed_acquirer,
    "getOrderFaults": feed_order_faults, "clearOrderFaults": feed_order_faults,
    "getPlan": feed_path("plans", "name"), "resendBackNotice": feed_places("backNotices"),
    "getSuperAppScreen": feed_super_app_screen, "followSuperAppScreens": feed_super_app_phone, "tapSuperAppPhone": feed_super_app_tap,
    "getBankScreen": feed_bank_screen, "followBankScreens": feed_bank_phone, "tapBankPhone": feed_bank_tap,
    "provisioningCardPage": feed_path("cards"), "switchProgramme": feed_path("programmes"), "switchCard": feed_path("cards"), "replaceCard": feed_path("cards"),
    "allowDevice": feed_listing, "actOnToken": feed_token, "reportLost": feed_lost, "reportFound": feed_found,
    "openSession": feed_session, "readEligibility": feed_path("cards"), "readConfiguration": feed_path("cards"),
    "makePassData": feed_pass_data, "readDocumentedConfiguration": feed_named_card,
    "makeDocumentedPassData": feed_documented_pass_data, "activateToken": feed_activation, "decide": feed_told("decisions"), "deliverCode": feed_told("codes"),
    "takeEvent": feed_told("events"), "reportCardEvent": feed_card_event, "reportCardEvents": feed_card_event, "importCards": feed_import,
    "readCard": feed_path("cards"), "listCardMessages": feed_path("cards"), "readCardImport": feed_path("imports", "import"), "readToken": feed_bank_token, "actOnBankToken": feed_bank_token,
    "turnProgramme": feed_path("switchable"), "turnCard": feed_path("switchableCards"), "allowPair": feed_allowed,
    "reportTransaction": feed_transaction,
    "orderPage": feed_path("orderIds"), "requestApproval": feed_wish, "approve": feed_approval, "reject": feed_approval,
}
