// An author of mini programs: uploads a signed package, has it released, and is the server that signs the program's user in.
//
//     author.mjs signed.zip
//
// Its environment is what `billfold sandbox register author` writes. It needs nothing but Node 18.
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const {
    BILLFOLD_WALLET: wallet, BILLFOLD_ONBOARDING: onboarding, BILLFOLD_ONBOARDING_KEY: onboardingKey, AUTHOR_ID: author,
    AUTH_CLIENT_ID: client, MINI_PROGRAM_ID: app, WORKSPACE_ID: workspaceId } = process.env;
const keys = {
    [author]: createPrivateKey(readFileSync(process.env.AUTHOR_PRIVATE_KEY_FILE)),
    [client]: createPrivateKey(readFileSync(process.env.CLIENT_PRIVATE_KEY_FILE)),
};
const walletKey = createPublicKey(readFileSync(process.env.BILLFOLD_WALLET_PUBLIC_KEY_FILE));
const platform = "/mini-programs/v1/author/apps";
const own = process.env.OWN_ORIGIN ?? "http://127.0.0.1:3000";
// What the interfaces that the program calls need, and how each datum of its user is given.
const grant = { features: ["auth", "payment"], scopes: [{ scope: "USER_NAME", rule: "ask" }] };
const patience = 180_000;

const covered = (path, caller, time, body) => Buffer.concat([Buffer.from(`POST ${path}\n${caller}.${time}.`), Buffer.from(body)]);

// A signed call of the author's tools or of its server. U says that it is not known: the same call is sent again.
async function call(caller, path, content) {
    const isPackage = Buffer.isBuffer(content);
    const body = isPackage ? content : JSON.stringify(content);
    for (let attempt = 0; attempt < 5; attempt++, await sleep(2000)) {
        const time = new Date(Date.now() + 8 * 3_600_000).toISOString().replace(/\.\d+Z$/, "+08:00");
        const signature = encodeURIComponent(sign("RSA-SHA256", covered(path, caller, time, body), keys[caller]).toString("base64"));
        const answer = await fetch(wallet + path, { method: "POST", body, signal: AbortSignal.timeout(60_000), headers: {
            "client-id": caller, "request-time": time, "content-type": isPackage ? "application/zip" : "application/json",
            signature: `algorithm=RSA256, keyVersion=1, signature=${signature}` } });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${path} was refused: ${answer.status} ${text}`);
        const { result, ...rest } = JSON.parse(text);
        const given = /signature=([^,\s]+)$/.exec(answer.headers.get("signature") ?? "");
        // Only a caller whom the server does not know by the signature gets an answer without one.
        if (!given || result.resultStatus === "F") throw new Error(`${path} was refused: ${result.resultCode}: ${result.resultMessage}`);
        const told = covered(path, caller, answer.headers.get("response-time"), text);
        if (!verify("RSA-SHA256", told, walletKey, Buffer.from(decodeURIComponent(given[1]), "base64"))) {
            throw new Error(`the answer to ${path} is not the super app's`);
        }
        if (result.resultStatus === "S") return rest;
    }
    throw new Error(`${path}: the outcome is not known; inquire before you send something else`);
}

// In test mode onboarding does what the super app's people do, two of them in the console.
async function onboard(content) {
    const answer = await fetch(onboarding, {
        method: "POST", body: JSON.stringify(content), signal: AbortSignal.timeout(30_000),
        headers: { "content-type": "application/json", authorization: `Bearer ${onboardingKey}` } });
    if (!answer.ok) throw new Error(`${onboarding} was refused: ${answer.status} ${await answer.text()}`);
}

async function publish(signedPackage) {
    const serverDomains = [new URL(own).host];
    await call(author, platform, { appId: app, workspaceId, name: "Own program", authClientId: client, serverDomains });
    // Before the upload: a version has the permissions of the time when it came.
    await onboard({ grants: [{ appId: app, grant }] });
    const { releaseVersion } = await call(author, `${platform}/${app}/versions`, signedPackage);
    console.log(`uploaded ${releaseVersion}`);
    // The same package is the same version: a run before may have released it, and one since then a later version.
    if (!["Full Release", "Archived"].includes(await state(releaseVersion))) {
        await call(author, `${platform}/${app}/steps`, { releaseVersion, step: "submit" });
        await onboard({ releases: [{ appId: app, releaseVersion }] });
    }
    console.log(`${releaseVersion} is in ${await state(releaseVersion)}`);
}

async function state(version) {
    const { builds } = await call(author, `${platform}/${app}/inquiry`, {});
    return builds.find((build) => build.releaseVersion === version).state;
}

// What your server does with the code that your program sent it. The token stays here; the program gets a session of your own.
async function signIn(authCode) {
    const me = { appId: app, authClientId: client };
    const { accessToken } = await call(client, "/v2/authorizations/applyToken", { ...me, grantType: "AUTHORIZATION_CODE", authCode });
    return (await call(client, "/v2/users/inquiryUserInfo", { ...me, accessToken })).userInfo;
}

// Your server: the program brings the code that `my.getAuthCode` gave it. Gives the user who was signed in.
function signedIn() {
    return new Promise((resolve, reject) => {
        const { hostname, port } = new URL(own);
        createServer(async (request, response) => {
            let status = 200, content, user;
            try {
                const parts = [];
                for await (const part of request) parts.push(part);
                user = await signIn(JSON.parse(Buffer.concat(parts)).authCode);
                content = { name: user.userName ?? "somebody" };
            } catch (problem) {
                [status, content] = [400, { error: problem.message }];
            }
            response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content), () => user && resolve(user));
        }).on("error", reject).listen(port, hostname, () => {
            console.log(`user signs in at ${process.env.BILLFOLD_PHONE} in ${app}, Own program`);
        });
        setTimeout(() => reject(new Error("nobody signed in")), patience);
    });
}

async function main() {
    await publish(readFileSync(process.argv[2]));
    console.log(`signed in: ${JSON.stringify(await signedIn())}`);
}

await main().then(() => process.exit(0), (problem) => { console.error(problem.message); process.exit(1); });
