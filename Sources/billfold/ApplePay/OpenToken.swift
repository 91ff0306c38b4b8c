import ApplePay
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// `apple-pay open-token`: verifies and decrypts a token, and names the rule where one refuses.
struct OpenToken: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "open-token", abstract: "Verify a payment token and decrypt it with the merchant's processing key.",
        discussion:
            "Without --root only Apple's production root is trusted. Card number and cryptogram stay masked unless --reveal is given.")

    @Argument(help: "The token: native paymentData, or the outer object of a web or native client.") var token: String
    @Option(help: "The payment processing certificate, PEM or DER.") var certificate: String
    @Option(help: "Its private key, PEM or DER.") var key: String
    @Option(help: "A test root to trust instead of Apple's, PEM or DER.") var root: String?
    @Option(help: "The instant to judge freshness at (ISO 8601); default: now.") var at: String?
    @Flag(help: "Accept a token of any age; its chain is judged at its signing time.") var anyAge = false
    @Flag(help: "Write one JSON object.") var json = false
    @Flag(help: "Show the card number, the cryptogram and the PIN block.") var reveal = false

    func reply() async throws -> CommandReply {
        let instant = try CommandInput.instant(at)
        let trust: TrustPolicy = try root.map { .testAnchors(try CommandInput.anchors($0)) } ?? .production
        let merchant = try CommandInput.merchantCertificate(certificate)
        let processing = try ProcessingKey(CommandInput.privateKey(key), certificate: merchant)
        let verifier = TokenVerifier(trust: trust)
        let unverified = try UnverifiedToken(CommandFile.read(token), maximumBytes: 1_048_576)
        let report = verifier.report(unverified, at: instant, anyAge: anyAge)
        guard report.isAccepted else { return refused(report) }
        let verified = try unverified.verified(by: verifier, at: instant, anyAge: anyAge)
        let plaintext = try TokenDecryptor(keys: .processing([processing])).plaintext(of: verified)
        return try accepted(verified, payload: PaymentPayload(plaintext.reveal()), plaintext: plaintext)
    }

    private func accepted(_ token: VerifiedToken, payload: PaymentPayload, plaintext: Secret<[UInt8]>) throws -> CommandReply {
        let number = payload.applicationPrimaryAccountNumber.reveal()
        var object = JSONObject([
            .init("version", .string(token.token.version.rawValue)),
            .init("transactionIdentifier", .string(token.token.transactionIdentifier)),
            .init("signingTime", .string(token.signingTime.formatted(.iso8601))),
            .init("publicKeyHash", .string(StrictBase64.encode(token.token.header.publicKeyHash))),
            .init("applicationPrimaryAccountNumber", .string(reveal ? number : Mask.cardNumber(number))),
            .init("applicationExpirationDate", .string(payload.applicationExpirationDate)),
            .init("currencyCode", .string(payload.currencyCode)), .init("transactionAmount", .number(String(payload.transactionAmount))),
            .init("paymentDataType", .string(payload.paymentData.type)),
        ])
        object["applicationData"] = token.token.header.applicationData.map { .string(Hexadecimal.encode($0)) }
        object["merchantTokenIdentifier"] = payload.merchantTokenIdentifier.map { .string($0) }
        if case .emv(let emv) = payload.paymentData, let tags = try? EMVTags(StrictBase64.decode(emv.emvData.reveal())) {
            object["emvTags"] = .array(tags.objects.map { tag in .string(tag.name.map { "\(tag.tag) \($0)" } ?? tag.tag) })
        }
        if reveal { object["payload"] = try JSONReader.read(plaintext.reveal()) }
        let text = object.members.map { member in
            let value = member.value.string ?? String(decoding: JSONWriter.write(member.value), as: UTF8.self)
            return DiagnosisText.printable("\(member.key): \(value)")
        }.joined(separator: "\n")
        return CommandReply(text: text, object: object)
    }

    private func refused(_ report: TokenVerificationReport) -> CommandReply {
        var rows: [JSONValue] = []
        var lines: [String] = []
        var first: (String, String)?
        for row in report.rows {
            let (outcome, reason): (String, String) =
                switch row.outcome {
                case .passed: ("passed", "")
                case .refused(let reason): ("refused", reason)
                case .notReached: ("not-reached", "")
                }
            if outcome == "refused", first == nil { first = (row.code.description, reason) }
            rows.append(
                .object(
                    JSONObject([
                        .init("rule", .string(row.code.description)), .init("outcome", .string(outcome)), .init("reason", .string(reason)),
                    ])))
            if outcome != "passed" {
                lines.append(DiagnosisText.printable("\(outcome): \(row.code)\(reason.isEmpty ? "" : ": \(reason)")"))
            }
        }
        let (code, reason) = first ?? ("signature-unreadable", "the signature is incomplete")
        return CommandReply(
            text: lines.joined(separator: "\n"),
            object: JSONObject([
                .init("error", .object(JSONObject([.init("code", .string(code)), .init("reason", .string(reason))]))),
                .init("rules", .array(rows)),
            ]),
            exitCode: 1)
    }
}
