public import Foundation
import PaymentCrypto

/// Verifies tokens: signature, chain and freshness (apple-pay.md#verification, steps 2 to 9).
///
/// Keep one verifier per process: it remembers the chains of accepted tokens. Replay (step 10) is the caller's: insert the
/// lower-case transaction identifier into a unique column in the transaction that submits the order.
public struct TokenVerifier: Sendable {
    /// What needs no key, so that a bad token is refused cheaply.
    static let formRules: [any TokenRule] = [
        SignatureReadableRule(), SignerCountRule(), DigestAlgorithmRule(), SignedAttributesRule(), ContentTypeRule(), SigningTimeRule(),
        StaleRule(), FutureRule(), EmbeddedContentRule(), MessageDigestRule(), SignerCertificateRule(),
    ]
    static let signatureRules: [any TokenRule] = [SignatureAlgorithmRule(), SignatureRule()]

    /// Every rule, in the order in which the first refusal is named.
    public static let rules: [any TokenRule] = formRules + ChainTokenRule.all + signatureRules

    public let trust: TrustPolicy
    public let freshness: Freshness
    private let checker: CertificateChainChecker
    private let known = KnownLeaves()

    public init(trust: TrustPolicy, freshness: Freshness = Freshness()) {
        self.trust = trust
        self.freshness = freshness
        checker = CertificateChainChecker(anchors: trust.anchors, rules: ChainRules.walletToken())
    }

    /// Stops at the first refusal and throws its code. What a rule looks at being absent is a refusal as well.
    public func verify(_ unverified: UnverifiedToken, at instant: Date, anyAge: Bool = false) throws(ApplePayError) -> VerifiedToken {
        var subject = subject(unverified.token, at: instant, anyAge: anyAge)
        try Self.require(Self.formRules, subject)
        guard let signingTime = subject.signingTime, let leaf = subject.leaf, let signedData = subject.readable else {
            throw ApplePayError(code: .signatureUnreadable, reason: "the signature is incomplete")
        }
        let remembered = known.report(leaf, offered: signedData.certificates, at: signingTime)
        let chain = remembered ?? checker.report(leaf: leaf, offered: signedData.certificates, at: signingTime)
        subject.chain = chain
        try Self.require(ChainTokenRule.all, subject)
        try Self.require(Self.signatureRules, subject)
        if remembered == nil { known.remember(chain) }
        return VerifiedToken(token: unverified.token, signingTime: signingTime)
    }

    /// Runs every rule, for people who ask why. Nothing may be decided by it but what to show.
    public func report(_ unverified: UnverifiedToken, at instant: Date, anyAge: Bool = false) -> TokenVerificationReport {
        var subject = subject(unverified.token, at: instant, anyAge: anyAge)
        if let leaf = subject.leaf, let signedData = subject.readable {
            // Without a signing time the chain is still worth judging; its own rule says that the time is missing.
            subject.chain = checker.report(leaf: leaf, offered: signedData.certificates, at: subject.signingTime ?? instant)
        }
        return TokenVerificationReport(
            signingTime: subject.signingTime, chain: subject.chain?.path,
            rows: Self.rules.map { .init(code: $0.code, outcome: $0.outcome(subject)) })
    }

    private func subject(_ token: PaymentToken, at instant: Date, anyAge: Bool) -> TokenUnderCheck {
        TokenUnderCheck(token, freshness: freshness, age: anyAge ? .any : .window(instant)) { der in
            known.leaf(der) ?? (try? ParsedCertificate(der: der))
        }
    }

    private static func require(_ rules: [any TokenRule], _ subject: TokenUnderCheck) throws(ApplePayError) {
        for rule in rules {
            switch rule.outcome(subject) {
            case .passed: continue
            case .refused(let reason): throw ApplePayError(code: rule.code, reason: reason)
            case .notReached: throw ApplePayError(code: rule.code, reason: "what this rule checks is missing")
            }
        }
    }
}
