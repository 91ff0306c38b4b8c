public import Foundation

/// A message that a merchant sends.
public protocol UnionPayRequest: Sendable {
    /// The `txnType` of every message of this kind.
    static var transactionType: TransactionType { get }

    /// The fields without `signMethod`, `certId` and `signature`, which the ``UnionPaySigner`` adds.
    func fields() throws(UnionPayError) -> UnionPayFields

    /// Reads the message on the gateway's side, after the merchant's signature was checked.
    init(_ fields: VerifiedFields) throws(UnionPayError)
}

/// Fields whose signature was checked. Only ``UnionPayVerifier`` and ``MerchantSignatureVerifier`` make them.
public struct VerifiedFields: Sendable, Hashable {
    public let fields: UnionPayFields

    init(checked fields: UnionPayFields) { self.fields = fields }
}

/// A received message of which nothing is believed yet.
public struct Unverified<Message: UnionPayMessage>: Sendable {
    /// For traces and diagnosis; services have no use for it.
    public let fields: UnionPayFields

    public init(_ fields: UnionPayFields) { self.fields = fields }

    /// Checks signature, certificate chain and name, then reads the message. Certificates have to be in date at `instant`.
    public func verified(by verifier: UnionPayVerifier, at instant: Date) throws(UnionPayError) -> Message {
        try Message(verifier.verified(fields, at: instant))
    }
}

/// A message that UnionPay sends: a synchronous reply or a notification.
public protocol UnionPayMessage: Sendable {
    /// Reads the message after UnionPay's signature was checked. Throws where a field is missing or wrong.
    init(_ fields: VerifiedFields) throws(UnionPayError)
}
