package import BillfoldJSON

/// The envelope `{"<name>":<node>,"sign":"…"}` with the node's exact bytes.
///
/// Source: alipay.md#envelope [V]: the signature covers the value as sent, from its first brace or quotation mark to the last. It is
/// never parsed and printed again.
package struct SignedNode {
    package var name: String
    /// A string when the node is encrypted.
    package var value: JSONValue
    /// The node's bytes in the message's charset.
    package var signedBytes: [UInt8]
    package var signature: String?
    package var signType: String?
    var certificateSerial: String?

    package init(_ body: [UInt8], charset: AlipayCharset) throws(AlipayError) {
        guard body.count <= AlipayJSON.maximumLength else {
            throw AlipayError(code: .tooLarge, reason: "the answer has \(body.count) bytes")
        }
        // The second byte of a GBK character may be a brace or a backslash, so the text is scanned as UTF-8.
        let text = charset == .utf8 ? body : Array(try charset.decode(body).utf8)
        guard let members = try AlipayJSON.read(text).members else {
            throw AlipayError(code: .malformedJSON, reason: "the answer is no object")
        }
        let nodes = members.filter { $0.key == "error_response" || $0.key.hasSuffix("_response") }
        guard nodes.count == 1, let node = nodes.first else {
            throw AlipayError(code: .malformed, reason: "the answer has \(nodes.count) nodes that end in _response")
        }
        name = node.key
        value = node.value
        let bytes = Array(text[node.range])
        signedBytes = charset == .utf8 ? bytes : try charset.encode(String(decoding: bytes, as: UTF8.self))
        func member(_ name: String) -> String? { members.first { ExactText.equal($0.key, name) }?.value.string }
        signature = member("sign")
        signType = member("sign_type")
        certificateSerial = member("alipay_cert_sn")
    }

    var algorithm: AlipaySignatureAlgorithm? {
        get throws(AlipayError) {
            guard let signType else { return nil }
            return try AlipaySignatureAlgorithm(signType: signType)
        }
    }

    func requiredSignature() throws(AlipayError) -> String {
        guard let signature, !signature.isEmpty else {
            throw AlipayError(code: .missingSignature, reason: "the answer has no sign")
        }
        return signature
    }
}
