"""The customer of the back ends under `Examples/BackEnds`: pays at the address that one of them prints, as a browser without script does."""
import html
import http.client
import re
import time
import urllib.parse

from alipay_wallet import MEI, Browser, Page, connect, result_of


def pay(address):
    """Pays at a page of UnionPay's client, of the web cashier, or at the payment sheet."""
    place = urllib.parse.urlsplit(address)
    if place.path.startswith("/unionpay/pay/"):
        pay_number(place)
    elif place.path.startswith("/cashier/"):
        pay_express(place)
    elif place.path.startswith("/sheet/"):
        pay_sheet(place)
    else:
        raise AssertionError(f"nobody pays at {address}")


def origin_of(place):
    return f"{place.scheme}://{place.netloc}"


def pay_number(place):
    connection = connect(origin_of(place))
    connection.request(
        "POST", f"{place.path}/pay", urllib.parse.urlencode({"scheme": "myshop"}),
        {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin_of(place)})
    answer = connection.getresponse()
    # Back to the app, which is none of ours.
    assert answer.status == http.client.SEE_OTHER, (answer.status, answer.read()[:1000])
    connection.close()


def pay_express(place):
    browser = Browser(origin_of(place))
    session = place.path
    _, _, text = browser.ask("GET", f"{session}/login")
    _, _, text = browser.submit(Page(text), "/login", {"name": MEI[0], "password": MEI[1]})
    _, path, text = browser.submit(Page(text), "/means", {"means": "balance"})
    assert path.endswith("/password"), (path, text[:2000])
    browser.submit(Page(text), "/password", {"password": MEI[2]})
    for _ in range(50):
        if result_of(origin_of(place), session)["resultStatus"] != "8000":
            return


def pay_sheet(place, wallet="ALIPAY_HK", customer=("hk-yan", "280911")):
    """Chooses a wallet on the sheet, follows its link, logs in there and confirms."""
    browser = Browser(origin_of(place))
    _, _, text = browser.ask("GET", place.path)
    row = re.search(f'<input[^>]*name="wallet" value="{wallet}"[^>]*>', text)[0]
    link = html.unescape(re.search('data-normal="([^"]*)"', row)[1])
    form = next(each for each in Page(text).forms if "wallet" in each["fields"])
    status, _, text = browser.ask("POST", form["action"], {**form["fields"], "wallet": wallet})
    assert status == 200, (status, text[:2000])
    there = urllib.parse.urlsplit(link)
    root, _, rest = there.path.partition("/wallets/")
    slug, _, page = rest.partition("/")
    holder = Browser(origin_of(there))
    _, path, text = holder.ask(
        "POST", f"{root}/wallets/{slug}/login", {"id": customer[0], "pin": customer[1], "next": f"/{page}?{there.query}"})
    for _ in range(100):
        if 'data-outcome="preparing"' not in text:
            break
        time.sleep(0.1)
        _, _, text = holder.ask("GET", path)
    status, _, text = holder.ask("POST", f"{path}/confirm", {})
    assert 'data-outcome="paid"' in text, (status, path, text[:2000])
