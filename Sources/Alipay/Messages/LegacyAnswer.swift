/// An XML answer of the legacy services, which nobody has verified.
///
/// `<alipay><is_success>T</is_success><request><param name="…">…</param></request><response><trade>…</trade></response><sign>…</sign>
/// <sign_type>…</sign_type></alipay>`; a failure is `is_success` F and `error` (alipay.md#xml-answers [O]).
public struct LegacyAnswer: Sendable, Hashable {
    public let isSuccess: Bool
    /// The error's code, for a failure.
    public let error: String?
    /// The request's parameters as the gateway read them, in order.
    public let request: [AlipayXML.Field]
    /// The fields of what `response` holds.
    public let response: [AlipayXML.Field]
    public let charset: AlipayCharset
    private let signature: String?
    private let signType: String?

    /// Reads an answer in the charset that its declaration names. `malformed-xml`, `malformed`, `too-large`, `unencodable-text`.
    public init(_ body: [UInt8]) throws(AlipayError) {
        let (root, charset) = try AlipayXML.read(body)
        guard root.name == "alipay", let isSuccess = root["is_success"]?.text, ["T", "F"].contains(isSuccess) else {
            throw AlipayError(code: .malformed, reason: "the answer is no alipay element with is_success T or F")
        }
        self.charset = charset
        self.isSuccess = isSuccess == "T"
        error = root["error"]?.text
        request = try Self.unique((root["request"]?.children ?? []).map { .init($0.attributes["name"] ?? $0.name, $0.text) })
        response = try Self.unique((root["response"]?.children.first?.children ?? []).map { .init($0.name, $0.text) })
        signature = root["sign"]?.text
        signType = root["sign_type"]?.text
    }

    private static func unique(_ fields: [AlipayXML.Field]) throws(AlipayError) -> [AlipayXML.Field] {
        guard Set(fields.map(\.name)).count == fields.count else {
            throw AlipayError(code: .duplicateKey, reason: "a field of the answer occurs twice")
        }
        return fields
    }

    /// What is signed: the response's fields, sorted and joined [I].
    static func signedBytes(_ response: [AlipayXML.Field], charset: AlipayCharset) throws(AlipayError) -> [UInt8] {
        try AlipayParameters(response.map { ($0.name, $0.value) }, charset: charset).sortedText(without: [])
    }

    /// Checks the signature of a success. `missing-signature`, `signature-mismatch`; failures carry no signature.
    public func verified(by keys: AlipayVerificationKeys) throws(AlipayError) -> VerifiedLegacyAnswer {
        guard let signature, let signType, !signature.isEmpty else {
            throw AlipayError(code: .missingSignature, reason: "the answer has no sign or no sign_type")
        }
        let bytes = try Self.signedBytes(response, charset: charset)
        try keys.require(signature, over: bytes, AlipaySignatureAlgorithm(signType: signType))
        return VerifiedLegacyAnswer(
            response: Dictionary(uniqueKeysWithValues: response.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }))
    }

    /// Makes the answer to a call that succeeded.
    /// - Parameters:
    ///   - request: The call's parameters, given back to the caller as they were read. They are not signed.
    ///   - element: What `response` holds, `trade` or `alipay`; without fields there is no `response` and no signature. A field
    ///     that reads as further ones where it is signed is `invalid-parameter`.
    ///   - response: What the caller is answered, in the order in which it is written; this alone is signed.
    ///   - charset: The one in which the answer is written and signed.
    ///   - signer: The gateway's key; its algorithm is told as `sign_type`.
    public static func success(
        request: [AlipayXML.Field], element: String = "trade", response: [AlipayXML.Field], charset: AlipayCharset,
        by signer: some AlipaySigner
    ) async throws(AlipayError) -> [UInt8] {
        var children = [AlipayXML.Element("is_success", text: "T"), requestElement(request)]
        if !response.isEmpty {
            let inner = AlipayXML.Element(element, children: response.map { .init($0.name, text: $0.value) })
            children.append(.init("response", children: [inner]))
            try AlipayParameters(response.map { ($0.name, $0.value) }, charset: charset).requirePlainPairs()
            let signature = try await signer.sign(signedBytes(response, charset: charset))
            children += [.init("sign", text: signature), .init("sign_type", text: signer.algorithm.rawValue)]
        }
        return try AlipayXML.write(.init("alipay", children: children), charset: charset)
    }

    /// Makes the answer to a call that was refused.
    public static func failure(
        _ error: String, request: [AlipayXML.Field] = [], charset: AlipayCharset
    ) throws(AlipayError) -> [UInt8] {
        var children = [AlipayXML.Element("is_success", text: "F")]
        if !request.isEmpty { children.append(requestElement(request)) }
        children.append(.init("error", text: error))
        return try AlipayXML.write(.init("alipay", children: children), charset: charset)
    }

    private static func requestElement(_ fields: [AlipayXML.Field]) -> AlipayXML.Element {
        .init("request", children: fields.map { .init("param", attributes: ["name": $0.name], text: $0.value) })
    }
}

/// The fields of a legacy answer that the gateway's key signed.
public struct VerifiedLegacyAnswer: Sendable, Hashable {
    public let response: [String: String]
    public subscript(name: String) -> String? { response[name] }
}
