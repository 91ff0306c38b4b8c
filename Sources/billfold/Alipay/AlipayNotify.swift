import Alipay
import ArgumentParser
import BillfoldServer
import Foundation
import HTTPTypes

/// `alipay notify`: makes a signed notification and, when told where to, delivers it and judges the answer.
struct AlipayNotify: AlipayReplying {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Make and sign a notification, and deliver it.",
        discussion: """
            FIELDS.json is one object of texts without sign and sign_type. With --to the notification is posted there once; anything but 200 and \
            exactly `success` is no acceptance and exits with 1. No redirect is followed.
            """)

    @Argument(help: "JSON object of the notification's fields.") var fields: String
    @Option(help: "The gateway's private key: PEM, or base64 on one line.") var key: String?
    @Option(help: "File whose first line is the shared key, for MD5.") var md5KeyFile: String?
    @Option(help: "RSA, RSA2 or MD5.") var signType = "RSA2"
    @Option(help: "Charset of a notification that has no charset field: utf-8 or gbk.") var charset: String?
    @Option(help: "Deliver it to this address.") var to: String?
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> AlipayReply {
        let pairs = try AlipayFiles.fields(fields)
        let named = pairs.first { $0.name == "charset" }?.value ?? charset
        let notification = try await AlipayNotification.signed(
            pairs, charset: AlipayFiles.charset(named) ?? .utf8, by: AlipayFiles.signer(signType, key: key, md5KeyFile: md5KeyFile))
        var reply = AlipayReply("signed")
        reply.generation = notification.generation.rawValue
        reply.signType = signType
        reply.signedText = notification.parameters.charset.display(notification.signedBytes)
        reply.message = notification.form
        guard let to else { return reply }
        let sender = AsyncHTTPSender(policy: try AddressPolicy(mode: .production))
        let outcome: Result<OutgoingAnswer, SendFailure>
        do throws(SendFailure) {
            outcome = .success(
                try await sender.send(
                    OutgoingRequest(
                        method: .post, url: to, headers: [.contentType: notification.contentType], body: Array(notification.form.utf8),
                        destination: .configured)))
        } catch { outcome = .failure(error) }
        try await sender.shutdown()
        let answer = try outcome.get()
        let isAccepted = NotificationReply.isAccepted(status: answer.status.code, body: answer.body)
        reply.outcome = isAccepted ? "accepted" : "not-accepted"
        reply.status = answer.status.code
        // What a stranger wrote may be long, and no text.
        reply.reply = AlipayCharset.utf8.display(answer.body.prefix(200))
        return reply
    }
}
