public import BillfoldDiagnosis
public import BillfoldMoney
import Foundation

/// Seals `accNo` for merchants that have the encryption of sensitive fields switched on: RSA PKCS#1 v1.5 to UnionPay's
/// encryption certificate. The implementation is passed in, because that padding lives among legacy cryptography.
public protocol SensitiveFieldEncryptor: Sendable {
    /// Serial number of UnionPay's encryption certificate, decimal.
    var encryptCertID: String { get }
    /// Seals the bytes; each time they come out otherwise.
    func encrypt(_ plaintext: [UInt8]) throws -> [UInt8]
}

/// Consume (消费): deducts the amount from the card of an Apple Pay token (apple-pay.md#deduct-message).
///
/// The reply 00 says that the message was taken, not that it is paid: the notification or a query tells. A resend repeats
/// the message byte for byte.
public struct ConsumeRequest: UnionPayRequest {
    public static let transactionType = TransactionType.consume

    /// The card number: as text, or sealed with `encryptCertId`.
    public enum AccountNumber: Sendable {
        case plain(Secret<String>)
        /// Base64 and the decimal serial number of the certificate it is sealed to.
        case encrypted(String, encryptCertID: String)

        /// Has the number sealed. What the encryptor throws is passed on.
        public static func sealed(_ number: Secret<String>, by encryptor: some SensitiveFieldEncryptor) throws -> Self {
            let sealed = try encryptor.encrypt(Array(number.reveal().utf8))
            return .encrypted(Data(sealed).base64EncodedString(), encryptCertID: encryptor.encryptCertID)
        }
    }

    public var profile: MessageProfile
    public var key: TransactionKey
    /// From the merchant's own order, never from the token.
    public var amount: Amount
    public var accountNumber: AccountNumber
    /// `emvData` of the token, base64 as received.
    public var emvData: Secret<String>
    /// `encryptedPINData` of the token, hex as received.
    public var encryptedPIN: Secret<String>?
    /// `customerNm`.
    public var customerName: Secret<String>?
    /// Public HTTPS address of the notification.
    public var backURL: String
    /// After this moment anything but 00 or A6 becomes a final failure.
    public var payTimeout: BeijingTime?
    /// Comes back in the notification; at most 1024 characters, none of `& = { } [ ] " '`.
    public var reserved: String?

    public init(
        profile: MessageProfile = MessageProfile(), key: TransactionKey, amount: Amount, card: CardTransactionData,
        accountNumber: AccountNumber? = nil, backURL: String, payTimeout: BeijingTime? = nil, reserved: String? = nil
    ) {
        self.profile = profile
        self.key = key
        self.amount = amount
        self.accountNumber = accountNumber ?? .plain(card.accountNumber)
        emvData = card.emvData
        encryptedPIN = card.encryptedPIN
        self.backURL = backURL
        self.payTimeout = payTimeout
        self.reserved = reserved
    }

    public func fields() throws(UnionPayError) -> UnionPayFields {
        guard amount.isPositive else { throw UnionPayError(code: .invalidField, reason: "a consume needs an amount above zero") }
        var fields = UnionPayFields()
        profile.write(to: &fields)
        fields["txnType"] = Self.transactionType.rawValue
        fields["txnSubType"] = "01"
        fields["bizType"] = BusinessType.walletDeduct
        key.write(to: &fields)
        fields["currencyCode"] = amount.currency.numericCode
        fields["txnAmt"] = try amount.unionPayText()
        switch accountNumber {
        case .plain(let number):
            let digits = number.reveal()
            guard (12...19).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
                throw UnionPayError(code: .invalidField, reason: "accNo is not 12 to 19 digits")
            }
            fields["accNo"] = digits
        case .encrypted(let sealed, let encryptCertID):
            fields["accNo"] = sealed
            fields["encryptCertId"] = encryptCertID
        }
        let customer = CustomerInformation(pin: encryptedPIN?.reveal(), name: customerName?.reveal())
        if !customer.isEmpty { fields["customerInfo"] = try customer.encoded(profile.encoding) }
        let card = CardTransactionData(accountNumber: Secret(""), emvData: emvData)
        fields["cardTransData"] = try card.transactionData()
        fields["backUrl"] = backURL
        fields["payTimeout"] = payTimeout?.description
        if let reserved { fields["reqReserved"] = try RequestReserved.checked(reserved) }
        return fields
    }

    public init(_ verified: VerifiedFields) throws(UnionPayError) {
        let fields = verified.fields
        try fields.require("txnType", Self.transactionType.rawValue)
        try fields.require("txnSubType", "01")
        try fields.require("bizType", BusinessType.walletDeduct)
        profile = try MessageProfile(fields)
        key = try TransactionKey(fields)
        amount = try Amount(unionPay: fields.required("txnAmt"), currencyCode: fields.required("currencyCode"))
        guard amount.isPositive else { throw UnionPayError(code: .invalidField, reason: "a consume needs an amount above zero") }
        let number = try fields.required("accNo")
        if let certificate = fields.optional("encryptCertId") {
            accountNumber = .encrypted(number, encryptCertID: certificate)
        } else {
            accountNumber = .plain(Secret(number))
        }
        emvData = try CardTransactionData.emvData(in: fields.required("cardTransData"))
        if let text = fields.optional("customerInfo") {
            let customer = try CustomerInformation(text, profile.encoding)
            encryptedPIN = customer.pin.map { Secret($0) }
            customerName = customer.name.map { Secret($0) }
        }
        backURL = try fields.required("backUrl")
        if let text = fields.optional("payTimeout") { payTimeout = try BeijingTime(text) }
        reserved = fields.optional("reqReserved")
    }
}

/// The rule of `reqReserved`.
package enum RequestReserved {
    package static func checked(_ text: String) throws(UnionPayError) -> String {
        let isShort = text.utf8.count <= 1024 || text.count <= 1024
        guard isShort, !text.unicodeScalars.contains(where: isForbidden) else {
            throw UnionPayError(code: .invalidField, reason: "reqReserved is longer than 1024 characters or holds one of & = { } [ ] \" '")
        }
        return text
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "&", "=", "{", "}", "[", "]", "\"", "'": true
        default: false
        }
    }
}
