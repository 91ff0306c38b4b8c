public import BillfoldJSON
import PaymentCrypto

/// A signed message to the modern gateway that nobody has verified: an order string of `alipay.trade.app.pay`, or a call.
///
/// Source: alipay.md#modern-signature [V]: all parameters but `sign` are covered, `sign_type` among them; those with an empty value are
/// not.
public struct ModernRequest: Sendable, Hashable {
    public let parameters: AlipayParameters
    /// The charset that the text was read in before `charset` was known; see ``AlipayGatewayRequest/CharsetMode``.
    let transportCharset: AlipayCharset

    /// Reads an order string, or a query. `malformed`, `duplicate-key`, `too-large`, `unsupported`.
    public init(_ bytes: [UInt8]) throws(AlipayError) { try self.init(read: AlipayParameters(request: bytes)) }

    /// Takes parameters that were read already, in the charset that they name.
    init(read parameters: AlipayParameters) throws(AlipayError) {
        var parameters = parameters
        parameters.charset = try Self.charset(of: parameters)
        self.init(parameters, transportCharset: parameters.charset)
    }

    init(_ parameters: AlipayParameters, transportCharset: AlipayCharset) {
        self.parameters = parameters
        self.transportCharset = transportCharset
    }

    static func charset(of parameters: AlipayParameters) throws(AlipayError) -> AlipayCharset {
        guard let name = parameters["charset"], !name.isEmpty else { return .gbk }
        guard let charset = AlipayCharset(name: name) else {
            throw AlipayError(code: .unsupported, reason: "charset is none of utf-8, gbk, gb2312")
        }
        return charset
    }

    public var method: String? { parameters["method"] }
    public var appID: String? { parameters["app_id"] }

    /// What the signature has to cover, in the bytes that the gateway sees.
    public var signedBytes: [UInt8] { parameters.rebased(from: transportCharset).sortedText(without: ["sign"]) }

    /// Checks the signature. `missing-signature`, `missing-sign-type`, `signature-mismatch`, and `unencodable-text` for a value that is no text.
    public func verified(by keys: AlipayVerificationKeys) throws(AlipayError) -> VerifiedModernRequest {
        guard let signature = parameters["sign"], !signature.isEmpty else {
            throw AlipayError(code: .missingSignature, reason: "the request has no sign")
        }
        guard let signType = parameters["sign_type"], !signType.isEmpty else {
            throw AlipayError(code: .missingSignType, reason: "the request has no sign_type")
        }
        let algorithm = try AlipaySignatureAlgorithm(signType: signType)
        guard algorithm != .md5 else { throw AlipayError(code: .unsupportedSignType, reason: "MD5 is not for this gateway") }
        let seen = parameters.rebased(from: transportCharset)
        let (text, unsigned) = try keys.text(
            of: seen, signedBy: signature, algorithm, leaving: [["sign"], ["sign", AlipayParameters.gatewaySerial]])
        let covered = try seen.texts().filter { !$0.value.isEmpty && ($0.name == "sign" || !unsigned.contains($0.name)) }
        return VerifiedModernRequest(
            parameters: Dictionary(uniqueKeysWithValues: covered.map { ($0.name, $0.value) }),
            charset: parameters.charset, algorithm: algorithm, signedBytes: text)
    }

    /// Signs parameters. `sign_type` and `charset` are set from the signer and the argument; empty values are left out.
    public static func signed(
        _ parameters: [(name: String, value: String)], charset: AlipayCharset = .utf8, by signer: some AlipaySigner
    ) async throws(AlipayError) -> ModernRequest {
        guard signer.algorithm != .md5 else { throw AlipayError(code: .unsupportedSignType, reason: "MD5 is not for this gateway") }
        var texts = parameters.filter { $0.name != "sign" && !$0.value.isEmpty }
        if !texts.contains(where: { $0.name == "charset" }) { texts.append(("charset", charset.rawValue)) }
        if !texts.contains(where: { $0.name == "sign_type" }) { texts.append(("sign_type", signer.algorithm.rawValue)) }
        var made = try AlipayParameters(texts, charset: charset)
        guard try Self.charset(of: made) == charset, made["sign_type"] == signer.algorithm.rawValue else {
            throw AlipayError(code: .invalidParameter, reason: "charset or sign_type is not what signs")
        }
        let signature = try await signer.sign(made.sortedText(without: ["sign"]))
        try made.append("sign", Array(signature.utf8))
        return ModernRequest(made, transportCharset: charset)
    }

    /// The order string, or query: every value form-encoded.
    public var text: String { parameters.form }
}

/// The modern order string is the same message as every other call.
public typealias ModernOrder = ModernRequest

/// A request whose parameters, all of them, the application's key signed.
public struct VerifiedModernRequest: Sendable, Hashable {
    /// Without `sign`, and without those that are empty, which no signature covers.
    public let parameters: [String: String]
    public let charset: AlipayCharset
    public let algorithm: AlipaySignatureAlgorithm
    public let signedBytes: [UInt8]

    public subscript(name: String) -> String? { name == "sign" ? nil : parameters[name] }
    public var method: String? { self["method"] }
    public var appID: String? { self["app_id"] }

    /// `biz_content` as JSON; `missing-parameter`, `malformed-json`, `duplicate-key`, `too-large`.
    public func bizContent() throws(AlipayError) -> JSONValue {
        guard let text = self["biz_content"] else { throw AlipayError(code: .missingParameter, reason: "biz_content is missing") }
        let json = try AlipayJSON.read(text)
        guard json.members != nil else { throw AlipayError(code: .malformedJSON, reason: "biz_content is no object") }
        return json
    }
}
