/// A notification as it was posted, which nobody has verified.
///
/// Source: alipay.md#notification-signature [V]: form-decoded values, without `sign` and `sign_type`, sorted, in the notification's
/// charset. Nothing is trimmed and nothing un-escaped.
public struct AlipayNotification: Sendable, Hashable {
    public let parameters: AlipayParameters

    /// Reads the body alone: a query or cookies merged into the fields break every signature.
    /// - Parameters:
    ///   - form: The body exactly as it came, still percent-encoded.
    ///   - charset: That of the order, for legacy notifications, which do not name theirs. A `charset` field comes first.
    public init(form: [UInt8], charset: AlipayCharset = .utf8) throws(AlipayError) {
        var parameters = try AlipayParameters(form: form, charset: charset)
        if let name = parameters["charset"], !name.isEmpty {
            guard let named = AlipayCharset(name: name) else {
                throw AlipayError(code: .unsupported, reason: "charset is none of utf-8, gbk, gb2312")
            }
            parameters.charset = named
        }
        self.parameters = parameters
    }

    private init(_ parameters: AlipayParameters) { self.parameters = parameters }

    public var generation: AlipayGeneration { parameters.bytes("app_id") == nil ? .legacy : .modern }

    /// Certificate mode's serial number stands beside what is signed, for clients that hold several certificates
    /// (alipay.md#notification-signature) [O].
    package static let unsigned: Set<String> = ["sign", "sign_type", AlipayParameters.gatewaySerial]

    public var signedBytes: [UInt8] { parameters.sortedText(without: Self.unsigned) }

    /// Checks the signature. `missing-signature`, `signature-mismatch`, `missing-parameter` without a `notify_id`, `unencodable-text`, and
    /// `other-message` for a synchronous result in a notification's form. A serial number is a field where the signature covers it.
    public func verified(by keys: AlipayVerificationKeys) throws(AlipayError) -> VerifiedNotification {
        guard let signature = parameters["sign"], !signature.isEmpty, let signType = parameters["sign_type"], !signType.isEmpty else {
            throw AlipayError(code: .missingSignature, reason: "the notification has no sign or no sign_type")
        }
        let algorithm = try AlipaySignatureAlgorithm(signType: signType)
        guard algorithm != .md5 || generation == .legacy else {
            throw AlipayError(code: .unsupportedSignType, reason: "MD5 is not for this notification")
        }
        let (text, unsigned) = try keys.text(
            of: parameters, signedBy: signature, algorithm, leaving: [Self.unsigned, LegacyServiceRequest.unsigned])
        // The same key signs synchronous results, whose text the merchant of any order chose: it ends so, and a notification's never does.
        guard !text.suffix(PaymentResult.successPair.count).elementsEqual(PaymentResult.successPair) else {
            throw AlipayError(code: .otherMessage, reason: "what is signed is the synchronous result of an order")
        }
        let covered = try parameters.texts().filter { !$0.value.isEmpty && !unsigned.contains($0.name) }
        // The key signs answers too, which have none.
        guard covered.contains(where: { $0.name == "notify_id" }) else {
            throw AlipayError(code: .missingParameter, reason: "notify_id is missing")
        }
        return VerifiedNotification(
            generation: generation, fields: Dictionary(uniqueKeysWithValues: covered.map { ($0.name, $0.value) }),
            charset: parameters.charset, algorithm: algorithm, signedBytes: text)
    }

    /// Signs fields in the given order; empty ones are left out. `invalid-parameter` for a value that reads as further fields: what is
    /// signed would be the text of another notification, too.
    public static func signed(
        _ fields: [(name: String, value: String)], charset: AlipayCharset = .utf8, by signer: some AlipaySigner
    ) async throws(AlipayError) -> AlipayNotification {
        var made = try AlipayParameters(fields.filter { !unsigned.contains($0.name) && !$0.value.isEmpty }, charset: charset)
        try made.requirePlainPairs()
        let signature = try await signer.sign(made.sortedText(without: unsigned))
        try made.append("sign_type", Array(signer.algorithm.rawValue.utf8))
        try made.append("sign", Array(signature.utf8))
        return AlipayNotification(made)
    }

    /// The body to post.
    public var form: String { parameters.form }

    /// The Content-Type to post it with.
    public var contentType: String { "application/x-www-form-urlencoded;charset=\(parameters.charset.rawValue)" }
}

/// A notification whose fields, all of them, the gateway's key signed. Whether the order is the merchant's has still to be compared.
public struct VerifiedNotification: Sendable, Hashable {
    public let generation: AlipayGeneration
    public let fields: [String: String]
    public let charset: AlipayCharset
    public let algorithm: AlipaySignatureAlgorithm
    public let signedBytes: [UInt8]

    public subscript(name: String) -> String? { fields[name] }
    public var notifyID: String? { self["notify_id"] }
    public var outTradeNo: String? { self["out_trade_no"] }
    public var tradeNo: String? { self["trade_no"] }
    public var tradeStatus: String? { self["trade_status"] }
    /// `total_amount`, or `total_fee` of the legacy generation, as it was sent.
    public var total: String? { self["total_amount"] ?? self["total_fee"] }
}

/// How a merchant answers a notification.
public enum NotificationReply {
    /// Says whether a reply settles the notification: exactly `success`, or `SUCCESS` as the cross-border page prints it [I], with 200.
    ///
    /// Spaces, a byte order mark, HTML, a redirect and every other status do not.
    public static func isAccepted(status: Int, body: [UInt8]) -> Bool {
        status == 200 && (body == Array("success".utf8) || body == Array("SUCCESS".utf8))
    }

    /// Seconds between the attempts, of which there are eight (alipay.md#reply-and-retries [D]).
    public static func intervals(crossBorder: Bool) -> [Int64] {
        [crossBorder ? 2 : 4, 10, 10, 60, 120, 360, 900].map { $0 * 60 }
    }
}
