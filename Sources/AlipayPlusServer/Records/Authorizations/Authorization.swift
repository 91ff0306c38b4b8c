import AlipayPlus
import BillfoldPayments
import BillfoldStorage

/// A person's consent that a merchant debits their wallet without asking: from the request to the tokens.
struct Authorization: Sendable, Hashable {
    enum State: String, Sendable, Hashable {
        /// The person has not decided.
        case prepared
        /// The wallet has told us of the consent; its code waits to be redeemed.
        case consented
        /// Tokens are given out.
        case active
        case cancelled
    }

    /// What was asked. It never changes.
    struct Terms: Sendable, Hashable, Codable {
        var wallet: String
        /// `authClientId`: the merchant's id.
        var authClientID: String
        var clientName: String
        var redirectURL: String
        /// The acquirer's own, which goes back to it.
        var authState: String?
        /// Where the wallet asks its customer.
        var walletURL: String
    }

    /// What the wallet told, sealed where it is a secret.
    struct Progress: Sendable, Hashable, Codable {
        var customerID: String?
        var sealedCode: [UInt8]?
        var sealedAccess: [UInt8]?
        var sealedRefresh: [UInt8]?
        var accessEnds: Timestamp?
        var refreshEnds: Timestamp?
        /// Counts the refreshes: each gives out new tokens.
        var generation: Int64 = 0
    }

    var acquirer: MerchantID
    var id: TimeOrderedID
    /// Names it in addresses, and to the wallet.
    var reference: String
    var state: State
    var version: Int64
    var terms: Terms
    var progress: Progress
    /// What our own code and tokens are found by.
    var codeHash: KeyedHash?
    var accessHash: KeyedHash?
    var refreshHash: KeyedHash?
    var createdAt: Timestamp

    /// The wallet's secrets are sealed for this authorisation and this use alone.
    func sealing(_ use: String) -> [UInt8] { Array("alipay-plus-\(use) \(id)".utf8) }
}
