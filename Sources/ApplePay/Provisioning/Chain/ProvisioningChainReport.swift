public import PaymentCrypto

/// What every rule says of the certificates in a callback. Only ``ProvisioningChainPolicy`` makes one.
public struct ProvisioningChainReport: Sendable {
    /// What one rule said.
    public struct Row: Sendable, Hashable {
        public var code: ApplePayError.Code
        public var outcome: TokenRuleOutcome
    }

    /// The profile that judged.
    public let trust: String
    /// One row for each rule, in the order in which the first refusal is named.
    public let rows: [Row]
    /// The chain that was judged, leaf first and without its root; nil when no leaf was found.
    public let path: CertificatePath?

    /// Every rule passed. A report without rules accepts nothing.
    public var isAccepted: Bool { !rows.isEmpty && rows.allSatisfy { $0.outcome == .passed } }

    /// The codes of the rules that refused, in order.
    public var refusals: [ApplePayError.Code] { rows.compactMap { if case .refused = $0.outcome { $0.code } else { nil } } }

    /// The key to seal to. Throws the first refusal, with its reason.
    public func leafKey() throws(ApplePayError) -> PublicKey {
        for row in rows {
            if case .refused(let reason) = row.outcome { throw ApplePayError(code: row.code, reason: reason) }
        }
        guard isAccepted, let key = try? path?.leaf.publicKey else {
            throw ApplePayError(code: .leafCount, reason: "the chain was not judged")
        }
        return key
    }
}
