import BillfoldJSON
public import PaymentCrypto

/// What makes a card active at once: `nonce=<hex>;authcode=<code>` (provisioning.md#visa-text [O]).
public struct VisaActivationBlock: Sendable {
    /// The nonce as hexadecimal digits, as Apple reports it.
    public var nonceText: String
    public var authenticationCode: AuthenticationCode

    public init(nonce: [UInt8], authenticationCode: AuthenticationCode) {
        self.init(nonceText: Hexadecimal.encode(nonce), authenticationCode: authenticationCode)
    }

    private init(nonceText: String, authenticationCode: AuthenticationCode) {
        self.nonceText = nonceText
        self.authenticationCode = authenticationCode
    }

    /// Encrypts under the issuer's zone key; the text's ASCII bytes are `activationData`. Throws `key-unavailable`.
    public func sealed(
        keySet: VisaKeySet, key: any TripleDESKey, using generator: inout some RandomNumberGenerator
    ) async throws(ApplePayError) -> VisaWireText {
        try await VisaBlock.sealed(clearText, .activation, keySet: keySet, key: key, using: &generator)
    }

    /// The network's side; whether the nonce is Apple's is the caller's to compare. Throws `visa-text-type`, `key-unavailable`,
    /// `visa-block-form`, `visa-clear-text` or `authentication-code-form`.
    public init(opening text: VisaWireText, key: any TripleDESDecryptionKey) async throws(ApplePayError) {
        guard text.kind == .activation else { throw ApplePayError(code: .visaTextType, reason: "MBPAD stands where MBPAC is due") }
        try self.init(clearText: await VisaBlock.opened(text, key: key))
    }

    /// Whether this is the nonce, in whichever letter case it was written.
    public func names(_ nonce: [UInt8]) -> Bool { nonceText.lowercased() == Hexadecimal.encode(nonce) }

    var clearText: SecretBytes {
        SecretBytes(joining: [Array("nonce=\(nonceText);authcode=".utf8), authenticationCode.text])
    }

    init(clearText: SecretBytes) throws(ApplePayError) {
        let values = try VisaBlock.members(clearText, ["nonce", "authcode"])
        guard !values[0].isEmpty, values[0].allSatisfy(\.isHexDigit) else {
            throw ApplePayError(code: .visaClearText, reason: "the nonce is not hexadecimal")
        }
        self.init(nonceText: values[0], authenticationCode: try AuthenticationCode(values[1]))
    }
}

/// The issuer's one-time value in Visa's activation data: the bank keeps it and matches it when the network asks
/// (provisioning.md#authentication-code).
public struct AuthenticationCode: Sendable, Hashable {
    /// ASCII.
    public let text: SecretBytes

    /// Takes 1 to 40 digits and upper-case letters; two implementations use 6. [O] Throws `authentication-code-form`.
    public init(_ text: String) throws(ApplePayError) {
        let letters = Array(text.utf8)
        guard (1...40).contains(letters.count), letters.allSatisfy(Self.alphabet.contains) else {
            throw ApplePayError(code: .authenticationCodeForm, reason: "the code is not 1 to 40 digits and upper-case letters")
        }
        self.text = SecretBytes(letters)
    }

    /// Draws a code, six letters unless told otherwise.
    public init(count: Int = 6, using generator: inout some RandomNumberGenerator) {
        var (draw, left) = (UInt64(0), 0)
        text = SecretBytes(count: max(1, min(count, 40))) { letters in
            for place in letters.indices {
                if left == 0 { (draw, left) = (generator.next(), 6) }
                // Of 36 letters some are likelier than others by less than one part in 10^9, at the sixth letter of a draw.
                letters[place] = Self.alphabet[Int(draw % 36)]
                (draw, left) = (draw / 36, left - 1)
            }
        }
    }

    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}
