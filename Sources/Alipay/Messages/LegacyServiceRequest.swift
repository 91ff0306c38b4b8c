/// A call of a legacy service, or an order in its form, that nobody has verified.
///
/// Source: alipay.md#legacy-signature [V]: empty values, `sign` and `sign_type` are left out, the rest is sorted by key and joined with
/// raw values.
public struct LegacyServiceRequest: Sendable, Hashable {
    public let parameters: AlipayParameters
    let transportCharset: AlipayCharset

    /// Reads a query, or a body. `malformed`, `duplicate-key`, `too-large`, `unsupported`.
    public init(_ bytes: [UInt8]) throws(AlipayError) { try self.init(read: AlipayParameters(request: bytes)) }

    /// Takes parameters that were read already, in the charset that they name.
    init(read parameters: AlipayParameters) throws(AlipayError) {
        var parameters = parameters
        parameters.charset = try LegacyOrder.charset(of: parameters.bytes("_input_charset"))
        self.init(parameters, transportCharset: parameters.charset)
    }

    init(_ parameters: AlipayParameters, transportCharset: AlipayCharset) {
        self.parameters = parameters
        self.transportCharset = transportCharset
    }

    public var service: String? { parameters["service"] }
    public var partner: String? { parameters["partner"] }

    package static let unsigned: Set<String> = ["sign", "sign_type"]

    public var signedBytes: [UInt8] { parameters.rebased(from: transportCharset).sortedText(without: Self.unsigned) }

    /// Checks the signature. `missing-signature`, `signature-mismatch`, `unencodable-text`.
    ///
    /// `notify_verify` carries none [O]: read its ``parameters`` directly, and answer nothing but `true`, `false` or `invalid`.
    public func verified(by keys: AlipayVerificationKeys) throws(AlipayError) -> VerifiedLegacyServiceRequest {
        guard let signature = parameters["sign"], !signature.isEmpty, let signType = parameters["sign_type"], !signType.isEmpty else {
            throw AlipayError(code: .missingSignature, reason: "the request has no sign or no sign_type")
        }
        let algorithm = try AlipaySignatureAlgorithm(signType: signType)
        let seen = parameters.rebased(from: transportCharset)
        let text = seen.sortedText(without: Self.unsigned)
        try keys.require(signature, over: text, algorithm)
        let covered = try seen.texts().filter { !$0.value.isEmpty && !Self.unsigned.contains($0.name) }
        return VerifiedLegacyServiceRequest(
            parameters: Dictionary(uniqueKeysWithValues: covered.map { ($0.name, $0.value) }),
            order: try LegacyOrderParameters(
                seen.entries.filter { !$0.value.isEmpty && !Self.unsigned.contains($0.name) }.map { .init(name: $0.name, value: $0.value) },
                charset: parameters.charset),
            charset: parameters.charset, algorithm: algorithm, signedBytes: text)
    }

    /// Signs parameters and appends `sign_type` and `sign`; empty values are left out. `_input_charset` is the caller's.
    public static func signed(
        _ parameters: [(name: String, value: String)], by signer: some AlipaySigner
    ) async throws(AlipayError) -> LegacyServiceRequest {
        let texts = parameters.filter { !unsigned.contains($0.name) && !$0.value.isEmpty }
        let named = texts.first { $0.name == "_input_charset" }?.value
        let charset = try LegacyOrder.charset(of: named.map { Array($0.utf8) })
        var made = try AlipayParameters(texts, charset: charset)
        let signature = try await signer.sign(made.sortedText(without: unsigned))
        try made.append("sign_type", Array(signer.algorithm.rawValue.utf8))
        try made.append("sign", Array(signature.utf8))
        return LegacyServiceRequest(made, transportCharset: charset)
    }

    /// The query: every value form-encoded.
    public var text: String { parameters.form }
}

/// A legacy call that the partner's key signed.
public struct VerifiedLegacyServiceRequest: Sendable, Hashable {
    /// The covered parameters.
    public let parameters: [String: String]
    /// The same as an order's, for `mobile.securitypay.pay` in this form.
    public let order: LegacyOrderParameters
    public let charset: AlipayCharset
    public let algorithm: AlipaySignatureAlgorithm
    public let signedBytes: [UInt8]

    public subscript(name: String) -> String? { parameters[name] }
    public var service: String? { parameters["service"] }
    public var partner: String? { parameters["partner"] }
}
