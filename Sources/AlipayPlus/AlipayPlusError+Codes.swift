public import AlipayPlusValues

extension AlipayPlusError.Code {
    // Envelope.
    /// A request target that is neither a path nor an absolute URL.
    public static let malformedTarget = Self("malformed-target")
    public static let missingClientID = Self("missing-client-id")
    /// `Request-Time` is further from the clock than the receiver allows.
    public static let staleTime = Self("stale-time")
    public static let missingSignature = Self("missing-signature")
    /// A Signature header that breaks its grammar, or a value that is no base64 of the key's length.
    public static let malformedSignature = Self("malformed-signature")
    /// Another algorithm than `RSA256`.
    public static let unsupportedAlgorithm = Self("unsupported-algorithm")
    /// A key version that is not registered for the client, or no longer.
    public static let unknownKeyVersion = Self("unknown-key-version")
    public static let signatureMismatch = Self("signature-mismatch")
    /// A key that cannot sign or verify here.
    public static let unusableKey = Self("unusable-key")

    // Bodies.
    /// The body is not strict JSON, or no object.
    public static let malformedJSON = Self("malformed-json")
    public static let duplicateKey = Self("duplicate-key")
    public static let tooLarge = Self("too-large")
    /// A member that must be there is not; the reason names it.
    public static let missingField = Self("missing-field")

    // Values.
    /// No three capital letters of a currency that exists.
    public static let unknownCurrency = Self("unknown-currency")
    /// Not a whole number of the currency's smallest unit, of at most 16 digits.
    public static let malformedAmount = Self("malformed-amount")
    /// More digits behind the point than the currency has.
    public static let excessPrecision = Self("excess-precision")
    /// An amount that the currency's own rule forbids: rupiah end in 00.
    public static let amountRule = Self("amount-rule")
    /// A quote that does not fit the amounts.
    public static let malformedQuote = Self("malformed-quote")
    /// Text that is none of the codes shown or scanned.
    public static let malformedCode = Self("malformed-code")

    // Reports.
    /// A report's name or text that breaks its format.
    public static let malformedReport = Self("malformed-report")
}

extension AlipayPlusError {
    /// A stranger's text, short enough for a log line and with anything that is not printable ASCII replaced.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(64).map { (0x21...0x7e).contains($0.value) ? String($0) : "?" }.joined()
        return "\"\(shown)\(text.unicodeScalars.count > 64 ? "…" : "")\""
    }
}
