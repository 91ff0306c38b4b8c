public import BillfoldJSON

/// An answer of the modern gateway that nobody has verified.
public struct ModernAnswer: Sendable {
    private let node: SignedNode
    public let body: [UInt8]

    /// Reads `{"<method>_response":{…},"sign":"…"}`. `malformed-json`, `duplicate-key`, `malformed`, `too-large`, `unencodable-text`.
    public init(_ body: [UInt8], charset: AlipayCharset = .utf8) throws(AlipayError) {
        self.body = body
        node = try SignedNode(body, charset: charset)
    }

    public var nodeName: String { node.name }
    /// The method whose name gives the node's: a guess from the answer itself, where a caller has nothing better.
    public var answeredMethod: String { String(nodeName.dropLast("_response".count)).replacing("_", with: ".") }
    public var certificateSerial: String? { node.certificateSerial }
    /// The node's exact bytes.
    public var signedBytes: [UInt8] { node.signedBytes }

    /// What an answer without signature says, as failures of the gateway usually are: to be shown, never to be believed.
    public var unsignedFailure: ModernFailure? {
        guard node.signature?.isEmpty ?? true, let failure = ModernFailure(node.value), failure.code != ModernFailure.accepted else {
            return nil
        }
        return failure
    }

    /// Checks the signature, and that the answer is one to this method. `other-message`, `missing-signature`, `signature-mismatch`.
    /// - Parameters:
    ///   - keys: The gateway's registered keys; `unknown-key` when none is of the algorithm.
    ///   - algorithm: That of the request; answers do not name it.
    ///   - method: The method that was called, with dots; an `error_response` answers every one.
    public func verified(
        by keys: AlipayVerificationKeys, _ algorithm: AlipaySignatureAlgorithm = .rsa2, answering method: String
    ) throws(AlipayError) -> VerifiedModernAnswer {
        guard node.name == Self.nodeName(method) || node.name == "error_response" else {
            throw AlipayError(code: .otherMessage, reason: "the node \(AlipayError.quoted(node.name)) does not answer \(method)")
        }
        try keys.require(node.requiredSignature(), over: node.signedBytes, algorithm)
        return VerifiedModernAnswer(node: node.value, certificateSerial: node.certificateSerial)
    }

    /// The member of the answer that a method's result lies in: its dots become `_`, and `_response` follows.
    public static func nodeName(_ method: String) -> String { method.replacing(".", with: "_") + "_response" }

    /// Makes an answer and signs it; without a signer, as failures of the gateway are.
    /// - Parameters:
    ///   - node: The method's result. Its text in the charset is what is signed.
    ///   - method: The method that was called, with dots; `error` makes an `error_response`.
    ///   - charset: That of the request; `unencodable-text` when the result does not fit it.
    ///   - signer: Signs for the gateway; nil leaves `sign` out.
    ///   - certificateSerial: `alipay_cert_sn`, in certificate mode.
    public static func make(
        _ node: JSONValue, answering method: String, charset: AlipayCharset = .utf8, by signer: (any AlipaySigner)?,
        certificateSerial: String? = nil
    ) async throws(AlipayError) -> [UInt8] {
        let bytes = try charset.encode(node.text)
        var text = Array("{\"\(nodeName(method))\":".utf8) + bytes
        if let certificateSerial { text += Array(",\"alipay_cert_sn\":\"\(certificateSerial)\"".utf8) }
        if let signer { text += Array(",\"sign\":\"\(try await signer.sign(bytes))\"".utf8) }
        text.append(UInt8(ascii: "}"))
        return text
    }
}

/// An answer that the gateway's key signed.
public struct VerifiedModernAnswer: Sendable {
    public let node: JSONValue
    public let certificateSerial: String?

    public subscript(name: String) -> String? { node[name]?.scalar }
    public var isAccepted: Bool { self["code"] == ModernFailure.accepted }
    /// Nil when the call was accepted.
    public var failure: ModernFailure? { isAccepted ? nil : ModernFailure(node) }
}
