import AlipayPlus
import AlipayPlusDiagnosis
import AlipayPlusValues
import ArgumentParser
import BillfoldJSON
import Foundation
import PaymentCrypto

/// `alipay-plus sign`: makes a signed request, answer or notification.
struct AlipayPlusSign: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a request, an answer or a notification.",
        discussion: """
            REQUEST is an HTTP request in a file (its first line, headers, an empty line, the body), or the body alone with --path and \
            --client-id. The answer is the message to send: the same body under the headers that go with it. With --answer it is an answer's: \
            --path is then the path of its request.
            """)

    @Argument(help: "The request, or the body alone.") var request: String
    @Option(help: "The sender's private key in PEM.") var key: String
    @Option(help: "The version under which the other side has registered the key.") var keyVersion = 1
    @Option(help: "Client-Id; default: the request's own.") var clientID: String?
    @Option(help: "The path; default: the request's own.") var path: String?
    @Option(help: "The time (ISO 8601); default: now.") var time: String?
    @Flag(help: "Sign an answer.") var answer = false
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        if keyVersion < 0 { throw ValidationError("--key-version is a number from 0.") }
    }

    func reply() async throws -> CommandReply {
        let bytes = try CommandFile.read(request)
        let file = AlipayPlusArtifact(bytes)
        guard let target = path ?? file?.target, !target.isEmpty else {
            throw CommandFailure.usage("a body alone, and an answer, need --path")
        }
        guard let client = clientID ?? file?.clientID, !client.isEmpty else { throw CommandFailure.usage("give --client-id") }
        let key = try ProvisioningInput.key(key, as: "RSA private key", by: RSAPrivateKey.init(pem:))
        let signed = try SignedAlipayPlusMessage(
            answer ? .answer : .request, target: target, clientID: client, time: try AlipayPlusInput.time(time),
            body: file?.body ?? bytes, by: key, keyVersion: keyVersion)
        let first = answer ? "HTTP/1.1 200 OK" : "POST \(signed.message.path) HTTP/1.1"
        let head = ([first] + signed.headers.map { "\($0.name): \($0.value)" }).joined(separator: "\r\n")
        let text = head + "\r\n\r\n" + String(decoding: signed.body, as: UTF8.self)
        var object = JSONObject([.init("outcome", "signed")])
        object["path"] = .string(signed.message.path)
        object["keyVersion"] = .number(String(keyVersion))
        object["headers"] = .object(JSONObject(signed.headers.map { .init($0.name, .string($0.value)) }))
        object["signedText"] = .string(String(decoding: signed.message.stringToSign, as: UTF8.self))
        object["message"] = .string(text)
        return CommandReply(text: text, object: object)
    }
}

/// What the commands are given.
enum AlipayPlusInput {
    /// A moment of an option; now where there is none.
    static func time(_ text: String?) throws(CommandFailure) -> AlipayPlusTime {
        guard let text else { return AlipayPlusTime(Date()) }
        do throws(AlipayPlusError) { return try AlipayPlusTime(text) } catch {
            throw CommandFailure(
                .usage, code: "wrong-instant", reason: "\(text) is not ISO 8601 with a zone, such as 2026-11-20T20:00:00+08:00")
        }
    }
}
