public import AlipayPlusValues
public import PaymentCrypto

/// The headers of an envelope. They are always written in lower case: names have no case by rule, yet public clients look for exactly
/// this spelling in answers [O].
public enum AlipayPlusHeaders {
    /// Which way a message goes: notifications are requests.
    public enum Kind: Sendable, Hashable {
        case request
        case answer

        /// The header that holds the time.
        public var timeName: String { self == .request ? "request-time" : "response-time" }
    }

    public static let clientID = "client-id"
    public static let signature = "signature"
    public static let contentType = "application/json; charset=UTF-8"

    /// The headers of a message with its signature.
    public static func fields(of message: AlipayPlusMessage, signature: AlipayPlusSignature, kind: Kind) -> [(name: String, value: String)]
    {
        [
            ("content-type", contentType), (clientID, message.clientID), (kind.timeName, message.timeText),
            (Self.signature, signature.description),
        ]
    }
}

/// A message with the headers to send it under.
public struct SignedAlipayPlusMessage: Sendable {
    public let message: AlipayPlusMessage
    public let kind: AlipayPlusHeaders.Kind
    public let signature: AlipayPlusSignature

    /// Signs a request, an answer or a notification. `malformed-target`, `missing-client-id`, `unusable-key`.
    /// - Parameters:
    ///   - kind: Which headers it goes under.
    ///   - target: A request's path or address; for an answer that of its request.
    ///   - clientID: The client's, in both directions.
    ///   - time: Now.
    ///   - body: The bytes that are sent.
    ///   - key: The sender's private key.
    ///   - keyVersion: Under which the other side has registered it.
    public init(
        _ kind: AlipayPlusHeaders.Kind, target: String, clientID: String, time: AlipayPlusTime, body: [UInt8], by key: any MessageSigner,
        keyVersion: Int = 1
    ) throws(AlipayPlusError) {
        self.kind = kind
        message = try AlipayPlusMessage(target: target, clientID: clientID, time: time, body: body)
        signature = try message.signed(by: key, keyVersion: keyVersion)
    }

    public var body: [UInt8] { message.body }
    public var headers: [(name: String, value: String)] { AlipayPlusHeaders.fields(of: message, signature: signature, kind: kind) }
}
