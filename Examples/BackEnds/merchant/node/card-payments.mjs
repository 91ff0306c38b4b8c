// A merchant's back end for card payments: an order, its payment, the webhook that tells of it, and a refund.
// Its environment is what `billfold sandbox register merchant` writes. It needs nothing but Node 18.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const { BILLFOLD_API: api, BILLFOLD_API_KEY: apiKey, BILLFOLD_PAY_PAGE: payPage, OWN_ORIGIN: own = "http://127.0.0.1:3000" } = process.env;
const patience = 180_000;

// Calls the server. A write has a name, its idempotency key: what was not answered is sent again under the same one, so that nothing
// happens twice.
async function call(method, path, { body, key = apiKey, name } = {}) {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...(name && { "Idempotency-Key": name }) };
    for (let attempt = 0; attempt < 4; attempt++) {
        let answer;
        try {
            answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(30_000) });
        } catch (problem) {
            if (method === "POST" && !name) throw new Error(`${method} ${path} was not answered: ${problem.cause ?? problem}`);
            await sleep(1000 * 2 ** attempt);
            continue;
        }
        const text = await answer.text();
        if (answer.ok) return text ? JSON.parse(text) : null;
        if (![429, 503].includes(answer.status)) {
            const { code, reason } = JSON.parse(text).error;
            throw new Error(`${method} ${path} was refused: ${answer.status} ${code}: ${reason}`);
        }
        await sleep(1000 * Number(answer.headers.get("retry-after") ?? 1));
    }
    throw new Error(`${method} ${path} was not answered; whether it happened is not known`);
}

// Whether a message is ours: Standard Webhooks, HMAC-SHA256 over id, timestamp and body. Several signatures stand there while a secret is
// being changed.
function isSigned(headers, body, secret) {
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
    if (!id || Math.abs(Date.now() / 1000 - Number(time)) > 300 || Number.isNaN(Number(time))) return false;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
    return signatures.split(" ").some((each) => {
        const given = Buffer.from(each.replace(/^v1,/, ""), "base64");
        return each.startsWith("v1,") && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

// Listens for events. What it takes it hands on and answers at once; a shop would put it into its database.
class Hook {
    seen = new Map();

    constructor() {
        const { hostname, port } = new URL(own);
        createServer(async (request, response) => {
            const parts = [];
            for await (const part of request) parts.push(part);
            // The bytes as they came, before anything parses them.
            const body = Buffer.concat(parts);
            if (!this.secret || !isSigned(request.headers, body, this.secret)) return response.writeHead(400).end("not signed by us");
            response.writeHead(204).end();
            const event = JSON.parse(body);
            if (this.seen.has(event.id)) return;
            console.log(`heard ${event.type} of ${event.object.id}`);
            this.seen.set(event.id, event);
        }).listen(port, hostname);
    }

    async register() {
        const url = `${own}/hook`;
        for (const endpoint of (await call("GET", "/v1/webhook-endpoints")).endpoints) {
            // Left by an earlier run: its secret was told then and is told no more.
            if (endpoint.url === url) await call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
        }
        const { id, secret } = await call("POST", "/v1/webhook-endpoints", { body: { url } });
        this.secret = secret;
        return id;
    }

    // The first event that `wanted` says yes to, also one that came before the question. Types that are not known are passed over.
    async wait(wanted) {
        for (const end = Date.now() + patience; Date.now() < end; await sleep(100)) {
            const found = [...this.seen.values()].find(wanted);
            if (found) return found;
        }
        throw new Error("no event came in time: the outcome is not known, neither paid nor failed; ask for the order later");
    }
}

async function main() {
    const hook = new Hook();
    const endpoint = await hook.register();
    const run = randomUUID();
    const order = await call("POST", "/v1/orders", { name: `order-${run}`, body: {
        reference: `shop-${run.slice(0, 13)}`, goods: "electronic", currency: "CNY", country: "CN", merchantName: "My shop",
        lines: [{ label: "Field guide", unitAmount: "33.00", quantity: 1 }] } });
    // A shop's app asks for the number itself: the client secret is good for this order alone.
    const asked = { name: `number-${run}`, key: order.clientSecret, body: {} };
    const number = await call("POST", `/v1/orders/${order.id}/transaction-numbers`, asked);
    if (!number.tn) throw new Error(`there is no number: the payment is ${number.payment.state}`);
    console.log(`customer pays at ${payPage}/${number.tn}?scheme=myshop&mode=01`);

    const paid = await hook.wait((event) => event.data.order === order.id && ["payment.succeeded", "payment.failed"].includes(event.type));
    if (paid.type === "payment.failed") throw new Error("the payment failed: no money moved");
    console.log(`paid ${paid.data.amount} ${paid.data.currency}`);

    const wish = { name: `refund-${run}`, body: { amount: "10.00", reason: "a torn page" } };
    const refund = await call("POST", `/v1/payments/${paid.data.id}/refunds`, wish);
    console.log(`refund is ${refund.state}: on its way, not yet given back`);
    const back = await hook.wait((event) => event.object.id === refund.id && ["refund.succeeded", "refund.failed"].includes(event.type));
    if (back.type === "refund.failed") throw new Error("the refund failed");
    console.log("refunded 10.00");
    await call("DELETE", `/v1/webhook-endpoints/${endpoint}`);
}

await main().then(() => process.exit(0), (problem) => { console.error(problem.message); process.exit(1); });
