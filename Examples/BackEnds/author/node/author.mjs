// An author of mini programs: uploads a signed package, has it released, and signs a user in by the code that the program gets.
//
//     author.mjs signed.zip
//
// Its environment is what `billfold sandbox register author` writes. It needs nothing but Node 18.
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
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
// A user of the sandbox.
const user = { name: "mei@example.test", password: "two-leaves-tea" };

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

// A call that is not signed: of the super app for its user, and of the sandbox's onboarding.
async function plain(url, content, bearer) {
    const headers = { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(content), signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url} was refused: ${answer.status} ${text}`);
    return JSON.parse(text);
}

async function publish(signedPackage) {
    const serverDomains = ["api.example.com"];
    await call(author, platform, { appId: app, workspaceId, name: "Own program", authClientId: client, serverDomains });
    const { releaseVersion } = await call(author, `${platform}/${app}/versions`, signedPackage);
    console.log(`uploaded ${releaseVersion}`);
    // The same package is the same version: a run before may have released it, and one since then a later version.
    if (!["Full Release", "Archived"].includes(await state(releaseVersion))) {
        await call(author, `${platform}/${app}/steps`, { releaseVersion, step: "submit" });
        // The super app's people review and release it, two of them in the console. In test mode onboarding does both.
        await plain(onboarding, { releases: [{ appId: app, releaseVersion }] }, onboardingKey);
    }
    console.log(`${releaseVersion} is in ${await state(releaseVersion)}`);
}

async function state(version) {
    const { builds } = await call(author, `${platform}/${app}/inquiry`, {});
    return builds.find((build) => build.releaseVersion === version).state;
}

// What the super app does when the program calls `my.getAuthCode` and its user agrees on the page. Gives the code.
async function userAgrees() {
    const { session } = await plain(`${wallet}/v1/users/sessions`, user);
    const asked = { appId: app, authClientId: client, scopes: ["auth_base", "USER_NAME"] };
    await plain(`${wallet}/v1/authorizations/agreements`, asked, session);
    return (await plain(`${wallet}/v1/authorizations/applyAuthCode`, asked, session)).authCode;
}

// What your server does with the code that your program sent it. The token stays here; the program gets a session of your own.
async function signIn(authCode) {
    const me = { appId: app, authClientId: client };
    const { accessToken } = await call(client, "/v2/authorizations/applyToken", { ...me, grantType: "AUTHORIZATION_CODE", authCode });
    return (await call(client, "/v2/users/inquiryUserInfo", { ...me, accessToken })).userInfo;
}

async function main() {
    await publish(readFileSync(process.argv[2]));
    console.log(`signed in: ${JSON.stringify(await signIn(await userAgrees()))}`);
}

await main().then(() => process.exit(0), (problem) => { console.error(problem.message); process.exit(1); });
