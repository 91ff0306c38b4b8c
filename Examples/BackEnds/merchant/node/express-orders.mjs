// A merchant's server for Alipay express orders: signs one, has it paid, takes the notification, queries, and gives a part back.
// Its environment is what `billfold sandbox register merchant` writes. It needs nothing but Node 18.
import { createPrivateKey, createPublicKey, randomUUID, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const { ALIPAY_GATEWAY: gateway, ALIPAY_CASHIER: cashier, ALIPAY_APP_ID: app } = process.env;
const own = process.env.OWN_ORIGIN ?? "http://127.0.0.1:3000";
const myKey = createPrivateKey(readFileSync(process.env.ALIPAY_PRIVATE_KEY_FILE));
const alipayKey = createPublicKey(readFileSync(process.env.ALIPAY_PUBLIC_KEY_FILE));
const patience = 180_000;

// The text that a signature covers: sorted by name, decoded values, nothing empty.
function covered(fields, without = []) {
    const names = Object.keys(fields).filter((name) => fields[name] && !without.includes(name)).sort();
    return names.map((name) => `${name}=${fields[name]}`).join("&");
}

function isSigned(signature, text) {
    return verify("RSA-SHA256", Buffer.from(text), alipayKey, Buffer.from(signature ?? "", "base64"));
}

function signed(method, content, more = {}) {
    const china = new Date(Date.now() + 8 * 3_600_000).toISOString();
    const fields = {
        app_id: app, method, format: "JSON", charset: "utf-8", sign_type: "RSA2", version: "1.0",
        timestamp: `${china.slice(0, 10)} ${china.slice(11, 19)}`, biz_content: JSON.stringify(content), ...more };
    return new URLSearchParams({ ...fields, sign: sign("RSA-SHA256", Buffer.from(covered(fields)), myKey).toString("base64") });
}

// Calls the gateway. The answer is believed for its signature, which covers the node's text as it came.
async function ask(method, content) {
    for (let attempt = 0; attempt < 4; attempt++) {
        let text;
        try {
            text = await (await fetch(gateway, { method: "POST", body: signed(method, content), signal: AbortSignal.timeout(30_000) })).text();
        } catch {
            // Queries change nothing, and a refund is known by its own number: to ask again is safe.
            await sleep(1000 * 2 ** attempt);
            continue;
        }
        const name = `${method.replaceAll(".", "_")}_response`;
        const node = text.slice(text.indexOf(`"${name}":`) + name.length + 3, text.lastIndexOf(',"sign":'));
        if (!isSigned(JSON.parse(text).sign, node)) throw new Error(`the answer to ${method} is not the gateway's`);
        return JSON.parse(node);
    }
    throw new Error(`${method} was not answered; whether it happened is not known`);
}

// Takes notifications. The answer is `success` and nothing else; without it they come again.
const heard = [];
function listen() {
    const { hostname, port } = new URL(own);
    createServer(async (request, response) => {
        const parts = [];
        for await (const part of request) parts.push(part);
        const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString()));
        if (!isSigned(fields.sign, covered(fields, ["sign", "sign_type"]))) return response.end("fail");
        console.log(`heard ${fields.trade_status} of ${fields.out_trade_no}`);
        heard.push(fields);
        response.end("success");
    }).listen(port, hostname);
}

// Amounts are text; they are compared as whole fen.
const fen = (amount) => BigInt(amount.replace(/^(\d+)(?:\.(\d{1,2}))?$/, (_, yuan, rest = "") => yuan + rest.padEnd(2, "0")));

// Waits for the notification, and asks where none comes. Only these two say that money came; the payer's app does not.
async function paid(number, amount) {
    for (const end = Date.now() + patience, asked = { at: Date.now() }; Date.now() < end; await sleep(200)) {
        let told = heard.findLast((each) => each.out_trade_no === number);
        if (!told && Date.now() - asked.at > 15_000) {
            asked.at = Date.now();
            told = await ask("alipay.trade.query", { out_trade_no: number });
        }
        // Nothing yet, or ACQ.TRADE_NOT_EXIST: nobody came to the cashier's password.
        if (told?.out_trade_no !== number) continue;
        if (["TRADE_SUCCESS", "TRADE_FINISHED"].includes(told.trade_status)) {
            const isRight = fen(told.total_amount) === fen(amount);
            if (!isRight) throw new Error(`${told.total_amount} came in place of ${amount}: a person has to look`);
            return told.trade_no;
        }
        if (told.trade_status === "TRADE_CLOSED") throw new Error("the trade was closed: no money moved");
    }
    throw new Error("the outcome is not known, neither paid nor failed: query later, and close the trade before selling again");
}

async function main() {
    listen();
    const [number, amount] = [`MY${randomUUID().replaceAll("-", "")}`, "12.50"];
    const content = { out_trade_no: number, total_amount: amount, subject: "Notebook", product_code: "QUICK_MSECURITY_PAY" };
    const order = signed("alipay.trade.app.pay", content, { notify_url: `${own}/notify` });
    // An app hands the string to the wallet. Here a browser pays it: the cashier answers with the address of its page.
    const page = await fetch(cashier, { method: "POST", body: new URLSearchParams({ order: order.toString() }) });
    if (!page.ok) throw new Error(`the cashier refused the order: ${page.status}`);
    console.log(`customer pays at ${page.url}`);
    console.log(`paid ${amount} CNY, trade ${await paid(number, amount)}`);

    console.log(`the query says ${(await ask("alipay.trade.query", { out_trade_no: number })).trade_status}`);

    const refund = { out_trade_no: number, refund_amount: "2.50", out_request_no: `R${number}` };
    const answer = await ask("alipay.trade.refund", refund);
    if (answer.code !== "10000") throw new Error(`the refund was refused: ${answer.sub_code}: ${answer.sub_msg}`);
    // fund_change N is no failure: the same refund, asked for again, or one that is still on its way. The query tells.
    const told = await ask("alipay.trade.fastpay.refund.query", { out_trade_no: number, out_request_no: refund.out_request_no });
    const isDone = told.refund_status === "REFUND_SUCCESS";
    if (!isDone) throw new Error("the refund is not known to be done: query it later, under the same out_request_no");
    console.log(`refunded ${told.refund_amount}`);
}

await main().then(() => process.exit(0), (problem) => { console.error(problem.message); process.exit(1); });
