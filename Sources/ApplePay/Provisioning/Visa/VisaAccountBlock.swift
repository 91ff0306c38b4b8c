import BillfoldJSON
public import Foundation
public import PaymentCrypto

/// What Visa alone reads of the card: `pan=…;expiry=MMYY;datetime=YYYYMMDDhhmmss`, time in UTC (provisioning.md#visa-text [O]).
public struct VisaAccountBlock: Sendable {
    public var primaryAccountNumber: CardNumber
    public var expiration: CardExpiration
    /// When it was made, in whole seconds. Which age Visa still takes is in no public material.
    public var instant: Date

    public init(primaryAccountNumber: CardNumber, expiration: CardExpiration, instant: Date) {
        self.primaryAccountNumber = primaryAccountNumber
        self.expiration = expiration
        self.instant = instant
    }

    /// Encrypts under the issuer's zone key. Throws `key-unavailable`.
    public func sealed(
        keySet: VisaKeySet, key: any TripleDESKey, using generator: inout some RandomNumberGenerator
    ) async throws(ApplePayError) -> VisaWireText {
        try await VisaBlock.sealed(clearText, .account, keySet: keySet, key: key, using: &generator)
    }

    /// The network's side. Throws `visa-text-type`, `key-unavailable`, `visa-block-form`, `visa-clear-text`, `card-number-form` or
    /// `expiration-form`.
    public init(opening text: VisaWireText, key: any TripleDESDecryptionKey) async throws(ApplePayError) {
        guard text.kind == .account else { throw ApplePayError(code: .visaTextType, reason: "MBPAC stands where MBPAD is due") }
        try self.init(clearText: await VisaBlock.opened(text, key: key))
    }

    var clearText: SecretBytes {
        SecretBytes(joining: [
            Array("pan=".utf8), primaryAccountNumber.digits,
            Array(";expiry=\(expiration.compact);datetime=\(CompactInstant.text(instant))".utf8),
        ])
    }

    package init(clearText: SecretBytes) throws(ApplePayError) {
        let values = try VisaBlock.members(clearText, ["pan", "expiry", "datetime"])
        guard let instant = CompactInstant.date(values[2]) else {
            throw ApplePayError(code: .visaClearText, reason: "datetime is not YYYYMMDDhhmmss")
        }
        try self.init(primaryAccountNumber: CardNumber(values[0]), expiration: CardExpiration(compact: values[1]), instant: instant)
    }
}
