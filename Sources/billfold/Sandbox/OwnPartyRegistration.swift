import ArgumentParser
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import Crypto
import Foundation
import NIOHTTP1
import PaymentCrypto

/// Registers a developer's party with the servers of a sandbox that runs, by the same routes as the played parties.
struct OwnPartyRegistration {
    /// What a program of the party has to know, and what to build first.
    struct Party {
        var variables: [OwnPartyFolder.Variable]
        var steps: [String]
    }

    let place: SandboxPlace
    let addresses: ServedAddresses
    let folder: OwnPartyFolder
    let name: String
    let origins: [String]
    /// Whether the party gets a part of the sandbox of its own.
    var givesSpace = false

    /// So many decimal digits that stand for the party's name: the same name is the same party.
    private func digits(_ count: Int, for use: String) -> String { Self.digits(count, of: name, for: use) }

    private static func digits(_ count: Int, of name: String, for use: String) -> String {
        SHA256.hash(data: Data("\(use) \(name)".utf8)).prefix(count).map { String($0 % 10) }.joined()
    }

    /// What stands for a party's name in identifiers.
    static func slug(of name: String) -> String { digits(8, of: name, for: "slug") }

    var slug: String { Self.slug(of: name) }

    /// Registers the party in a role, or gives it new keys there.
    func party(of role: SandboxRegister.Role) async throws -> Party {
        switch role {
        case .merchant: try await merchant()
        case .bank: try await bank()
        case .acquirer: try await acquirer()
        case .author: try await author()
        case .superApp: try await superApp()
        }
    }

    private func onboard(_ role: ServerRole, _ path: String, key: String, sending body: JSONObject) async throws -> JSONObject {
        try await LocalClient.send(
            .POST, addresses.origin(of: role) + "/onboarding/v1/" + path, key: place.bearer(key), object: body)
    }

    private static func text(_ object: JSONObject?, _ name: String) throws -> String {
        guard let text = object?[name]?.string else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the answer names no \(name)")
        }
        return text
    }

    private static func base64(_ key: PublicKey) -> JSONValue { .string(StrictBase64.encode(key.subjectPublicKeyInfo)) }

    private static func keys(_ key: PublicKey) -> JSONValue {
        .array([.object(JSONObject([.init("version", 1), .init("publicKey", base64(key))]))])
    }

    private static func variable(_ name: String, _ value: String?, being comment: String) -> [OwnPartyFolder.Variable] {
        value.map { [.init(name: name, value: $0, comment: comment)] } ?? []
    }

    /// A bearer under a name of its own, and the file that holds it.
    func bearer(_ name: String, _ key: String, in file: String, being comment: String) throws -> [OwnPartyFolder.Variable] {
        [
            .init(name: name, value: key, comment: comment, isSecret: true),
            .init(name: name + "_FILE", value: try folder.write(key + "\n", to: file), comment: "The file of the same key."),
        ]
    }

    /// Where the party's program listens: what the gateways let it be notified at.
    private var ownOrigin: [OwnPartyFolder.Variable] {
        Self.variable("OWN_ORIGIN", origins.first, being: "Where your program listens.")
    }

    /// What every program may look at, or have happen.
    private var surroundings: [OwnPartyFolder.Variable] {
        get throws {
            try Self.variable("BILLFOLD_CONSOLE", addresses.origin(of: .console), being: "The console, which draws what was said.")
                + Self.variable(
                    "BILLFOLD_SANDBOX", addresses.sandboxOrigin(),
                    being: "The sandbox's own calls, for the clock and faults: docs/openapi/sandbox.yaml.")
        }
    }

    /// Where a webhook of the program is, as the advice has it.
    private var hook: String { OwnPartyFolder.quoted((origins.first ?? "") + "/hook") }

    /// Names the key of a space: without it the commands are about the played shop.
    private var ownKey: String { givesSpace ? " --key-file \(OwnPartyFolder.quoted(folder.path("api.key")))" : "" }

    private var lookingOn: String { "what was said, and why it was refused: billfold logs --problems\(place.words)" }

    // MARK: Roles

    func merchant() async throws -> Party {
        let (partner, appID) = ("2088" + digits(12, for: "partner"), "2021" + digits(12, for: "application"))
        let key = try folder.rsaKey("express-order")
        let answer = try await onboard(
            .alipayGateway, "merchants", key: AlipayGatewayCapability.onboardingKey,
            sending: JSONObject([
                .init("partner", .string(partner)), .init("name", .string(name)), .init("refundPacing", "none"),
                .init("notifyOrigins", .array(origins.map(JSONValue.string))), .init("rsa", Self.base64(key.publicKey)),
                .init("rsa2", Self.base64(key.publicKey)),
                .init(
                    "applications",
                    .array([
                        .object(JSONObject([.init("appID", .string(appID)), .init("rsa2", Self.base64(key.publicKey))]))
                    ])),
            ]))
        let gatewayKey = try Self.text(answer["applications"]?.array?.first?.object, "gatewayKey")
        let (cards, gateway) = (try addresses.origin(of: .cardPayments), try addresses.origin(of: .alipayGateway))
        let (shop, apiKey) = (try cardMerchant, try await apiKey(of: cardMerchant))
        try await enrol(shop, partner: partner, key: apiKey)
        let variables =
            try Self.variable("BILLFOLD_API", cards, being: "The card-payments server: docs/openapi/card-payments.yaml.")
            + bearer("BILLFOLD_API_KEY", apiKey, in: "api.key", being: "Your API key there, a bearer.")
            + Self.variable(
                "BILLFOLD_PAY_PAGE", try addresses.origin(of: .unionPay) + "/unionpay/pay",
                being: "Where a browser pays, with an order's transaction number behind it.")
            + Self.variable("ALIPAY_GATEWAY", gateway + "/gateway.do", being: "The order gateway.")
            + Self.variable(
                "ALIPAY_CASHIER", try addresses.origin(of: .wallet) + "/cashier",
                being: "Where a browser pays a signed order, its member order.")
            + Self.variable("ALIPAY_APP_ID", appID, being: "Your application: app_id in orders and calls.")
            + Self.variable("ALIPAY_PARTNER", partner, being: "Your contract: partner in calls of the legacy gateway.")
            + Self.variable("ALIPAY_PRIVATE_KEY_FILE", key.file, being: "What you sign with: RSA2, 2,048 bits.")
            + Self.variable(
                "ALIPAY_PUBLIC_KEY_FILE", try folder.publicKey(base64: gatewayKey, to: "alipay"),
                being: "What the gateway's notifications and answers to your application are verified with.")
            + Self.variable(
                "ALIPAY_PARTNER_PUBLIC_KEY_FILE",
                try folder.publicKey(base64: Self.text(answer, "partnerKey"), to: "alipay-partner"),
                being: "The same of the legacy gateway.")
            + Self.variable("NOTIFY_ORIGINS", origins.joined(separator: ","), being: "Where your notification addresses may lie.")
            + ownOrigin + surroundings
        return Party(
            variables: variables,
            steps: [
                "a card order: POST $BILLFOLD_API/v1/orders with the API key and an Idempotency-Key; then …/transaction-numbers with the"
                    + " order's clientSecret as the bearer and an Idempotency-Key; then a browser pays at"
                    + " $BILLFOLD_PAY_PAGE/TN?scheme=myshop&mode=01, or curl -d scheme=myshop $BILLFOLD_PAY_PAGE/TN/pay",
                "what became of it: POST $BILLFOLD_API/v1/webhook-endpoints, or"
                    + " billfold listen --forward-to \(hook)\(ownKey)\(place.words)",
                "any state, for your hook to hear of: billfold trigger payment.succeeded\(ownKey)\(place.words)",
                "an express order: sign its fields, and open $ALIPAY_CASHIER with the form member order in a browser",
                "its notification at your notify_url: verify it with ALIPAY_PUBLIC_KEY_FILE, and answer exactly: success",
                "its refund: alipay.trade.refund; refundPacing is none: the documented waits are not asked for (3 s between refunds, 10 s"
                    + " before a question)",
                lookingOn,
                "all of it as a program: Examples/BackEnds/merchant",
            ])
    }

    private var store: StoreCommand { get throws { StoreCommand(options: try DatabaseOptions.parse([]), data: place.data) } }

    /// Ends the API keys that earlier calls made, and returns how many there were.
    @discardableResult
    func endAPIKeys() async throws -> Int {
        let ending = StoreRequest.endAPIKeys(merchant: try cardMerchant.description, label: "own-\(slug)")
        guard case .endedAPIKeys(let count) = try await store.answer(ending, needing: "hashing.key") else { return 0 }
        return count
    }

    /// A key of a merchant's for the developer's shop, in place of the one that an earlier call made.
    private func apiKey(of merchant: MerchantID) async throws -> String {
        try await endAPIKeys()
        let (merchant, label) = (merchant.description, "own-\(slug)")
        guard case .madeAPIKey(let key) = try await store.answer(.makeAPIKey(merchant: merchant, label: label), needing: "hashing.key")
        else {
            throw CommandFailure(.ourFault, code: "internal", reason: "the answer is another request's")
        }
        return key
    }

    private static func pem(_ address: String) async throws -> String {
        let answer = try await LocalClient.send(.GET, address)
        guard answer.status == 200 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "\(address) was answered \(answer.status)")
        }
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// The sandbox has one bank: a developer's back end stands in the place of the played one, with its key.
    func bank() async throws -> Party {
        let (issuer, broker) = (try addresses.origin(of: .provisioning), try addresses.origin(of: .broker) + "/broker")
        let leafKey = try await Self.pem("\(broker)/control/leaf-keys/EV_ECC_v2")
        let root = try await Self.pem("\(broker)/control/root")
        let variables =
            try Self.variable("BILLFOLD_PROVISIONING", issuer, being: "The issuer's host: docs/openapi/provisioning.yaml.")
            + Self.variable("BILLFOLD_BANK_API", issuer + "/bank/v1", being: "What your own systems call there: cards, events, tokens.")
            + bearer("BILLFOLD_BANK_KEY", place.bearer("bank.key"), in: "bank.key", being: "Your back end's key there, a bearer.")
            + Self.variable("BILLFOLD_BROKER", broker + "/v4", being: "The played wallet's servers.")
            + Self.variable(
                "BILLFOLD_BROKER_LEAF_KEY_FILE", folder.write(leafKey, to: "broker-leaf.key"),
                being: "Opens what you seal for the played wallet: billfold doctor, billfold provisioning open.")
            + Self.variable(
                "BILLFOLD_BROKER_ROOT_FILE", folder.write(root, to: "broker-root.pem"),
                being: "The root that the played wallet's chains end at.")
            + Self.variable(
                "BILLFOLD_BANK_APP", try addresses.origin(of: .bankApp) + "/bank",
                being: "The played bank's app, in which a customer adds a card.")
            + Self.variable("BILLFOLD_PROCESSOR", try addresses.origin(of: .cardProcessor), being: "The played card processor.")
            + ownOrigin
            + Self.variable(
                "BILLFOLD_CUSTOMERS", "c-1,c-2", being: "Customers of the played processor; the cards of the second are closed or blocked.")
            + surroundings
        return Party(
            variables: variables,
            steps: [
                "a session: POST $BILLFOLD_PROVISIONING/provisioning/v1/sessions with the bank's key, the customer and the phone's SEID",
                "your app's cards: GET $BILLFOLD_PROVISIONING/provisioning/v1/cards with that session",
                "a card on its way: POST …/cards/visa-1/pass-data with what the phone gave; docs/sandbox.md shows one by hand",
                "what happened to a card: POST $BILLFOLD_PROVISIONING/bank/v1/card-events; its tokens follow",
                "what happens to tokens: billfold listen --of bank --forward-to \(hook)\(place.words)", lookingOn,
                "all of it as a program: Examples/BackEnds/issuer",
            ])
    }

    func acquirer() async throws -> Party {
        let (client, acquirerID, merchant) = ("SANDBOX_OWN_\(slug)", "1022" + digits(12, for: "acquirer"), "MER-OWN-\(slug)")
        let key = try folder.rsaKey("acquirer")
        let answer = try await onboard(
            .alipayPlus, "acquirers", key: AlipayPlusCapability.onboardingKey,
            sending: JSONObject([
                .init("clientId", .string(client)), .init("acquirerId", .string(acquirerID)), .init("name", .string(name)),
                .init("keys", Self.keys(key.publicKey)), .init("notifyUrl", .string((origins.first ?? "") + "/alipay-plus/notify")),
                .init("origins", .array(origins.map(JSONValue.string))), .init("settlementCurrency", "SGD"),
                .init("agreementId", .string("AGR-OWN-\(slug)")),
                .init(
                    "merchants",
                    .array([
                        .object(
                            JSONObject([.init("id", .string(merchant)), .init("name", .string(name)), .init("mcc", "5499")]))
                    ])),
            ]))
        guard let first = answer["gatewayKeys"]?.array?.first?.object else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the answer names no key of the gateway")
        }
        let variables =
            try await spaceKey(of: acquirerID)
            + Self.variable(
                "ALIPAY_PLUS_GATEWAY", try addresses.origin(of: .alipayPlus), being: "The gateway: docs/openapi/alipay-plus.yaml.")
            + Self.variable("ALIPAY_PLUS_CLIENT_ID", client, being: "Your Client-Id.")
            + Self.variable("ALIPAY_PLUS_ACQUIRER_ID", acquirerID, being: "Your acquirerId.")
            + Self.variable("ALIPAY_PLUS_MERCHANT_ID", merchant, being: "Your merchant's referenceMerchantId.")
            + Self.variable("ALIPAY_PLUS_SETTLEMENT_CURRENCY", "SGD", being: "What you are settled in.")
            + Self.variable("ALIPAY_PLUS_PRIVATE_KEY_FILE", key.file, being: "What you sign with, as keyVersion 1.")
            + Self.variable(
                "ALIPAY_PLUS_PUBLIC_KEY_FILE", try folder.write(Self.text(first, "publicKey"), to: "alipay-plus.pub"),
                being: "What the gateway's answers and notifications are verified with.")
            + Self.variable(
                "ALIPAY_PLUS_NOTIFY_URL", (origins.first ?? "") + "/alipay-plus/notify", being: "Where the gateway tells you of payments.")
            + ownOrigin + (try surroundings)
        return Party(
            variables: variables,
            steps: [
                "a signed call: POST $ALIPAY_PLUS_GATEWAY/aps/api/v1/payments/consultPayment, which wallets could pay",
                "a signature refused: the answer's verifiedText is what to sign; of a request as it was sent, billfold doctor request.http "
                    + OwnPartyFolder.quoted(folder.path("acquirer.pub")) + " finds the mistake",
                "a payment: …/payments/pay, then the notification at ALIPAY_PLUS_NOTIFY_URL, then …/inquiryPayment", lookingOn,
                "all of it as a program: Examples/BackEnds/acquirer",
            ])
    }

    func author() async throws -> Party {
        let (authorID, clientID) = ("own-author-\(slug)", "own-client-\(slug)")
        let (key, packages) = (try folder.rsaKey("author"), try folder.rsaKey("packages"))
        let (client, app) = (try folder.rsaKey("client"), "2026" + digits(12, for: "mini-program"))
        let packageKey = JSONObject([.init("keyId", .string("own-packages-\(slug)")), .init("publicKey", Self.base64(packages.publicKey))])
        let answer = try await onboard(
            .wallet, "super-app", key: WalletCapability.superAppOnboardingKey,
            sending: JSONObject([
                .init(
                    "authors",
                    .array([
                        .object(
                            JSONObject([
                                .init("authorId", .string(authorID)), .init("name", .string(name)), .init("keys", Self.keys(key.publicKey)),
                                .init("packageKeys", .array([.object(packageKey)])), .init("workspaces", ["wallet"]),
                            ]))
                    ])),
                .init(
                    "clients",
                    .array([
                        .object(
                            JSONObject([
                                .init("authClientId", .string(clientID)), .init("name", .string(name)),
                                .init("keys", Self.keys(client.publicKey)), .init("apps", [.string(app)]),
                            ]))
                    ])),
            ]))
        let variables =
            try wallet(answer)
            + Self.variable("AUTHOR_ID", authorID, being: "Your Client-Id at the author's routes.")
            + Self.variable("AUTHOR_PRIVATE_KEY_FILE", key.file, being: "What your tools sign calls with, as keyVersion 1.")
            + Self.variable("PACKAGE_KEY_ID", "own-packages-\(slug)", being: "Under which your packages' key is registered.")
            + Self.variable("PACKAGE_PRIVATE_KEY_FILE", packages.file, being: "What you sign packages with.")
            + Self.variable("AUTH_CLIENT_ID", clientID, being: "Your server's authClientId.")
            + Self.variable("CLIENT_PRIVATE_KEY_FILE", client.file, being: "What your server signs calls with.")
            + Self.variable("WORKSPACE_ID", "wallet", being: "Where your mini programs are made.")
            + Self.variable("MINI_PROGRAM_ID", app, being: "Your mini program's appId, whose users your server signs in.")
            + Self.variable(
                "BILLFOLD_ONBOARDING", try addresses.origin(of: .wallet) + "/onboarding/v1/super-app",
                being: "Where a submitted version is released in test mode, in place of the super app's people.")
            + bearer(
                "BILLFOLD_ONBOARDING_KEY", try place.bearer(WalletCapability.superAppOnboardingKey), in: "onboarding.key",
                being: "The key for it, a bearer.")
            + ownOrigin
            + Self.variable(
                "BILLFOLD_PHONE", (try? addresses.origin(of: .superApp)).map { $0 + "/super-app/" },
                being: "The played phone with the super app: a browser runs your program there.")
            + surroundings
        return Party(
            variables: variables,
            steps: [
                "a package of a folder with app.json: billfold mini-program pack FOLDER --app-id \(app) --version 1.0.0 --to program.zip",
                "its signature: billfold mini-program sign program.zip --key "
                    + (packages.file.map(OwnPartyFolder.quoted) ?? "YOUR_PRIVATE_KEY") + " --key-id own-packages-\(slug) --to signed.zip",
                "POST $BILLFOLD_WALLET/mini-programs/v1/author/apps, then its grant at $BILLFOLD_ONBOARDING, without which my.getAuthCode fails"
                    + " with 4, then a version: docs/openapi/mini-programs.yaml, and the features in docs/protocols/mini-programs.md",
                "your server's sign-in: docs/openapi/oauth.yaml", "how it takes money: docs/guides/mini-program.md", lookingOn,
                "all of it as a program: Examples/BackEnds/author",
            ])
    }

    func superApp() async throws -> Party {
        let workspace = "own-\(slug)"
        let answer = try await onboard(
            .wallet, "super-app", key: WalletCapability.superAppOnboardingKey,
            sending: JSONObject([
                .init(
                    "workspaces",
                    .array([
                        .object(
                            JSONObject([
                                .init("workspaceId", .string(workspace)), .init("kind", "LOCAL_MINI_PROGRAM"), .init("name", .string(name)),
                            ]))
                    ]))
            ]))
        let variables =
            try wallet(answer)
            + Self.variable("WORKSPACE_ID", workspace, being: "Your app's own workspace; an author is registered with it to publish there.")
            + surroundings
        return Party(
            variables: variables,
            steps: [
                "the keys that packages are verified with: GET $BILLFOLD_WALLET/mini-programs/v1/keys",
                "what a container asks: GET …/apps, …/apps/{appId}/metadata and …/packages/{sha256}, in docs/openapi/mini-programs.yaml",
                "the services that your app gives to mini programs: docs/wallet-services", lookingOn,
            ])
    }

    private func wallet(_ answer: JSONObject) throws -> [OwnPartyFolder.Variable] {
        Self.variable("BILLFOLD_WALLET", try addresses.origin(of: .wallet), being: "The super app's server.")
            + Self.variable("BILLFOLD_WALLET_NAME", try Self.text(answer, "name"), being: "As messages name it.")
            + Self.variable(
                "BILLFOLD_WALLET_PUBLIC_KEY_FILE", try folder.write(Self.text(answer, "publicKey"), to: "wallet.pub"),
                being: "What its answers are verified with.")
    }
}
