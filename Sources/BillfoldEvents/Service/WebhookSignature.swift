import BillfoldPayments
import BillfoldStorage
import Crypto
import Foundation
import HTTPTypes
import PaymentCrypto

/// Signs messages as Standard Webhooks does (github.com/standard-webhooks, specification 1.0), so that its libraries verify them.
///
/// A key is made of its id with the server's own key: what a store holds signs nothing.
package struct WebhookSignature: Sendable {
    let hashing: HashingKey

    /// The secret as its owner is told it, once.
    func secret(_ key: TimeOrderedID, of endpoint: WebhookEndpoint) -> String { "whsec_" + StrictBase64.encode(bytes(key, of: endpoint)) }

    /// The header fields of one attempt: id, time, a signature for each key, and the keys' ids in the same order.
    ///
    /// - Parameters:
    ///   - event: Its name is the message's id, which is the same in every attempt.
    ///   - body: What is sent, byte for byte.
    ///   - endpoint: Whose keys they are.
    ///   - keys: The ids of those that sign, the newest first.
    ///   - now: The time of the attempt, as receivers compare it with their own.
    func fields(
        of event: String, body: [UInt8], to endpoint: WebhookEndpoint, keys: [TimeOrderedID], at now: Timestamp
    ) -> HTTPFields {
        let time = String(now.microseconds / 1_000_000)
        let content = Array("\(event).\(time).".utf8) + body
        let signatures = keys.map { key in
            let code = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: bytes(key, of: endpoint)))
            return "v1," + StrictBase64.encode(Array(code))
        }
        var fields = HTTPFields()
        fields[.contentType] = "application/json"
        fields[.webhookID] = event
        fields[.webhookTimestamp] = time
        fields[.webhookSignature] = signatures.joined(separator: " ")
        fields[.webhookKeyID] = keys.map(WebhookEndpoint.name(ofKey:)).joined(separator: " ")
        return fields
    }

    private func bytes(_ key: TimeOrderedID, of endpoint: WebhookEndpoint) -> [UInt8] {
        KeyedHash(of: Array(endpoint.owner.description.utf8) + [0] + endpoint.id.bytes + key.bytes, purpose: "webhook-secret", key: hashing)
            .bytes
    }
}

extension HTTPField.Name {
    static let webhookID = HTTPField.Name("webhook-id")!  // swift-format-ignore: NeverForceUnwrap
    static let webhookTimestamp = HTTPField.Name("webhook-timestamp")!  // swift-format-ignore: NeverForceUnwrap
    static let webhookSignature = HTTPField.Name("webhook-signature")!  // swift-format-ignore: NeverForceUnwrap
    static let webhookKeyID = HTTPField.Name("webhook-key-id")!  // swift-format-ignore: NeverForceUnwrap
}
