public import Foundation
public import PaymentCrypto

/// What one rule says about one token.
public enum TokenRuleOutcome: Sendable, Hashable {
    case passed
    /// The reason names no secret.
    case refused(String)
    /// What the rule looks at is not there, because an earlier rule failed.
    case notReached
}

/// One rule of apple-pay.md#verification: small enough to read beside the sentence that it enforces.
public protocol TokenRule: Sendable {
    /// What a refusal by this rule is called.
    var code: ApplePayError.Code { get }
    /// Judges one token. Rules do not call each other: what an earlier one could not read is not reached.
    func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome
}

/// Every rule's outcome for one token, for people who ask why.
public struct TokenVerificationReport: Sendable {
    /// What one rule said.
    public struct Row: Sendable, Hashable {
        public var code: ApplePayError.Code
        public var outcome: TokenRuleOutcome
    }

    /// The signed claim of when the token was made, believed or not.
    public var signingTime: Date?
    /// The chain that was judged, leaf first; nil when no signer's certificate was found.
    public var chain: CertificatePath?
    public var rows: [Row]

    package init(signingTime: Date?, chain: CertificatePath?, rows: [Row]) {
        self.signingTime = signingTime
        self.chain = chain
        self.rows = rows
    }

    /// Every rule passed. A report without rules accepts nothing.
    public var isAccepted: Bool { !rows.isEmpty && rows.allSatisfy { $0.outcome == .passed } }

    /// The codes of the rules that refused, in the order of apple-pay.md#verification.
    public var refusals: [ApplePayError.Code] {
        rows.compactMap { if case .refused = $0.outcome { $0.code } else { nil } }
    }
}
