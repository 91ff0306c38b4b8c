import Alipay
import ArgumentParser
import BillfoldJSON
import Foundation

/// `alipay sign-order`: makes an order string from its parameters.
struct AlipaySignOrder: AlipayReplying {
    static let configuration = CommandConfiguration(
        commandName: "sign-order", abstract: "Make and sign an order string.",
        discussion: """
            FIELDS.json is one object of the parameters, unencoded and in the order in which they shall be sent. With `method` the order \
            is a modern one (its biz_content may be an object), with `service` a legacy one. An order that breaks a rule of the documents \
            is refused unless --as-observed is given.
            """)

    @Argument(help: "JSON object of the order's parameters.") var fields: String
    @Option(help: "The merchant's private key: PEM, or base64 on one line.") var key: String?
    @Option(help: "File whose first line is the shared key, for MD5.") var md5KeyFile: String?
    @Option(help: "RSA, RSA2 or MD5.") var signType = "RSA2"
    @Flag(help: "Sign an order that breaks documented rules, and list them.") var asObserved = false
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> AlipayReply {
        let pairs = try AlipayFiles.fields(fields)
        let signer = try AlipayFiles.signer(signType, key: key, md5KeyFile: md5KeyFile)
        var reply = AlipayReply("signed")
        reply.signType = signType
        func value(_ name: String) -> String? { pairs.first { $0.name == name }?.value }
        if value("method") != nil {
            let charset = try AlipayFiles.charset(value("charset")) ?? .utf8
            let order = try await ModernOrder.signed(pairs, charset: charset, by: signer)
            reply.generation = AlipayGeneration.modern.rawValue
            reply.message = order.text
            reply.signedText = charset.display(order.signedBytes)
            if value("method") == TradeAppPay.method {
                reply.violations = try ModernOrderRules.violations(in: AlipayJSON.read(value("biz_content") ?? "{}")).map(
                    AlipayReply.Violation.init)
            }
        } else {
            let charset = try AlipayFiles.charset(value("_input_charset")) ?? .gbk
            let order = try await LegacyOrder.signed(pairs, charset: charset, by: signer)
            reply.generation = AlipayGeneration.legacy.rawValue
            reply.message = charset.display(order.bytes)
            reply.signedText = charset.display(order.signedBytes)
            reply.violations = try LegacyOrderRules.violations(in: order.claimedParameters()).map(AlipayReply.Violation.init)
        }
        if let first = reply.violations?.first, !asObserved {
            throw CommandFailure(.refused, code: first.code, reason: "\(first.parameter) \(first.reason)")
        }
        return reply
    }
}
