package import Alipay
import BillfoldJSON
package import BillfoldMoney
package import BillfoldPayments

/// A merchant of the gateway: its public data. Secrets stand in the store, sealed.
package struct AlipayMerchant: Sendable, Hashable, Codable {
    /// The partner id: 16 digits beginning 2088. The owner of the books.
    package var partner: MerchantID
    package var name: String
    /// Also accepted as `seller_id`.
    package var email: String?
    /// The settlement currency of a cross-border contract; none for a domestic merchant.
    package var currency: Currency?
    /// How a POST whose charset stands in the body alone is read.
    package var charsetMode: AlipayGatewayRequest.CharsetMode
    /// How strictly its orders are read.
    package var reading: AlipayReading
    /// What the gateway keeps of a domestic payment, in hundredths, rounded half up [I].
    package var feePercent: String
    /// How closely refunds may follow each other; any pace where there is none.
    package var refundPacing: RefundPacing?
    /// Exact private origins that notifications may go to. Test mode only.
    package var notifyOrigins: [String]
    /// DER of the keys that the partner's own messages are verified with.
    package var rsa: [UInt8]?
    package var rsa2: [UInt8]?
    /// Keys that were registered before these; none in rows of earlier versions.
    var formerKeys: [FormerKey]?
    /// The shared secret of `MD5`, sealed.
    var sealedMD5: [UInt8]?
    /// A ``PasswordHash`` of what its people confirm refunds with.
    var refundPassword: String?

    package init(
        partner: MerchantID, name: String, email: String? = nil, currency: Currency? = nil,
        charsetMode: AlipayGatewayRequest.CharsetMode = .documented,
        reading: AlipayReading = .strict, feePercent: String = "0.6", refundPacing: RefundPacing? = nil, notifyOrigins: [String] = [],
        rsa: [UInt8]? = nil,
        rsa2: [UInt8]? = nil
    ) {
        self.partner = partner
        self.name = name
        self.email = email
        self.currency = currency
        self.charsetMode = charsetMode
        self.reading = reading
        self.feePercent = feePercent
        self.refundPacing = refundPacing
        self.notifyOrigins = notifyOrigins
        self.rsa = rsa
        self.rsa2 = rsa2
    }

    func isSeller(_ id: String) -> Bool { ExactText.equal(id, partner.description) || ExactText.equal(id, email) }

    var seller: Seller { Seller(email: email) }
    var refundSpacing: Duration { .seconds(refundPacing?.betweenRefunds ?? 0) }
    var refundQueryDelay: Duration { .seconds(refundPacing?.beforeQuery ?? 0) }
}

/// What notifications and answers say of the merchant.
struct Seller: Sendable, Hashable {
    var email: String?
}

/// An application of a merchant on the open platform.
package struct AlipayApplication: Sendable, Hashable, Codable {
    package var partner: MerchantID
    package var appID: String
    /// DER of the key that the application signs `RSA` with.
    package var rsa: [UInt8]?
    /// DER of the key that it signs `RSA2` with; in certificate mode the certificate's.
    package var rsa2: [UInt8]?
    /// Keys that were registered before these; none in rows of earlier versions.
    var formerKeys: [FormerKey]?
    /// PEM of the application's certificate: certificate mode.
    package var certificate: String?
    /// PEM of the gateway's certificate for this application.
    var gatewayCertificate: String?
    /// The gateway's own RSA2 key for this application: PKCS#8, sealed.
    var sealedGatewayKey: [UInt8]

    package var isInCertificateMode: Bool { certificate != nil }
}

extension AlipayGatewayRequest.CharsetMode: Codable {}
extension AlipayReading: Codable {}
