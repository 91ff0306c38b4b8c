// An acquirer's server at Alipay+: begins a payment, takes the notification and signs the answer, inquires, and gives a part back.
// Its environment is what `billfold sandbox register acquirer` writes. It needs nothing but Node 18.
import { createPrivateKey, createPublicKey, randomUUID, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const {
    ALIPAY_PLUS_GATEWAY: gateway, ALIPAY_PLUS_CLIENT_ID: client, ALIPAY_PLUS_MERCHANT_ID: merchant, ALIPAY_PLUS_NOTIFY_URL: notifyURL,
    ALIPAY_PLUS_SETTLEMENT_CURRENCY: currency } = process.env;
const myKey = createPrivateKey(readFileSync(process.env.ALIPAY_PLUS_PRIVATE_KEY_FILE));
const gatewayKey = createPublicKey(readFileSync(process.env.ALIPAY_PLUS_PUBLIC_KEY_FILE));
const patience = 180_000;

const covered = (path, time, body) => Buffer.from(`POST ${path}\n${client}.${time}.${body}`);

// The headers of a request (`request-time`) or of an answer (`response-time`).
function signed(path, body, timeName) {
    const time = new Date(Date.now() + 8 * 3_600_000).toISOString().replace(/\.\d+Z$/, "+08:00");
    const signature = encodeURIComponent(sign("RSA-SHA256", covered(path, time, body), myKey).toString("base64"));
    return {
        "client-id": client, [timeName]: time, signature: `algorithm=RSA256, keyVersion=1, signature=${signature}`,
        "content-type": "application/json; charset=UTF-8" };
}

// Whether the gateway signed it, for us. `header` gives a header by its name.
function isSigned(path, header, body, timeName) {
    const found = /signature=([^,\s]+)$/.exec(header("signature") ?? "");
    if (!found || header("client-id") !== client) return false;
    return verify("RSA-SHA256", covered(path, header(timeName), body), gatewayKey, Buffer.from(decodeURIComponent(found[1]), "base64"));
}

// A signed call. What was not answered is sent again as it was: its request id says that it is the same.
async function call(api, content) {
    const [path, body] = [`/aps/api/v1/payments/${api}`, JSON.stringify(content)];
    for (let attempt = 0; attempt < 4; attempt++) {
        let answer, text;
        try {
            const headers = signed(path, body, "request-time");
            answer = await fetch(gateway + path, { method: "POST", headers, body, signal: AbortSignal.timeout(30_000) });
            text = await answer.text();
        } catch {
            await sleep(1000 * 2 ** attempt);
            continue;
        }
        if (answer.status === 429 || answer.status >= 500) {
            await sleep(1000 * 2 ** attempt);
            continue;
        }
        // Only a caller whom the gateway does not know by the signature gets an answer without one.
        if (!answer.headers.get("signature")) throw new Error(`${api} was refused: ${text}`);
        if (!isSigned(path, (name) => answer.headers.get(name), text, "response-time")) throw new Error(`${api}: the answer is not signed`);
        return JSON.parse(text);
    }
    throw new Error(`${api} was not answered; whether it happened is not known: inquire under the same request id`);
}

// Takes notifications. An answer that is not signed, or not S, has them come again.
const heard = [];
function listen() {
    const { hostname, port } = new URL(notifyURL);
    createServer(async (request, response) => {
        const parts = [];
        for await (const part of request) parts.push(part);
        const body = Buffer.concat(parts).toString();
        if (!isSigned(request.url, (name) => request.headers[name], body, "request-time")) return response.writeHead(401).end();
        const told = JSON.parse(body);
        console.log(`heard ${told.paymentResult.resultStatus} of ${told.paymentRequestId}`);
        heard.push(told);
        const taken = JSON.stringify({ result: { resultStatus: "S", resultCode: "SUCCESS", resultMessage: "success" } });
        response.writeHead(200, signed(request.url, taken, "response-time")).end(taken);
    }).listen(port, hostname);
}

// S or F of a payment: by notification, by inquiry where none comes. U is not F, so it is asked again.
async function outcome(name) {
    let asked = Date.now();
    for (const end = Date.now() + patience; Date.now() < end; await sleep(200)) {
        let told = heard.find((each) => each.paymentRequestId === name);
        if (!told && Date.now() - asked > 10_000) {
            asked = Date.now();
            told = await call("inquiryPayment", { paymentRequestId: name });
        }
        if (["S", "F"].includes(told?.paymentResult?.resultStatus)) return told;
    }
    throw new Error("the outcome is not known, neither paid nor failed: inquire later, or cancel the payment before selling again");
}

async function main() {
    listen();
    const run = randomUUID().replaceAll("-", "");
    const [name, amount] = [`P${run}`, { currency, value: "1999" }];
    const begun = await call("pay", {
        paymentRequestId: name, paymentAmount: amount, paymentMethod: { paymentMethodType: "CONNECT_WALLET" },
        paymentFactor: { isCashierPayment: true }, paymentNotifyUrl: notifyURL, paymentRedirectUrl: new URL("/", notifyURL).href,
        order: {
            referenceOrderId: `O${run.slice(0, 20)}`, orderDescription: "Green tea", orderAmount: amount,
            env: { terminalType: "WAP", osType: "IOS" },
            merchant: { referenceMerchantId: merchant, merchantMCC: "5499", merchantName: "My shop" } } });
    if (begun.result.resultStatus !== "U") throw new Error(`no payment was begun: ${JSON.stringify(begun.result)}`);
    console.log(`customer pays at ${begun.normalUrl}`);
    const told = await outcome(name);
    if (told.paymentResult.resultStatus === "F") throw new Error(`the payment failed: ${told.paymentResult.resultCode}`);
    console.log(`paid ${amount.value} of ${currency}'s smallest unit, payment ${told.paymentId}`);

    console.log(`the inquiry says ${(await call("inquiryPayment", { paymentRequestId: name })).paymentResult.resultStatus}`);

    const refund = { paymentRequestId: name, refundRequestId: `R${run}`, refundAmount: { currency, value: "999" } };
    let back = await call("refund", refund);
    while (back.result.resultStatus === "U") {
        await sleep(2000);
        back = await call("refund", refund);
    }
    if (back.result.resultStatus !== "S") throw new Error(`the refund was refused: ${JSON.stringify(back.result)}`);
    console.log(`refunded 999, refund ${back.refundId}`);
}

await main().then(() => process.exit(0), (problem) => { console.error(problem.message); process.exit(1); });
