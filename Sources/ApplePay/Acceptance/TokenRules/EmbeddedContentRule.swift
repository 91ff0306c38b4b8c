import PaymentCrypto

/// Step 7 (apple-pay.md#signed-bytes): detached, or the embedded content equals the token's own bytes. Otherwise a replayed CMS would
/// verify while the token's data is something else. [V: synthetic case]
public struct EmbeddedContentRule: TokenRule {
    public let code = ApplePayError.Code.embeddedContent

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signedData = subject.readable else { return .notReached }
        guard let embedded = signedData.embeddedContent else { return .passed }
        return embedded.elementsEqual(subject.signedContent)
            ? .passed : .refused("the signature embeds \(embedded.count) bytes that are not the token's")
    }
}
