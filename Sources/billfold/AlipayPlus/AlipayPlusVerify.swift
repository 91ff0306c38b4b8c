import AlipayPlus
import AlipayPlusDiagnosis
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// `alipay-plus verify`: checks the signature of a request, an answer or a notification.
struct AlipayPlusVerify: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the signature of a request, an answer or a notification.",
        discussion: """
            REQUEST is an HTTP message in a file: its first line, headers, an empty line, and the body's exact bytes. An answer needs the path \
            of its request (--path). A message that is not verified exits with 1; `billfold doctor` says why. The time is judged where --at is \
            given: five minutes on either side.
            """)

    @Argument(help: "The request or the answer.") var request: String
    @Option(help: "The signing party's public key in PEM.") var key: String
    @Option(help: "The version under which the key is registered; default: the message's own.") var keyVersion: Int?
    @Option(help: "The path of the request that an answer belongs to.") var path: String?
    @Option(help: "Judge the message's time at this moment (ISO 8601).") var at: String?
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        guard let file = AlipayPlusArtifact(try CommandFile.read(request)) else {
            throw CommandFailure(
                .refused, code: "malformed-message", reason: "the file is no HTTP message with Client-Id or Signature among its headers")
        }
        guard let target = path ?? (file.target.isEmpty ? nil : file.target) else {
            throw CommandFailure.usage("an answer needs --path, the path of its request")
        }
        let kind: AlipayPlusHeaders.Kind = file.kind == .request ? .request : .answer
        let received = try UnverifiedAlipayPlusMessage(kind, target: target, body: file.body) { file.value($0) }
        let key = try ProvisioningInput.key(key, as: "RSA public key", by: PublicKey.init(pem:))
        let verified = try received.verified(by: AlipayPlusKeyVersions([keyVersion ?? received.signature.keyVersion: key]))
        if let at { try verified.requireFresh(at: AlipayPlusInput.time(at)) }
        var object = JSONObject([.init("outcome", "verified")])
        object["path"] = .string(verified.path)
        object["clientId"] = .string(verified.clientID)
        object["time"] = .string(verified.message.timeText)
        object["keyVersion"] = .number(String(verified.keyVersion))
        object["signedText"] = .string(String(decoding: verified.message.stringToSign, as: UTF8.self))
        let lines = [
            "verified with key version \(verified.keyVersion)", "  path \(verified.path)", "  client \(verified.clientID)",
            "  time \(verified.message.timeText)",
        ]
        return CommandReply(text: lines.map(DiagnosisText.printable).joined(separator: "\n"), object: object)
    }
}
