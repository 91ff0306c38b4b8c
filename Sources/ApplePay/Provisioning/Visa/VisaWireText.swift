import PaymentCrypto

/// The text form of Visa's inner data: seven fields joined by hyphens (provisioning.md#visa-text [O]).
public struct VisaWireText: Sendable, Hashable, CustomStringConvertible {
    /// What is sealed inside, by the text's first field.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Account data; goes, base64-coded, into `encryptedPrimaryAccountNumber`.
        case account = "MBPAD"
        /// Activation data; its ASCII bytes are the request's `activationData`.
        case activation = "MBPAC"
    }

    public var kind: Kind
    public var keySet: VisaKeySet
    /// Ciphertext: whole blocks of 8 bytes.
    public var data: [UInt8]

    public init(kind: Kind, keySet: VisaKeySet, data: [UInt8]) {
        self.kind = kind
        self.keySet = keySet
        self.data = data
    }

    /// Reads `MBPAD-1-FK-405551.1--TDEA-…`. The empty field may hold spaces, as one vendor prints it.
    ///
    /// Throws `visa-text-form`, `visa-text-type` when it is not of the `due` kind, `visa-key-set-form`, or `visa-data-form`.
    public init(_ text: String, due: Kind? = nil) throws(ApplePayError) {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 7 else {
            throw ApplePayError(code: .visaTextForm, reason: "\(fields.count) fields between hyphens, not 7")
        }
        guard let kind = Kind(rawValue: String(fields[0])) else {
            throw ApplePayError(code: .visaTextForm, reason: "the first field is neither MBPAD nor MBPAC")
        }
        guard due == nil || due == kind else {
            throw ApplePayError(code: .visaTextType, reason: "the text is \(kind.rawValue) where the other type is due")
        }
        guard fields[1] == "1", fields[2] == "FK", fields[4].allSatisfy({ $0 == " " }), fields[5] == "TDEA" else {
            throw ApplePayError(code: .visaTextForm, reason: "version, key scheme or algorithm is another than 1, FK and TDEA")
        }
        self.kind = kind
        keySet = try VisaKeySet(String(fields[3]))
        data = try TokenField.hex(String(fields[6]), "the data", code: .visaDataForm)
        guard !data.isEmpty, data.count.isMultiple(of: 8) else {
            throw ApplePayError(code: .visaDataForm, reason: "\(data.count) bytes are no whole blocks of 8")
        }
    }

    /// With upper-case hexadecimal.
    public var description: String { "\(kind.rawValue)-1-FK-\(keySet.id)--TDEA-\(Hexadecimal.encode(data, uppercase: true))" }
}
