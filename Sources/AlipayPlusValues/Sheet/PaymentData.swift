import BillfoldJSON

/// What a payment's sheet is shown from: the text that `pay` answers and that reaches the app unread.
///
/// No schema is public. This is a versioned one of our own that keeps the member names which a public client reads: `walletName`,
/// `walletBrandName` and `redirectionInfo` [I], [O]. It is bound to one payment and holds nothing secret. The app is shown it by its own
/// server; nobody signs it, and it proves nothing.
public struct PaymentData: Sendable, Hashable {
    /// One wallet that the sheet offers, and how its app is opened.
    public struct Wallet: Sendable, Hashable {
        /// The enumeration value, such as `GCASH`.
        public var name: String
        /// What people call it.
        public var brandName: String?
        public var links: WalletLinks

        public init(name: String, brandName: String? = nil, links: WalletLinks = WalletLinks()) {
            self.name = name
            self.brandName = brandName
            self.links = links
        }
    }

    /// The version that is written, and the only one that is read.
    public static let version = 1
    /// The most bytes that are read.
    public static let maximumLength = 65_536

    public var environment: AlipayPlusEnvironment
    public var paymentID: String
    /// The `referenceMerchantId` of `pay`.
    public var merchantID: String
    public var acquirerID: String
    /// ISO 8601 with a zone. Past it nothing can be paid.
    public var expiryTime: String
    /// The sheet's page.
    public var sheetURL: String
    public var wallets: [Wallet]

    public init(
        environment: AlipayPlusEnvironment, paymentID: String, merchantID: String, acquirerID: String, expiryTime: String,
        sheetURL: String, wallets: [Wallet]
    ) {
        self.environment = environment
        self.paymentID = paymentID
        self.merchantID = merchantID
        self.acquirerID = acquirerID
        self.expiryTime = expiryTime
        self.sheetURL = sheetURL
        self.wallets = wallets
    }

    /// Reads the text. `payment-data-escaped-twice` names a text that some server wrapped once more: what is in it is not taken, since
    /// the mend belongs there. `payment-data-version`, `payment-data-malformed`.
    public init(_ text: String) throws(AlipayPlusError) {
        guard let object = (try? Self.json(text))?.object else { throw Self.unreadable(text) }
        // A version that is read here decides before anything else: later ones may name their members otherwise.
        guard object["version"]?.scalar == String(Self.version) else {
            throw AlipayPlusError(code: .paymentDataVersion, reason: "the payment data is not of version \(Self.version)")
        }
        func member(_ key: String) throws(AlipayPlusError) -> String {
            guard let text = object[key]?.string, !text.isEmpty else { throw Self.malformed("has no \(key)") }
            return text
        }
        guard let environment = AlipayPlusEnvironment(rawValue: try member("environment")) else {
            throw Self.malformed("is of an environment other than PROD and SANDBOX")
        }
        var wallets: [Wallet] = []
        for value in object["wallets"]?.array ?? [] {
            guard let name = value["walletName"]?.string, !name.isEmpty else { throw Self.malformed("holds a wallet without a walletName") }
            wallets.append(
                Wallet(name: name, brandName: value["walletBrandName"]?.string, links: WalletLinks(value["redirectionInfo"])))
        }
        self.init(
            environment: environment, paymentID: try member("paymentId"), merchantID: try member("merchantId"),
            acquirerID: try member("acquirerId"), expiryTime: try member("expiryTime"), sheetURL: try member("sheetUrl"), wallets: wallets)
    }

    /// Plain JSON text, as clients read it.
    public var text: String {
        JSONValue.object(
            JSONObject([
                .init("version", .number(String(Self.version))),
                .init("environment", .string(environment.rawValue)),
                .init("paymentId", .string(paymentID)),
                .init("merchantId", .string(merchantID)),
                .init("acquirerId", .string(acquirerID)),
                .init("expiryTime", .string(expiryTime)),
                .init("sheetUrl", .string(sheetURL)),
                .init("wallets", .array(wallets.map(\.json))),
            ])
        ).text
    }

    /// The wallet of a name; nil where the data lists none of it.
    public subscript(walletName: String) -> Wallet? { wallets.first { ExactText.equal($0.name, walletName) } }

    private static func json(_ text: String) throws(JSONError) -> JSONValue {
        try JSONReader.read(Array(text.utf8), maximumBytes: maximumLength)
    }

    private static func unreadable(_ text: String) -> AlipayPlusError {
        let isWrapped = (try? json(text))?.string.map { (try? json($0))?.object != nil } ?? false
        let isEncoded = text.hasPrefix("%7B") || text.hasPrefix("%7b")
        let isEscaped = text.hasPrefix("{\\\"")
        guard isWrapped || isEncoded || isEscaped else { return malformed("is no JSON object") }
        return AlipayPlusError(code: .paymentDataEscapedTwice, reason: "the payment data was escaped once more on its way")
    }

    private static func malformed(_ problem: String) -> AlipayPlusError {
        AlipayPlusError(code: .paymentDataMalformed, reason: "the payment data \(problem)")
    }
}

extension PaymentData.Wallet {
    fileprivate var json: JSONValue {
        var members: [JSONObject.Member] = [.init("walletName", .string(name))]
        if let brandName { members.append(.init("walletBrandName", .string(brandName))) }
        members.append(.init("redirectionInfo", links.json))
        return .object(JSONObject(members))
    }
}
