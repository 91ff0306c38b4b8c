public import AlipayPlusValues
public import BillfoldJSON
import Foundation
import PaymentCrypto

/// A message as it came, which nobody has verified: who it says it is from decides whose keys it is checked with.
public struct UnverifiedAlipayPlusMessage: Sendable {
    public let message: AlipayPlusMessage
    public let signature: AlipayPlusSignature

    public init(_ message: AlipayPlusMessage, signature: AlipayPlusSignature) {
        self.message = message
        self.signature = signature
    }

    /// Reads what came over HTTP.
    /// - Parameters:
    ///   - kind: Says which headers are due.
    ///   - target: The request's target; for an answer that of its request.
    ///   - body: The exact bytes.
    ///   - header: Finds a header whatever its letter case; names are given in lower case.
    public init(
        _ kind: AlipayPlusHeaders.Kind, target: String, body: [UInt8], header: (String) -> String?
    ) throws(AlipayPlusError) {
        guard let time = header(kind.timeName) else {
            throw AlipayPlusError(code: .malformedTime, reason: "\(kind.timeName) is missing")
        }
        guard let signature = header(AlipayPlusHeaders.signature) else {
            throw AlipayPlusError(code: .missingSignature, reason: "the signature header is missing")
        }
        self.init(
            try AlipayPlusMessage(target: target, clientID: header(AlipayPlusHeaders.clientID) ?? "", timeText: time, body: body),
            signature: try AlipayPlusSignature(header: signature))
    }

    public var clientID: String { message.clientID }

    /// Checks the signature with the key of its version. `unknown-key-version`, `malformed-signature`, `signature-mismatch`.
    public func verified(by keys: AlipayPlusKeyVersions) throws(AlipayPlusError) -> VerifiedAlipayPlusMessage {
        let key = try keys.key(version: signature.keyVersion)
        guard case .rsa(let bits) = key.kind, signature.bytes.count == (bits + 7) / 8 else {
            throw AlipayPlusError(
                code: .malformedSignature, reason: "the signature has \(signature.bytes.count) bytes, not as many as the key's")
        }
        guard key.isValidSignature(signature.bytes, over: message.stringToSign, algorithm: .rsaPKCS1SHA256) else {
            throw AlipayPlusError(code: .signatureMismatch, reason: "the signature does not fit the request")
        }
        return VerifiedAlipayPlusMessage(message: message, keyVersion: signature.keyVersion)
    }
}

/// A message whose signature fits a registered key of its client. Only this package's check makes one.
public struct VerifiedAlipayPlusMessage: Sendable {
    public let message: AlipayPlusMessage
    public let keyVersion: Int

    init(message: AlipayPlusMessage, keyVersion: Int) {
        self.message = message
        self.keyVersion = keyVersion
    }

    public var clientID: String { message.clientID }
    public var path: String { message.path }
    public var body: [UInt8] { message.body }

    /// The body, to be read as the message that it is by ``WireMessage/init(json:)``. `malformed-json`, `duplicate-key`, `too-large`.
    public var json: JSONObject {
        get throws(AlipayPlusError) { try JSONObject(wire: body) }
    }

    /// The body as a message: as ``WireMessage/init(body:)``.
    public func read<Message: WireMessage>(_ type: Message.Type = Message.self) throws(AlipayPlusError) -> Message {
        try Message(body: body)
    }

    /// `stale-time` when the message's time is further than the tolerance from now, on either side. No tolerance is published [I].
    public func requireFresh(at now: AlipayPlusTime, toleranceSeconds: Int64 = 300) throws(AlipayPlusError) {
        let distance = message.time.millisecondsSince1970 - now.millisecondsSince1970
        guard distance.magnitude <= UInt64(max(0, toleranceSeconds)) * 1000 else {
            throw AlipayPlusError(
                code: .staleTime,
                reason: "the time is \(distance.magnitude / 1000) s \(distance < 0 ? "behind" : "ahead of") the clock here")
        }
    }
}
