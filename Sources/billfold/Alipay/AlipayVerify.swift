import Alipay
import ArgumentParser
import BillfoldJSON
import Foundation

/// `alipay verify`: checks an order, a result, a notification or an answer.
struct AlipayVerify: AlipayReplying {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case order, result, notification, response
    }

    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the signature of a message.",
        discussion: """
            FILE holds an order string, a payment's result (the signed text, the callback's object or the return URL), a notification's form \
            body, or an answer's body (JSON, or XML of the legacy services). A message that is not verified exits with 1. Strictly, a \
            parameter that no signature covers is refused; --as-observed reports it.
            """)

    @Argument(help: "order, result, notification or response.") var kind: Kind
    @Argument(help: "The message.") var file: String
    @Option(help: "The signing party's public key: PEM, a certificate, or base64 on one line.") var key: String?
    @Option(help: "File whose first line is the shared key, for MD5.") var md5KeyFile: String?
    @Option(help: "Charset of a legacy notification or of an answer: utf-8 or gbk.") var charset: String?
    @Option(help: "The method that a response answers, such as alipay.trade.query; from the response's own node when absent.")
    var method: String?
    @Option(help: "RSA or RSA2, for a response, which does not name it.") var signType = "RSA2"
    @Flag(help: "Take an order as real ones were seen, and say what is not covered.") var asObserved = false
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> AlipayReply {
        let bytes = try AlipayFiles.message(file)
        let keys = try AlipayFiles.keys(key: key, md5KeyFile: md5KeyFile)
        switch kind {
        case .order: return try order(bytes, keys)
        case .result: return try result(bytes, keys)
        case .notification: return try notification(bytes, keys)
        case .response: return try response(bytes, keys)
        }
    }

    private func order(_ bytes: [UInt8], _ keys: AlipayVerificationKeys) throws -> AlipayReply {
        let reading: AlipayReading = asObserved ? .asObserved : .strict
        let order = try ExpressOrder(bytes, reading: reading)
        var reply = AlipayReply("verified")
        reply.generation = order.generation.rawValue
        switch order {
        case .legacy(let order):
            let verified = try order.verified(by: keys)
            reply.describe(verified.algorithm, over: verified.signedBytes, in: verified.charset)
            reply.fields = Self.fields(verified.parameters)
            reply.uncovered = verified.uncovered
            reply.violations = LegacyOrderRules.violations(in: verified.parameters, reading: reading).map(AlipayReply.Violation.init)
        case .unquoted(let call):
            let verified = try call.verified(by: keys)
            reply.describe(verified.algorithm, over: verified.signedBytes, in: verified.charset)
            reply.fields = verified.parameters
            reply.violations = LegacyOrderRules.violations(in: verified.order, reading: reading).map(AlipayReply.Violation.init)
        case .modern(let order):
            let verified = try order.verified(by: keys)
            reply.describe(verified.algorithm, over: verified.signedBytes, in: verified.charset)
            reply.fields = verified.parameters
            if verified.method == TradeAppPay.method {
                reply.violations = ModernOrderRules.violations(in: try verified.bizContent(), reading: reading).map(
                    AlipayReply.Violation.init)
            }
        }
        return reply
    }

    private func result(_ bytes: [UInt8], _ keys: AlipayVerificationKeys) throws -> AlipayReply {
        let text = try AlipayCharset.utf8.decode(bytes)
        let result = SafepayURL.isSafepay(text) ? try SafepayURL(text).result : try PaymentResult(text: text)
        let verified = try result.verified(by: keys)
        var reply = AlipayReply("verified")
        reply.generation = result.generation?.rawValue
        reply.resultStatus = result.status.rawValue
        reply.says = verified.saysPaid ? "paid" : "unclear"
        reply.memo = result.memo
        switch verified.content {
        case .legacy(let parameters):
            reply.describe(verified.algorithm, over: verified.signedBytes, in: parameters.charset)
            reply.fields = Self.fields(parameters)
        case .modern(let node):
            reply.describe(verified.algorithm, over: verified.signedBytes, in: .utf8)
            reply.fields = Self.fields(node)
        }
        return reply
    }

    private func notification(_ bytes: [UInt8], _ keys: AlipayVerificationKeys) throws -> AlipayReply {
        let verified = try AlipayNotification(form: bytes, charset: AlipayFiles.charset(charset) ?? .utf8).verified(by: keys)
        var reply = AlipayReply("verified")
        reply.generation = verified.generation.rawValue
        reply.describe(verified.algorithm, over: verified.signedBytes, in: verified.charset)
        reply.fields = verified.fields
        reply.says = verified.event.name
        return reply
    }

    private func response(_ bytes: [UInt8], _ keys: AlipayVerificationKeys) throws -> AlipayReply {
        var reply = AlipayReply("verified")
        if bytes.first == UInt8(ascii: "<") {
            reply.generation = AlipayGeneration.legacy.rawValue
            let verified = try LegacyAnswer(bytes).verified(by: keys)
            reply.fields = verified.response
            if verified["trade_status"] != nil { reply.says = verified.tradeOutcome.rawValue }
            return reply
        }
        guard let algorithm = AlipaySignatureAlgorithm(rawValue: signType), algorithm != .md5 else {
            throw CommandFailure.usage("--sign-type is RSA or RSA2")
        }
        let charset = try AlipayFiles.charset(charset) ?? .utf8
        let answer = try ModernAnswer(bytes, charset: charset)
        if let failure = answer.unsignedFailure {
            throw CommandFailure(
                .refused, code: "missing-signature", reason: "an unsigned failure: \(failure.code) \(failure.subCode ?? failure.message)")
        }
        let verified = try answer.verified(by: keys, algorithm, answering: method ?? answer.answeredMethod)
        reply.generation = AlipayGeneration.modern.rawValue
        reply.describe(algorithm, over: answer.signedBytes, in: charset)
        reply.fields = Self.fields(verified.node)
        if verified["trade_status"] != nil { reply.says = verified.tradeOutcome.rawValue }
        return reply
    }

    private static func fields(_ parameters: LegacyOrderParameters) -> [String: String] {
        Dictionary(uniqueKeysWithValues: parameters.pairs.compactMap { pair in parameters[pair.name].map { (pair.name, $0) } })
    }

    private static func fields(_ node: JSONValue) -> [String: String] {
        Dictionary((node.members ?? []).map { ($0.key, $0.value.scalar ?? $0.value.text) }, uniquingKeysWith: { first, _ in first })
    }
}

extension AlipayReply {
    fileprivate mutating func describe(_ algorithm: AlipaySignatureAlgorithm, over signedBytes: [UInt8], in charset: AlipayCharset) {
        signType = algorithm.rawValue
        signedText = charset.display(signedBytes)
    }
}
