/// One row of a list of failures (apple-pay.md#failures): what people see, and the finding that names it.
public struct DiagnosedFailure: Sendable, Hashable {
    /// What the team sees.
    public var symptom: String
    /// The code of the finding that names the cause.
    public var code: String

    /// Every row that artifacts can show, in the order of apple-pay.md#failures.
    public static let all: [DiagnosedFailure] = [
        Self(symptom: "GCM tag error on every token: wrong key", code: "apple-pay.key-mismatch"),
        Self(
            symptom: "GCM tag error on every token: wrong merchant identifier in the derivation",
            code: "apple-pay.merchant-identifier-mismatch"),
        Self(symptom: "GCM tag error on about one token in 256: leading zeros of the secret removed", code: "apple-pay.trimmed-secret"),
        Self(symptom: "No matching key, as after a renewal", code: "apple-pay.unknown-public-key-hash"),
        Self(symptom: "Another held key opens the token than the one its header names", code: "apple-pay.key-hash-mismatch"),
        Self(symptom: "EC token and an RSA certificate on the server, or the reverse", code: "apple-pay.key-kind"),
        Self(
            symptom: "The merchant identity certificate instead of the payment processing certificate",
            code: "apple-pay.identity-certificate"),
        Self(symptom: "RSA unwrap error: OAEP or MGF1 with SHA-1", code: "apple-pay.oaep-hash"),
        Self(symptom: "Signature not verified only when applicationData is set", code: "apple-pay.application-data-form"),
        Self(symptom: "applicationData is not the order's", code: "apple-pay.application-data-mismatch"),
        Self(symptom: "Signature fails after a proxy or JSON library", code: "apple-pay.transport-damage"),
        Self(symptom: "Chain error in tests only: an old sample at today's date", code: "apple-pay.expired-today"),
        Self(symptom: "Signature accepted from a forged chain", code: "apple-pay.forged-chain"),
        Self(symptom: "Chain error: the intermediate certificate was left out", code: "apple-pay.intermediate-missing"),
        Self(symptom: "Certificate without the wallet's marker", code: "apple-pay.marker-missing"),
        Self(symptom: "Replay not caught: letter case, or another body under one identifier", code: "apple-pay.replayed-transaction"),
        Self(symptom: "Certificate whose two ways of naming the merchant disagree", code: "apple-pay.certificate-identifier-mismatch"),
        Self(symptom: "Payment Not Completed at once: processing certificate expired", code: "apple-pay.certificate-expired"),
        Self(symptom: "Processing certificate near its end", code: "apple-pay.certificate-expiring"),
        Self(symptom: "Certificate whose merchant identifier cannot be read", code: "apple-pay.certificate-identifier-unreadable"),
        Self(symptom: "Certificate activated before its first day, or a clock that is late", code: "apple-pay.certificate-not-yet-valid"),
        Self(symptom: "Certificate or key file damaged on its way", code: "apple-pay.unreadable-pem"),
        Self(symptom: "Private key under a password", code: "apple-pay.key-encrypted"),
        Self(symptom: "Sheet never returns for UnionPay cards", code: "apple-pay.request.emv-missing"),
        Self(symptom: "Processor refuses token type EMV: request", code: "apple-pay.request.emv-unexpected"),
        Self(symptom: "Processor refuses token type EMV: payload", code: "apple-pay.payload-type"),
        Self(symptom: "Sheet total 0.00", code: "apple-pay.session.items-empty"),
        Self(symptom: "Total not equal to the sum", code: "apple-pay.request.total-sum"),
        Self(symptom: "App crashes on an address error", code: "apple-pay.session.error-domain"),
        Self(symptom: "Spinner until timeout", code: "apple-pay.session.unanswered"),
        Self(symptom: "paymentData empty", code: "apple-pay.payment-data-empty"),
        Self(symptom: "Paid amount wrong by 100: major and minor units mixed", code: "apple-pay.amount-units"),
        Self(symptom: "Paid amount differs from the order: the token's amount was charged", code: "apple-pay.amount-charged-from-token"),
        Self(symptom: "Paid amount differs from the order and from the token", code: "apple-pay.amount-charged-mismatch"),
        Self(symptom: "Amount written in a form that nobody can compare", code: "apple-pay.hint-unreadable"),
        Self(symptom: "The sheet's amount is not the order's", code: "apple-pay.amount-mismatch"),
        Self(symptom: "The sheet's currency is not the order's", code: "apple-pay.currency-mismatch"),
        Self(symptom: "A token altered after it was signed", code: "apple-pay.token.message-digest-mismatch"),
        Self(symptom: "A signature that carries other content", code: "apple-pay.token.embedded-content"),
        Self(symptom: "A token without signed attributes", code: "apple-pay.token.signed-attributes-missing"),
        Self(symptom: "A token without signing time", code: "apple-pay.token.signing-time-missing"),
        Self(symptom: "A signature by another key than the leaf's", code: "apple-pay.token.signature-mismatch"),
        Self(symptom: "CSR algorithm/size incorrect: a request for a key of another kind", code: "apple-pay.request-key-kind"),
        Self(symptom: "Certificate request whose signature does not fit", code: "apple-pay.request-signature"),
        Self(symptom: "Certificate whose key is of a kind that no token is encrypted to", code: "apple-pay.certificate-key-kind"),
        Self(symptom: "Token that opens under no known mistake", code: "apple-pay.does-not-open"),
        Self(symptom: "Token whose signature was cut short", code: "apple-pay.token.signature-cut"),
        Self(symptom: "Merchant session is refused: initiativeContext is no host name", code: "apple-pay.session-context"),
        Self(symptom: "Merchant session is refused: displayName is too long", code: "apple-pay.session-display-name"),
        Self(symptom: "Merchant session of another domain", code: "apple-pay.session-domain"),
        Self(symptom: "Merchant session that has expired", code: "apple-pay.session-expired"),
    ]
}
