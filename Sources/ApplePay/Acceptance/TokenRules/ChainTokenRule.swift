public import PaymentCrypto

/// Steps 3 and 4 (apple-pay.md#certificate-chain): one rule of the chain from the signer's certificate over a marked intermediate
/// to a pinned root, judged at the signing time: all historic tokens verify then and fail today. [V]
///
/// Markers are checked, never names: the intermediate changes in 2029 at the latest.
public struct ChainTokenRule: TokenRule {
    public let chainRule: ChainRuleCode
    public var code: ApplePayError.Code { ApplePayError.Code(chainRule) }

    /// Every chain rule of a wallet token, in the checker's order.
    static let all = ChainRules.walletToken().map { ChainTokenRule(chainRule: $0.code) }

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let row = subject.chain?.rows.first(where: { $0.code == chainRule }) else { return .notReached }
        guard let failure = row.failures.first else { return .passed }
        return .refused("\(failure.position): \(failure.reason)")
    }
}
