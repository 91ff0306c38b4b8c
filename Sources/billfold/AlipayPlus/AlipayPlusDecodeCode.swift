import AlipayPlus
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON

/// `alipay-plus decode-code`: says what a shown or scanned text is, and what is in it.
struct AlipayPlusDecodeCode: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-code", abstract: "Take a code that was shown or scanned apart.",
        discussion: """
            A payment code pays for a minute: its number stays masked unless --reveal is given. An entry code is known by the acquirer's \
            registered domains. A text that is no code exits with 1.
            """)

    @Argument(help: "What the code says.") var text: String
    @Option(help: "A domain on which the acquirer registered entry codes; may be repeated.") var entryDomain: [String] = []
    @Flag(help: "Show a payment code's number.") var reveal = false
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        let code = try ScannedCode(text, entryDomains: Set(entryDomain))
        let fields = facts(of: code).compactMap { fact in fact.value.map { (fact.key, $0) } }
        var object = JSONObject([.init("outcome", "decoded"), .init("kind", .string(code.kind))])
        for (name, value) in fields { object[name] = .string(value) }
        let lines = [code.kind] + fields.map { "  \($0) \($1)" }
        return CommandReply(text: lines.map(DiagnosisText.printable).joined(separator: "\n"), object: object)
    }

    private func facts(of code: ScannedCode) -> KeyValuePairs<String, String?> {
        switch code {
        case .paymentCode(let code):
            [
                "code": reveal ? code.digits : code.masked, "issuer": code.parts?.issuer, "type": code.parts?.type,
                "number": reveal ? code.parts?.number : nil,
            ]
        case .orderCode(let code):
            ["host": code.host, "prefix": code.prefix, "given": code.given, "chosen": code.chosen, "payload": code.payload]
        case .entryCode(let code): ["host": code.host]
        case .merchantCode(let code):
            [
                "host": code.host, "version": code.version, "platform": code.platform, "merchantId": code.merchantID, "issuer": code.issuer,
                "issuerType": code.issuerType, "miniProgramId": code.miniProgramID,
            ]
        case .emvco: [:]
        }
    }
}
