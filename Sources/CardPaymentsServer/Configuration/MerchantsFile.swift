import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldMoney
package import BillfoldPayments
package import UnionPay

/// Which merchants a server serves, and where it reaches the acquirer: one JSON object, read strictly.
///
/// Paths in it are relative to the file. `docs/production.md` shows one. A field that is not known here is refused, so that a
/// misspelt one is never silently left out.
package struct MerchantsFile: Sendable, Hashable {
    package struct Merchant: Sendable, Hashable {
        /// The owner of the books. It never changes.
        package var id: BillfoldPayments.MerchantID
        /// What the app's entitlement and the processing certificates name.
        package var applePayIdentifier: String
        /// What the sheet on a web page says, 1 to 64 characters.
        package var displayName: String
        /// Host names of pages that may ask for a web session, in lower case.
        package var domains: [String]
        package var acquirerID: UnionPay.MerchantID
        /// The folder of its key store.
        package var keys: String
        /// The file that proves the domains to Apple, byte for byte.
        package var domainAssociation: String?
        /// In which currencies the acquirer settles with the merchant.
        package var settledCurrencies: Set<Currency> = [.cny]
        /// What the app hears of a payment that is pending; `nil` leaves the server's own policy.
        package var pendingPolicy: CardPaymentsConfiguration.PendingPolicy?
        /// How long a payment request waits for its outcome; `nil` leaves the server's own time.
        package var sheetWait: Duration?

        package init(
            id: BillfoldPayments.MerchantID, applePayIdentifier: String, displayName: String, domains: [String],
            acquirerID: UnionPay.MerchantID, keys: String, domainAssociation: String? = nil
        ) {
            self.id = id
            self.applePayIdentifier = applePayIdentifier
            self.displayName = displayName
            self.domains = domains
            self.acquirerID = acquirerID
            self.keys = keys
            self.domainAssociation = domainAssociation
        }
    }

    /// UnionPay's addresses, and whom to believe.
    package struct Acquirer: Sendable, Hashable {
        /// Consume, refund, void and reversal.
        package var transaction: String
        package var query: String
        package var file: String
        /// Roots and intermediates of UnionPay's signing certificates, PEM.
        package var trust: String
        /// Order push; absent where orders are not paid by UnionPay's own client.
        package var application: String?
        /// Certificates of what that client signs, PEM; absent leaves its signatures unchecked.
        package var appResults: String?
    }

    package var merchants: [Merchant]
    package var acquirer: Acquirer?

    package init(merchants: [Merchant], acquirer: Acquirer? = nil) {
        self.merchants = merchants
        self.acquirer = acquirer
    }

    /// Refuses with `configuration-invalid`, naming the field.
    package init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        do {
            let reader = try RequestReader(bytes, allowing: ["merchants", "unionPay"])
            acquirer = try reader.object("unionPay", allowing: ["transaction", "query", "file", "trust", "application", "appResults"]).map {
                unionPay throws in
                Acquirer(
                    transaction: try unionPay.text("transaction"), query: try unionPay.text("query"), file: try unionPay.text("file"),
                    trust: try unionPay.text("trust", maximum: 1_024), application: try unionPay.optionalText("application"),
                    appResults: try unionPay.optionalText("appResults", maximum: 1_024))
            }
            merchants = try reader.objects(
                "merchants", maximum: 1_000,
                allowing: [
                    "id", "applePayIdentifier", "displayName", "domains", "unionPayMerchantID", "keys", "domainAssociation",
                    "settledCurrencies", "whilePending",
                ]
            ).map { try Self.merchant($0) }
        } catch {
            throw Self.invalid((error as? any CodedError)?.reason ?? "\(error)")
        }
        guard !merchants.isEmpty else { throw Self.invalid("merchants is empty") }
        for identities in [
            merchants.map(\.id.description), merchants.map(\.applePayIdentifier), merchants.map(\.acquirerID.description),
            merchants.map(\.keys), merchants.flatMap(\.domains),
        ] where Set(identities).count != identities.count {
            throw Self.invalid("two merchants share an id, an identifier, a domain or a key store")
        }
    }

    private static func merchant(_ reader: RequestReader) throws -> Merchant {
        let identifier = try reader.text("applePayIdentifier", maximum: 255)
        guard identifier.hasPrefix("merchant."), identifier.utf8.count > 9, identifier.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw RequestReader.malformed("merchants.applePayIdentifier", "does not begin with \"merchant.\", or has spaces")
        }
        let displayName = try reader.text("displayName")
        guard displayName.unicodeScalars.count <= 64 else {
            throw RequestReader.malformed("merchants.displayName", "has more than 64 characters")
        }
        let domains = try reader.texts("domains", maximum: 100)
        guard domains.allSatisfy(isHostName) else {
            throw RequestReader.malformed("merchants.domains", "holds something other than host names in lower case")
        }
        guard let acquirerID = try? UnionPay.MerchantID(reader.text("unionPayMerchantID")) else {
            throw RequestReader.malformed("merchants.unionPayMerchantID", "is not fifteen digits")
        }
        var merchant = Merchant(
            id: try BillfoldPayments.MerchantID(reader.text("id")), applePayIdentifier: identifier, displayName: displayName,
            domains: domains, acquirerID: acquirerID, keys: try reader.text("keys", maximum: 1_024),
            domainAssociation: try reader.optionalText("domainAssociation", maximum: 1_024))
        if reader.object["settledCurrencies"] != nil { merchant.settledCurrencies = try currencies(reader) }
        if let pending = try reader.object("whilePending", allowing: ["sheet", "waitSeconds"]) {
            merchant.pendingPolicy = try pending.optionalText("sheet").map(policy)
            if pending.object["waitSeconds"] != nil { merchant.sheetWait = .seconds(try pending.integer("waitSeconds", in: 0...30)) }
        }
        return merchant
    }

    private static func currencies(_ reader: RequestReader) throws -> Set<Currency> {
        let codes = try reader.texts("settledCurrencies", maximum: 50, length: 3)
        let currencies = codes.compactMap { try? Currency($0) }
        guard !codes.isEmpty, currencies.count == codes.count else {
            throw RequestReader.malformed("merchants.settledCurrencies", "is not a list of currencies of ISO 4217")
        }
        return Set(currencies)
    }

    /// What the sheet is told, by its word in the file.
    private static func policy(_ sheet: String) throws -> CardPaymentsConfiguration.PendingPolicy {
        switch sheet {
        case "success": .acceptPending
        case "pending": .tellPending
        case "failure": .failAndReverse
        default: throw RequestReader.malformed("merchants.whilePending.sheet", "is not success, pending or failure")
        }
    }

    /// Labels of letters, digits and hyphens, two at least; other scripts come in their ASCII form.
    private static func isHostName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
            }
    }

    private static func invalid(_ reason: String) -> CardPaymentsError {
        CardPaymentsError(code: .configurationInvalid, reason: "the merchants' file: \(reason)")
    }
}
