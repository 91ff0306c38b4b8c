// A bank's back end at its issuer's host: a session, the customer's cards, a blocked card, its tokens, and the webhooks that tell of them.
// Its environment is what `billfold sandbox register bank` writes. It needs nothing but Node 18.
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const {
    BILLFOLD_PROVISIONING: host, BILLFOLD_BANK_KEY: bankKey, BILLFOLD_BANK_APP: bankApp,
    OWN_ORIGIN: own = "http://127.0.0.1:3000" } = process.env;
const [customer, card, patience] = ["c-1", "visa-1", 180_000];

// Calls the host. Card events have ids of the bank's, so what was not answered is sent again as it was.
async function call(method, path, body, key = bankKey) {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    for (let attempt = 0; attempt < 4; attempt++) {
        let answer;
        try {
            answer = await fetch(host + path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(30_000) });
        } catch {
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
    if (!id || Number.isNaN(Number(time)) || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
    return signatures.split(" ").some((each) => {
        const given = Buffer.from(each.replace(/^v1,/, ""), "base64");
        return each.startsWith("v1,") && given.length === expected.length && timingSafeEqual(given, expected);
    });
}

// Listens for events. What it takes it keeps and answers at once; a bank would put it into its database.
class Hook {
    events = [];
    read = 0;

    constructor() {
        const { hostname, port } = new URL(own);
        createServer(async (request, response) => {
            const parts = [];
            for await (const part of request) parts.push(part);
            // The bytes as they came, before anything parses them.
            const body = Buffer.concat(parts);
            if (!this.secret || !isSigned(request.headers, body, this.secret)) return response.writeHead(400).end();
            response.writeHead(204).end();
            const event = JSON.parse(body);
            if (this.events.some((each) => each.id === event.id)) return;
            console.log(`heard ${event.type} of ${event.object.id}`);
            this.events.push(event);
        }).listen(port, hostname);
    }

    async register() {
        const url = `${own}/hook`;
        for (const endpoint of (await call("GET", "/provisioning/v1/webhook-endpoints")).endpoints) {
            // Left by an earlier run: its secret was told then and is told no more.
            if (endpoint.url === url) await call("DELETE", `/provisioning/v1/webhook-endpoints/${endpoint.id}`);
        }
        const { id, secret } = await call("POST", "/provisioning/v1/webhook-endpoints", { url });
        this.secret = secret;
        return id;
    }

    // The next event of our card that has this type. Types that are not known are passed over.
    async wait(type) {
        for (const end = Date.now() + patience; Date.now() < end; await sleep(100)) {
            while (this.read < this.events.length) {
                const event = this.events[this.read++];
                if (event.type === type && event.data.card === card) return event.data;
            }
        }
        throw new Error(`no ${type} came in time: what became of the token is not known; look at /bank/v1/tokens later`);
    }
}

// The card's tokens that are not deleted, page by page.
async function tokens() {
    const found = [];
    for (let cursor = ""; cursor !== null;) {
        const page = await call("GET", `/bank/v1/tokens?card=${card}&limit=50${cursor}`);
        found.push(...page.tokens.filter((token) => token.state !== "deleted"));
        cursor = page.next ? `&cursor=${encodeURIComponent(page.next)}` : null;
    }
    return found;
}

// The card's first token that pays, waited for: one that was just added or released pays a moment later.
async function active() {
    for (const end = Date.now() + patience; Date.now() < end; await sleep(500)) {
        const token = (await tokens()).find((each) => each.state === "active");
        if (token) return token;
    }
    throw new Error(`no token of ${card} is active: look at its heldFor in /bank/v1/tokens?card=${card}`);
}

// Says what happened to the card. The same event twice is one; what the host did with it stands in `effect`.
async function report(kind) {
    const { effect, actions } = await call("POST", "/bank/v1/card-events", { eventId: randomUUID(), card, kind, occurredAt: Date.now() });
    // `noted`: kept, and the card has no token that the event moves. `overtaken`: something later was reported before.
    const why = effect === "noted" ? ", for no token of the card has to move" : "";
    console.log(`reported ${kind}: ${effect}, ${actions} actions asked of networks${why}`);
}

async function main() {
    const hook = new Hook();
    const endpoint = await hook.register();
    // After the customer's own log in. The token is for your app on that phone; its SEID is here a made one.
    const session = await call("POST", "/provisioning/v1/sessions", { customer, device: randomBytes(24).toString("hex") });
    const { cards } = await call("GET", "/provisioning/v1/cards", undefined, session.token);
    console.log(`${customer} has ${cards.map((each) => each.id).join(", ")}`);
    // A token that is suspended is one too: a card is not added a second time to make it pay.
    if (!(await tokens()).length) console.log(`customer adds ${card} at ${bankApp}`);
    console.log(`active: ${(await active()).tokenReference}`);

    await report("blocked");
    console.log(`suspended: ${(await hook.wait("token.suspended")).tokenReference}`);
    await report("unblocked");
    console.log(`active again: ${(await hook.wait("token.active")).tokenReference}`);
    for (const token of await tokens()) console.log(`${token.tokenReference} is ${token.state} in ${token.device?.name ?? "a device"}`);
    await call("DELETE", `/provisioning/v1/webhook-endpoints/${endpoint}`);
}

await main().then(() => process.exit(0), (problem) => { console.error(problem.message); process.exit(1); });
