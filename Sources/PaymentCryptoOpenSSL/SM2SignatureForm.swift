/// How the two numbers of an SM2 signature are written. UnionPay's choice was not seen in an owner's document: accept
/// both, and let the configuration choose what is sent (apple-pay.md#sm2). [I]
public enum SM2SignatureForm: String, Sendable, CaseIterable {
    /// SEQUENCE of two INTEGERs.
    case der
    /// r‖s, 32 bytes each.
    case raw
}
