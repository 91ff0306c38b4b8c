import AlipayPlus
package import BillfoldMoney
package import BillfoldPayments
import PaymentCrypto

/// A key that a party signs with, as it was registered.
package struct PartyKey: Sendable, Hashable, Codable {
    /// As `keyVersion` names it.
    package var version: Int
    /// DER of the SubjectPublicKeyInfo.
    package var subjectPublicKeyInfo: [UInt8]

    package init(version: Int, subjectPublicKeyInfo: [UInt8]) {
        self.version = version
        self.subjectPublicKeyInfo = subjectPublicKeyInfo
    }

    static func ring(_ keys: [PartyKey]) throws -> AlipayPlusKeyVersions {
        var ring: [Int: PublicKey] = [:]
        for key in keys { ring[key.version] = try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo) }
        return try AlipayPlusKeyVersions(ring)
    }
}

/// An acquirer (ACQP): the payment service that signs merchants up, and the owner of its payments' books.
package struct Acquirer: Sendable, Hashable, Codable {
    /// A merchant that the acquirer has registered with us.
    package struct Merchant: Sendable, Hashable, Codable {
        /// `referenceMerchantId`.
        package var id: String
        package var name: String
        /// Four digits.
        package var mcc: String

        package init(id: String, name: String, mcc: String) {
            self.id = id
            self.name = name
            self.mcc = mcc
        }
    }

    /// Which answers to a notification count. Documents differ: one page asks for a signature, others print answers without
    /// (alipay-plus.md#acknowledgement [O]).
    package enum Acknowledgement: String, Sendable, Hashable, Codable, CaseIterable {
        /// An S whose signature fits.
        case signed
        /// An S without a signature too. One that is there has to fit all the same.
        case unsigned
    }

    package var clientID: String
    /// What bodies, the app client and reports call it: the owner of the books.
    package var id: MerchantID
    package var name: String
    package var keys: [PartyKey]
    /// Where notifications go that name no address of their own.
    package var notifyURL: String?
    /// Exact private origins that notify and redirect addresses may lie at. Test mode only.
    package var privateOrigins: [String]
    /// Further origins that notify and redirect addresses may lie at, and schemes of apps, with their colon, that customers return to.
    package var addresses: [String]?
    /// What it is paid in where a payment says nothing else.
    package var settlementCurrency: Currency
    /// Of its settlement; reports carry it (alipay-plus.md#reports [D]).
    package var agreementID: String
    /// What the gateway keeps of a settlement, in hundredths, rounded half up [I].
    package var feePercent: String
    package var merchants: [Merchant]
    /// The wallets of its contract; all where there are none.
    package var wallets: [String]
    /// Signed ones where it says nothing.
    package var acknowledgement: Acknowledgement?

    package init(
        clientID: String, id: MerchantID, name: String, keys: [PartyKey], notifyURL: String? = nil, privateOrigins: [String] = [],
        addresses: [String]? = nil,
        settlementCurrency: Currency, agreementID: String, feePercent: String = "0", merchants: [Merchant], wallets: [String] = [],
        acknowledgement: Acknowledgement? = nil
    ) {
        self.clientID = clientID
        self.id = id
        self.name = name
        self.keys = keys
        self.notifyURL = notifyURL
        self.privateOrigins = privateOrigins
        self.addresses = addresses
        self.settlementCurrency = settlementCurrency
        self.agreementID = agreementID
        self.feePercent = feePercent
        self.merchants = merchants
        self.wallets = wallets
        self.acknowledgement = acknowledgement
    }

    package func merchant(_ id: String) -> Merchant? { merchants.first { $0.id == id } }
    /// Whether the contract covers a wallet.
    package func covers(_ wallet: String) -> Bool { wallets.isEmpty || wallets.contains(wallet) }
}
