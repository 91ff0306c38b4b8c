public import BillfoldDiagnosis

/// What a decrypted Apple Pay payload of the kind EMV gives to the deduct message. All values as the token carried them.
public struct CardTransactionData: Sendable {
    /// `applicationPrimaryAccountNumber`, digits.
    public var accountNumber: Secret<String>
    /// `emvData`, base64 **as received**: it is passed on unchanged, never decoded and encoded again.
    public var emvData: Secret<String>
    /// `encryptedPINData`, hex as received; only when the sheet asked for the bank PIN. It is sealed for UnionPay and does
    /// not go through the usual PIN encryption.
    public var encryptedPIN: Secret<String>?

    public init(accountNumber: Secret<String>, emvData: Secret<String>, encryptedPIN: Secret<String>? = nil) {
        self.accountNumber = accountNumber
        self.emvData = emvData
        self.encryptedPIN = encryptedPIN
    }

    /// `carrierAppTp` and `carrierTp` are 2 and 6 for Apple Pay; a card reader product uses 3 and 5.
    package static let carrier = "&carrierAppTp=2&carrierTp=6}"

    /// `{ICCardData=…&carrierAppTp=2&carrierTp=6}`.
    func transactionData() throws(UnionPayError) -> String {
        let value = emvData.reveal()
        let isBase64 = value.utf8.allSatisfy { byte in
            FormBody.isNameByte(byte) && byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") && byte != UInt8(ascii: ".")
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
        }
        guard !value.isEmpty, isBase64 else {
            throw UnionPayError(code: .invalidField, reason: "the card's EMV data is not base64")
        }
        return "{ICCardData=" + value + Self.carrier
    }

    /// The EMV data inside `cardTransData`, base64.
    static func emvData(in transactionData: String) throws(UnionPayError) -> Secret<String> {
        let prefix = "{ICCardData="
        guard transactionData.hasPrefix(prefix), transactionData.hasSuffix(carrier),
            transactionData.utf8.count > prefix.utf8.count + carrier.utf8.count
        else { throw UnionPayError(code: .invalidField, reason: "cardTransData has not the form of an Apple Pay payment") }
        return Secret(String(transactionData.dropFirst(prefix.count).dropLast(carrier.count)))
    }
}
