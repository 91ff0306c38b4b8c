import BillfoldJSON
import PaymentCrypto

/// A payment token as it was received: parsed strictly (apple-pay.md#token, apple-pay.md#signature-form), and not yet believed.
///
/// Only ``VerifiedToken`` says that the wallet's servers signed it. `header.publicKeyHash` and `paymentMethod` are not
/// covered by the signature even then. [V]
public struct PaymentToken: Sendable {
    /// How the payload's key reached the merchant. A server must accept both at any time (apple-pay.md#token). [O]
    public enum Version: String, Sendable, Hashable, Codable, CaseIterable {
        /// Key agreement on P-256.
        case ecV1 = "EC_v1"
        /// A key wrapped with RSA-OAEP; seen for merchants in China mainland.
        case rsaV1 = "RSA_v1"
    }

    /// The one key field that the version allows.
    public enum KeyMaterial: Sendable, Hashable {
        /// A DER SubjectPublicKeyInfo on P-256, 91 bytes. Whether the point is on the curve is checked when it is used.
        case ephemeralPublicKey([UInt8])
        /// The wrapped AES key, as long as the merchant key's modulus.
        case wrappedKey([UInt8])

        /// What the signature covers of it.
        public var bytes: [UInt8] {
            switch self {
            case .ephemeralPublicKey(let bytes), .wrappedKey(let bytes): bytes
            }
        }
    }

    /// What stands in the clear beside the sealed data: whose key it is for, and where the sealing key comes from.
    public struct Header: Sendable, Hashable {
        public var key: KeyMaterial
        /// SHA-256 over the SubjectPublicKeyInfo of the merchant certificate that the token was made for, 32 bytes.
        public var publicKeyHash: [UInt8]
        /// 32 bytes, made by the device.
        public var transactionId: [UInt8]
        /// SHA-256 of the request's `applicationData`, 32 bytes; nil when the request had none.
        public var applicationData: [UInt8]?

        public init(key: KeyMaterial, publicKeyHash: [UInt8], transactionId: [UInt8], applicationData: [UInt8]? = nil) {
            self.key = key
            self.publicKeyHash = publicKeyHash
            self.transactionId = transactionId
            self.applicationData = applicationData
        }
    }

    public let version: Version
    /// Ciphertext followed by the 16-byte GCM tag.
    public let data: [UInt8]
    /// CMS SignedData, detached, usually BER with indefinite lengths.
    public let signature: [UInt8]
    public let header: Header
    /// `PKPaymentToken.paymentData` as it was received, or the bytes of that member of an outer object.
    public let paymentData: [UInt8]
    /// Present when an outer object was read. Not signed: show it, decide nothing by it.
    public let paymentMethod: PaymentMethod?

    /// The header's identifier as it was spelled; letter case differs between senders.
    package let spelledTransactionIdentifier: String
    /// The most bytes that are read unless a caller says otherwise: a token is about 4 KB, which leaves room for unusual certificates.
    public static let byteLimit = 65_536

    /// The outer object's, where one was read.
    package let spelledOuterIdentifier: String?

    /// The transaction id in lower-case hex, the form to compare and store it in: senders differ in letter case. [V]
    public var transactionIdentifier: String { Hexadecimal.encode(header.transactionId) }

    /// What the signature is over (apple-pay.md#signed-bytes): decoded bytes, nothing between them, the tag included.
    public var signedContent: [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(header.key.bytes.count + data.count + 64)
        content += header.key.bytes
        content += data
        content += header.transactionId
        if let applicationData = header.applicationData { content += applicationData }
        return content
    }

    /// Reads `PKPaymentToken.paymentData`, or the outer object of native and web clients.
    ///
    /// The outer object's `paymentData` may be the JSON object itself (web), or base64 of the native bytes.
    public init(_ bytes: [UInt8], maximumBytes: Int = PaymentToken.byteLimit) throws(ApplePayError) {
        guard !bytes.isEmpty else {
            throw ApplePayError(code: .emptyPaymentData, reason: "paymentData is empty, as in a simulator or on a device without a card")
        }
        let object = try ApplePayJSON.readObject(bytes, maximumBytes: maximumBytes)
        guard let member = object.member("paymentData") else {
            try self.init(object, raw: bytes, paymentMethod: nil, outerIdentifier: nil)
            return
        }
        let method = object["paymentMethod"].flatMap { PaymentMethod($0) }
        let outer = object["transactionIdentifier"] == nil ? nil : try TokenField.text(object, "transactionIdentifier")
        switch member.value {
        case .object(let inner):
            guard !inner.members.isEmpty else {
                throw ApplePayError(code: .emptyPaymentData, reason: "paymentData is an empty object, as in a simulator")
            }
            try self.init(inner, raw: Array(bytes[member.range]), paymentMethod: method, outerIdentifier: outer)
        case .string(let text):
            guard !text.isEmpty else {
                throw ApplePayError(
                    code: .emptyPaymentData, reason: "paymentData is empty, as in a simulator or on a device without a card")
            }
            let raw = try TokenField.base64(text, "paymentData")
            let inner = try ApplePayJSON.readObject(raw, maximumBytes: maximumBytes)
            try self.init(inner, raw: raw, paymentMethod: method, outerIdentifier: outer)
        default:
            throw ApplePayError(code: .malformedToken, reason: "paymentData is neither an object nor base64 text")
        }
        guard let outer else { return }
        guard try TokenField.hex(outer, "transactionIdentifier") == header.transactionId else {
            throw ApplePayError(
                code: .transactionIdentifierMismatch,
                reason: "transactionIdentifier differs from header.transactionId in more than letter case")
        }
    }

    private init(
        _ object: JSONObject, raw: [UInt8], paymentMethod: PaymentMethod?, outerIdentifier: String?
    ) throws(ApplePayError) {
        let versionText = try TokenField.text(object, "version")
        guard let version = Version(rawValue: versionText) else {
            throw ApplePayError(code: .unknownVersion, reason: "version is neither EC_v1 nor RSA_v1")
        }
        guard let headerObject = object["header"]?.object else {
            throw ApplePayError(code: .malformedToken, reason: "header is missing or not an object")
        }
        let data = try TokenField.base64(TokenField.text(object, "data"), "data")
        // One byte of ciphertext and the tag: anything shorter cannot hold a payload.
        guard data.count > 16 else { throw ApplePayError(code: .malformedToken, reason: "data is shorter than a GCM tag and a byte") }
        let signature = try TokenField.base64(TokenField.text(object, "signature"), "signature")
        guard !signature.isEmpty else { throw ApplePayError(code: .malformedToken, reason: "signature is empty") }
        let applicationData: [UInt8]? =
            if headerObject["applicationData"] == nil {
                nil
            } else {
                try TokenField.hex(TokenField.text(headerObject, "applicationData"), "header.applicationData", count: 32)
            }
        let publicKeyHash = try TokenField.base64(TokenField.text(headerObject, "publicKeyHash"), "header.publicKeyHash")
        guard publicKeyHash.count == 32 else {
            throw ApplePayError(code: .malformedToken, reason: "header.publicKeyHash holds \(publicKeyHash.count) bytes instead of 32")
        }
        let transactionId = try TokenField.text(headerObject, "transactionId")
        spelledTransactionIdentifier = transactionId
        spelledOuterIdentifier = outerIdentifier
        self.version = version
        self.data = data
        self.signature = signature
        self.header = Header(
            key: try Self.keyMaterial(headerObject, version: version),
            publicKeyHash: publicKeyHash,
            transactionId: try TokenField.hex(transactionId, "header.transactionId", count: 32),
            applicationData: applicationData)
        self.paymentData = raw
        self.paymentMethod = paymentMethod
    }

    /// A token from its parts, as the doctor and tests put one together; there are no received bytes.
    init(version: Version, data: [UInt8], signature: [UInt8], header: Header) {
        self.version = version
        self.data = data
        self.signature = signature
        self.header = header
        paymentData = []
        paymentMethod = nil
        spelledTransactionIdentifier = Hexadecimal.encode(header.transactionId)
        spelledOuterIdentifier = nil
    }

    private static func keyMaterial(_ header: JSONObject, version: Version) throws(ApplePayError) -> KeyMaterial {
        let (expected, other) = version == .ecV1 ? ("ephemeralPublicKey", "wrappedKey") : ("wrappedKey", "ephemeralPublicKey")
        guard header[other] == nil else {
            throw ApplePayError(code: .malformedToken, reason: "a \(version.rawValue) header must not hold \(other)")
        }
        let bytes = try TokenField.base64(TokenField.text(header, expected), "header.\(expected)")
        switch version {
        case .ecV1:
            guard bytes.count == 91 else {
                throw ApplePayError(
                    code: .malformedToken,
                    reason: "header.ephemeralPublicKey holds \(bytes.count) bytes; a P-256 SubjectPublicKeyInfo has 91")
            }
            return .ephemeralPublicKey(bytes)
        case .rsaV1:
            // 2048 bits today (apple-pay.md#merchant-certificates); 3072 and 4096 are let through: a longer key needs no new release. [I]
            guard [256, 384, 512].contains(bytes.count) else {
                throw ApplePayError(code: .malformedToken, reason: "header.wrappedKey holds \(bytes.count) bytes; RSA-2048 gives 256")
            }
            return .wrappedKey(bytes)
        }
    }
}
