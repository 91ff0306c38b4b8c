public import BillfoldJSON

/// The result of a payment as the phone hands it over, which nobody has verified.
public struct PaymentResult: Sendable, Hashable, Codable {
    public var status: AlipayResultStatus
    /// For people; often empty.
    public var memo: String
    /// The signed text of either generation; empty for every status that says nothing of a payment [O].
    public var result: String

    /// The most bytes of a result that are read.
    public static let maximumLength = 65_536

    public init(status: AlipayResultStatus, memo: String = "", result: String = "") {
        self.status = status
        self.memo = memo
        self.result = result
    }

    /// Reads an object of `resultStatus` (or `ResultStatus`), `result` and `memo`; others are ignored, as Android's `extendInfo`.
    public init(_ json: JSONValue) throws(AlipayError) {
        guard let status = (json["ResultStatus"] ?? json["resultStatus"])?.scalar else {
            throw AlipayError(code: .missingParameter, reason: "ResultStatus is missing")
        }
        self.init(
            status: AlipayResultStatus(rawValue: status), memo: json["memo"]?.string ?? "", result: json["result"]?.string ?? "")
    }

    /// Reads JSON, or the text of old Android kits: `resultStatus={9000};memo={};result={…}` [O].
    public init(text: String) throws(AlipayError) {
        guard text.utf8.count <= Self.maximumLength * 2 else {
            throw AlipayError(code: .tooLarge, reason: "the result has \(text.utf8.count) bytes")
        }
        if text.hasPrefix("{") {
            let json = try AlipayJSON.read(text)
            if Self.nodeNames.contains(where: { json[$0] != nil }) {
                self.init(status: .paid, result: text)
            } else {
                try self.init(json)
            }
            return
        }
        guard text.hasPrefix("resultStatus={") else {
            self.init(status: .paid, result: text)
            return
        }
        var fields: [String: String] = [:]
        for part in (text.hasSuffix("}") ? String(text.dropLast()) : text).split(separator: "};", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "={", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw AlipayError(code: .malformed, reason: "a field is not name={value}") }
            fields[String(halves[0])] = String(halves[1])
        }
        guard let status = fields["resultStatus"] else {
            throw AlipayError(code: .missingParameter, reason: "resultStatus is missing")
        }
        self.init(status: .init(rawValue: status), memo: fields["memo"] ?? "", result: fields["result"] ?? "")
    }

    /// The object that the callback gets.
    public var json: JSONValue { .texts(["resultStatus": status.rawValue, "memo": memo, "result": result]) }

    /// Nil for an empty result.
    public var generation: AlipayGeneration? { result.isEmpty ? nil : result.hasPrefix("{") ? .modern : .legacy }

    /// Checks the signature over the exact bytes. `missing-signature` for an empty result, `malformed`, `duplicate-key`,
    /// `signature-mismatch`, `uncovered-parameter` for a pair behind the signature.
    public func verified(by keys: AlipayVerificationKeys) throws(AlipayError) -> VerifiedPaymentResult {
        guard result.utf8.count <= Self.maximumLength else {
            throw AlipayError(code: .tooLarge, reason: "the result has \(result.utf8.count) bytes")
        }
        switch generation {
        case nil: throw AlipayError(code: .missingSignature, reason: "the result is empty")
        case .legacy?:
            let signed = try SignedLegacyResult(result)
            try keys.require(signed.signature, over: signed.signedBytes, signed.algorithm)
            return VerifiedPaymentResult(
                status: status, content: .legacy(try LegacyOrderParameters(signed.pairs, charset: signed.charset)), result: result,
                signedBytes: signed.signedBytes, algorithm: signed.algorithm)
        case .modern?:
            let node = try SignedNode(Array(result.utf8), charset: .utf8)
            guard Self.nodeNames.contains(where: { ExactText.equal($0, node.name) }) else {
                throw AlipayError(code: .otherMessage, reason: "the node is not \(Self.nodeNames.joined(separator: " or "))")
            }
            let algorithm = try node.algorithm ?? .rsa2
            guard algorithm != .md5 else { throw AlipayError(code: .unsupportedSignType, reason: "MD5 is not for this result") }
            try keys.require(node.requiredSignature(), over: node.signedBytes, algorithm)
            return VerifiedPaymentResult(
                status: status, content: .modern(node.value), result: result, signedBytes: node.signedBytes, algorithm: algorithm)
        }
    }

    package static let nodeName = "alipay_trade_app_pay_response"
    /// Beside it the node of a payment page that an app opened and whose link it handed to the kit (alipay.md#modern-result) [O].
    private static let nodeNames = [nodeName, "alipay_trade_wap_pay_response"]
    /// What a legacy result adds to the order's own pairs: every text that is signed for one ends so.
    static let successPair = Array(#"&success="true""#.utf8)

    /// Makes the result of a legacy order that was paid: what was covered of it, `success="true"`, and the gateway's signature.
    public static func legacy(
        paying order: VerifiedLegacyOrder, by signer: some AlipaySigner
    ) async throws(AlipayError) -> PaymentResult {
        let text = order.signedBytes + successPair
        let signature = try await signer.sign(text)
        return PaymentResult(
            status: .paid,
            result: "\(try order.charset.decode(text))&sign_type=\"\(signer.algorithm.rawValue)\"&sign=\"\(signature)\"")
    }

    /// Makes the result of a modern order that was paid.
    /// - Parameters:
    ///   - fields: The node's texts in their order: `code`, `msg`, `app_id`, `trade_no`, `total_amount` …
    ///   - signer: Holds the gateway's key, and gives `sign_type`. Readers refuse MD5 here.
    public static func modern(
        _ fields: KeyValuePairs<String, String?>, by signer: some AlipaySigner
    ) async throws(AlipayError) -> PaymentResult {
        let node = JSONValue.texts(fields).text
        let signature = try await signer.sign(Array(node.utf8))
        return PaymentResult(
            status: .paid,
            result: "{\"\(nodeName)\":\(node),\"sign\":\"\(signature)\",\"sign_type\":\"\(signer.algorithm.rawValue)\"}")
    }
}

/// A legacy result taken apart: `<pairs>&success="true"&sign_type="RSA"&sign="<plain base64>"`.
package struct SignedLegacyResult {
    package var pairs: [LegacyOrder.Pair]
    package var charset: AlipayCharset
    package var algorithm: AlipaySignatureAlgorithm
    package var signature: String
    var signedBytes: [UInt8]

    package init(_ text: String) throws(AlipayError) {
        // The names are ASCII in either charset, so one look at the text finds which of them it was signed in.
        let named = try QuotedPairs(Array(text.utf8), reading: .asObserved).pairs.first { $0.name == "_input_charset" }
        charset = try LegacyOrder.charset(of: named?.value)
        let all = try QuotedPairs(charset.encode(text), reading: .asObserved).pairs
        guard let cut = all.firstIndex(where: { $0.name == "sign_type" || $0.name == "sign" }), cut > 0 else {
            throw AlipayError(code: .missingSignature, reason: "the result has no sign_type and sign")
        }
        let tail = all[cut...]
        if let behind = tail.first(where: { $0.name != "sign_type" && $0.name != "sign" }) {
            throw AlipayError(code: .uncoveredParameter, reason: "no signature covers \(AlipayError.quoted(behind.name))")
        }
        guard let signType = tail.first(where: { $0.name == "sign_type" }), let sign = tail.first(where: { $0.name == "sign" }) else {
            throw AlipayError(code: .missingSignature, reason: "the result has no sign_type or no sign")
        }
        algorithm = try AlipaySignatureAlgorithm(signType: String(decoding: signType.value, as: UTF8.self))
        signature = String(decoding: sign.value, as: UTF8.self)
        pairs = Array(all[..<cut])
        signedBytes = QuotedPairs.join(pairs)
    }
}

/// A result that the gateway's key signed. That it is the merchant's own order has still to be compared.
public struct VerifiedPaymentResult: Sendable {
    /// What the signed text says, by the kind of the order.
    public enum Content: Sendable {
        /// The order's pairs as submitted, and `success`.
        case legacy(LegacyOrderParameters)
        /// The node of `alipay.trade.app.pay`.
        case modern(JSONValue)
    }

    /// Not covered by the signature.
    public let status: AlipayResultStatus
    public let content: Content
    /// The text as it came.
    public let result: String
    public let signedBytes: [UInt8]
    public let algorithm: AlipaySignatureAlgorithm

    /// Whether the signed text itself says that the order is paid.
    public var saysPaid: Bool {
        switch content {
        case .legacy(let parameters): parameters["success"] == "true"
        case .modern(let node): node["code"]?.scalar == "10000"
        }
    }

    public subscript(name: String) -> String? {
        switch content {
        case .legacy(let parameters): parameters[name]
        case .modern(let node): node[name]?.scalar
        }
    }

    public var outTradeNo: String? { self["out_trade_no"] }
    /// Modern results only.
    public var tradeNo: String? { self["trade_no"] }

    /// Says whether a legacy result is of exactly this order: its pairs, in order and byte for byte (alipay.md#legacy-result).
    public func isResult(of order: VerifiedLegacyOrder) -> Bool {
        guard case .legacy = content else { return false }
        return signedBytes == order.signedBytes + Array(#"&success="true""#.utf8)
    }
}
