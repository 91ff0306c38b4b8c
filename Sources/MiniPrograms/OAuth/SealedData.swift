import BillfoldJSON
public import PaymentCrypto

/// What a container hands a script in place of a telephone number and the like: sealed for the merchant's server, and signed by the
/// platform (mini-programs.md#sealed-data [D]): `{response, sign, sign_type, encrypt_type, charset}`.
///
/// The script sends it on to its server as it is. Nothing in it may be opened before the signature is verified: ``verified(by:)`` is its
/// one way on.
public struct UnverifiedSealedData: Sendable {
    /// Base64 of the ciphertext, as it stands in the envelope: its quoted text is what is signed.
    let response: String
    let signature: [UInt8]

    /// Reads an envelope, also one that is handed over as `{"response":"<envelope>"}`, as `my.getPhoneNumber` answers it.
    ///
    /// `malformed-json`, `missing-field`; `malformed-field` for another algorithm or charset, and for data that is not sealed.
    public init(_ bytes: [UInt8]) throws(MiniProgramError) {
        var object = try Self.object(bytes)
        if object["sign"] == nil, let inner = object["response"]?.string, inner.hasPrefix("{") { object = try Self.object(Array(inner.utf8)) }
        func text(_ name: String, _ known: Set<String>) throws(MiniProgramError) {
            guard let value = object[name]?.string else { throw MiniProgramError(code: .missingField, reason: "\(name) is missing") }
            guard known.contains(value.uppercased()) else {
                throw MiniProgramError(code: .malformedField, reason: "\(name) \(MiniProgramError.quoted(value)) is none that is taken")
            }
        }
        guard let sign = object["sign"]?.string else { throw MiniProgramError(code: .missingField, reason: "sign is missing") }
        guard let response = object["response"]?.string else {
            throw MiniProgramError(code: .malformedField, reason: "response is no ciphertext in base64")
        }
        try text("sign_type", ["RSA2"])
        try text("encrypt_type", ["AES"])
        try text("charset", ["UTF-8"])
        guard let signature = try? StrictBase64.decode(sign), (try? StrictBase64.decode(response)) != nil else {
            throw MiniProgramError(code: .malformedField, reason: "sign or response is not base64")
        }
        self.response = response
        self.signature = signature
    }

    private static func object(_ bytes: [UInt8]) throws(MiniProgramError) -> JSONObject {
        do throws(JSONError) {
            return try JSONReader.readObject(bytes, maximumBytes: 65_536, maximumDepth: 8)
        } catch {
            throw MiniProgramError(code: .malformedJSON, reason: "the envelope is not strict JSON: \(error.code)")
        }
    }

    /// Checks the platform's signature. `signature-mismatch`.
    public func verified(by key: PublicKey) throws(MiniProgramError) -> SealedData {
        guard key.isValidSignature(signature, over: SealedData.signedBytes(response), algorithm: .rsaPKCS1SHA256) else {
            throw MiniProgramError(code: .signatureMismatch, reason: "the signature is not the key's over this response")
        }
        return SealedData(response: response, signature: signature)
    }
}

/// Sealed data whose signature was verified, or that was sealed here.
public struct SealedData: Sendable {
    private let response: String
    private let signature: [UInt8]

    fileprivate init(response: String, signature: [UInt8]) {
        self.response = response
        self.signature = signature
    }

    /// Seals and signs. The vector is sixteen zero bytes, as in the published kits [I]: equal data gives equal envelopes, so that data
    /// which must not be recognised needs something of its own in it.
    ///
    /// - Parameters:
    ///   - text: JSON, such as `{"code":"10000","msg":"Success","mobile":"…"}`.
    ///   - key: The mini program's AES key, which the platform and the merchant's server share.
    ///   - signer: The platform's RSA key; `unusable-key` for another.
    public init(sealing text: [UInt8], with key: LegacyAESCBC, signedBy signer: any MessageSigner) throws(MiniProgramError) {
        do throws(PaymentCryptoError) {
            response = StrictBase64.encode(try key.seal(text))
            signature = try signer.signature(over: Self.signedBytes(response), algorithm: .rsaPKCS1SHA256)
        } catch {
            throw MiniProgramError(code: .unusableKey, reason: "the key cannot sign with RSA and SHA-256")
        }
    }

    /// The quoted text of the ciphertext, quotation marks included (mini-programs.md#sealed-data [D]).
    static func signedBytes(_ response: String) -> [UInt8] { Array("\"\(response)\"".utf8) }

    /// The envelope.
    public var body: [UInt8] {
        JSONWriter.write(
            JSONObject([
                .init("response", .string(response)), .init("sign", .string(StrictBase64.encode(signature))), .init("sign_type", "RSA2"),
                .init("encrypt_type", "AES"), .init("charset", "UTF-8"),
            ]))
    }

    /// The data, on the merchant's server. `cannot-open` for another key.
    public func opened(with key: LegacyAESCBC) throws(MiniProgramError) -> [UInt8] {
        do throws(PaymentCryptoError) {
            return try key.open(StrictBase64.decode(response))
        } catch {
            throw MiniProgramError(code: .cannotOpen, reason: "the data does not open with this key")
        }
    }
}
