import BillfoldJSON
import PaymentCrypto

/// A legacy order string, `key="value"&…&sign="…"&sign_type="RSA"`, that nobody has verified.
///
/// Source: alipay.md#legacy-signature [V] where not marked otherwise. The merchant signs the pairs in the order in which they are sent.
public struct LegacyOrder: Sendable, Hashable {
    /// One `key="value"` of the order.
    public struct Pair: Sendable, Hashable {
        public let name: String
        /// What stands between the quotation marks, untouched: a percent-encoded URL stays percent-encoded.
        public let value: [UInt8]

        package init(name: String, value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// The longest order that is read strictly (Hong Kong page [D]).
    public static let maximumLength = 16_384

    /// The whole string as it came.
    public let bytes: [UInt8]
    /// All pairs in their order, `sign` and `sign_type` among them.
    public let pairs: [Pair]
    /// From `_input_charset`; GBK when it is missing.
    public let charset: AlipayCharset
    public let algorithm: AlipaySignatureAlgorithm
    /// The signature after the one percent-decoding: base64.
    public let signature: String
    let reading: AlipayReading

    /// Reads an order. `malformed`, `duplicate-key`, `too-large`, `unsupported`, `missing-signature`.
    ///
    /// Strictly, a raw `+`, `/` or `=` in `sign` is refused: it must be percent-encoded exactly once.
    public init(_ bytes: [UInt8], reading: AlipayReading = .strict) throws(AlipayError) {
        guard bytes.count <= (reading == .strict ? Self.maximumLength : AlipayParameters.maximumLength) else {
            throw AlipayError(code: .tooLarge, reason: "the order has \(bytes.count) bytes")
        }
        let pairs = try QuotedPairs(bytes, reading: reading).pairs
        self.bytes = bytes
        self.pairs = pairs
        self.reading = reading
        func value(_ name: String) -> [UInt8]? { pairs.first { ExactText.equal($0.name, name) }?.value }
        charset = try Self.charset(of: value("_input_charset"))
        guard let signType = value("sign_type"), let sign = value("sign"), !sign.isEmpty else {
            throw AlipayError(code: .missingSignature, reason: "the order has no sign or no sign_type")
        }
        algorithm = try AlipaySignatureAlgorithm(signType: String(decoding: signType, as: UTF8.self))
        if reading == .strict, let raw = sign.first(where: { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) }) {
            throw AlipayError(
                code: .malformedSignature,
                reason: "sign holds a bare \(Character(Unicode.Scalar(raw))): it is not percent-encoded")
        }
        guard let decoded = PercentEncoding.decode(sign[...], plusIsSpace: false) else {
            throw AlipayError(code: .malformedSignature, reason: "sign has a percent sign without two hexadecimal digits")
        }
        signature = String(decoding: decoded, as: UTF8.self)
    }

    static func charset(of name: [UInt8]?) throws(AlipayError) -> AlipayCharset {
        guard let name else { return .gbk }
        guard let charset = AlipayCharset(name: String(decoding: name, as: UTF8.self)) else {
            throw AlipayError(code: .unsupported, reason: "_input_charset is neither utf-8 nor gbk")
        }
        return charset
    }

    /// What a signature over the whole order covers: all pairs but `sign` and `sign_type`, as sent.
    public var signedBytes: [UInt8] { QuotedPairs.join(coverable(pairs)) }

    /// What the order says of itself before anybody checked it: for display and diagnosis, never to be booked.
    public func claimedParameters() throws(AlipayError) -> LegacyOrderParameters {
        try LegacyOrderParameters(coverable(pairs), charset: charset)
    }

    private func coverable(_ pairs: some Sequence<Pair>) -> [Pair] { pairs.filter { $0.name != "sign" && $0.name != "sign_type" } }

    /// The sets of pairs that a signature may cover, largest first.
    ///
    /// A merchant that sorts has pairs behind `sign`, which are covered; one that appends afterwards has pairs there which are
    /// not. Only the signature tells which. The wallet's own `bizcontext` is appended by the phone's SDK, unsigned [O].
    private var coverages: [[Pair]] {
        let all = coverable(pairs)
        let prefix = coverable(pairs.prefix { $0.name != "sign" && $0.name != "sign_type" })
        let behindBoth = Set(trailingNames)
        var candidates = [all]
        for candidate in [
            all.filter { !(Self.appendedByWallet.contains($0.name) && behindBoth.contains($0.name)) },
            all.filter { !behindBoth.contains($0.name) }, prefix,
        ]
        where candidate != candidates.last { candidates.append(candidate) }
        return candidates
    }

    package static let appendedByWallet: Set<String> = ["bizcontext"]

    /// Keys of the pairs that stand behind both `sign` and `sign_type`: appended after signing, unless the order is sorted.
    public var trailingNames: [String] {
        guard let last = pairs.lastIndex(where: { $0.name == "sign" || $0.name == "sign_type" }) else { return [] }
        return pairs[(last + 1)...].map(\.name)
    }

    /// Checks the signature and says what it covers.
    ///
    /// Strictly, `uncovered-parameter` names the parameters that are outside; only the wallet's own `bizcontext` may be.
    public func verified(by keys: AlipayVerificationKeys) throws(AlipayError) -> VerifiedLegacyOrder {
        for covered in coverages {
            let text = QuotedPairs.join(covered)
            guard try keys.isValid(signature, over: text, algorithm) else { continue }
            let names = Set(covered.map(\.name))
            let uncovered = coverable(pairs).map(\.name).filter { !names.contains($0) }
            if reading == .strict {
                let refused = uncovered.filter { !Self.appendedByWallet.contains($0) }
                guard refused.isEmpty else {
                    throw AlipayError(
                        code: .uncoveredParameter,
                        reason: "no signature covers \(refused.map { AlipayError.quoted($0) }.joined(separator: ", "))")
                }
            }
            return try VerifiedLegacyOrder(
                parameters: LegacyOrderParameters(covered, charset: charset), uncovered: uncovered, signedBytes: text,
                algorithm: algorithm, bytes: bytes)
        }
        throw AlipayError(code: .signatureMismatch, reason: "the signature does not fit the order")
    }

    /// Signs pairs in the given order and appends `sign` and `sign_type`.
    ///
    /// `malformed` when a value holds a quotation mark that would end it.
    public static func signed(
        _ pairs: [(name: String, value: String)], charset: AlipayCharset = .utf8, by signer: some AlipaySigner
    ) async throws(AlipayError) -> LegacyOrder {
        var encoded: [Pair] = []
        for (name, value) in pairs { encoded.append(Pair(name: name, value: try charset.encode(value))) }
        let text = QuotedPairs.join(encoded)
        guard try QuotedPairs(text, reading: .strict).pairs == encoded else {
            throw AlipayError(code: .malformed, reason: "a value holds text that reads as another pair")
        }
        let signature = PercentEncoding.encode(try await signer.sign(text).utf8)
        return try LegacyOrder(text + Array("&sign=\"\(signature)\"&sign_type=\"\(signer.algorithm.rawValue)\"".utf8))
    }
}

/// An order whose covered parameters the merchant's key signed.
public struct VerifiedLegacyOrder: Sendable, Hashable {
    /// The covered parameters, and no others.
    public let parameters: LegacyOrderParameters
    /// Keys that no signature covers. Nothing may be booked from them.
    public let uncovered: [String]
    /// What was signed.
    public let signedBytes: [UInt8]
    public let algorithm: AlipaySignatureAlgorithm
    /// The whole string as it came.
    public let bytes: [UInt8]

    public var charset: AlipayCharset { parameters.charset }
}
