import BillfoldDiagnosis
public import PaymentCrypto

/// A real card number: 13 to 19 digits that are overwritten when the last copy goes. It prints as nothing.
public struct CardNumber: Sendable, Hashable, CustomStringConvertible {
    /// ASCII digits.
    public let digits: SecretBytes

    /// Throws `card-number-form` for anything but 13 to 19 ASCII digits, spaces included.
    public init(_ digits: SecretBytes) throws(ApplePayError) {
        let isNumber = digits.withUnsafeBytes { bytes in
            (13...19).contains(bytes.count) && bytes.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard isNumber else { throw ApplePayError(code: .cardNumberForm, reason: "the card number is not 13 to 19 digits") }
        self.digits = digits
    }

    /// Reads a text. The text is the caller's to forget.
    public init(_ text: String) throws(ApplePayError) { try self.init(SecretBytes(utf8: text)) }

    /// The first digits, as many as the payload shows in clear; never more than 8.
    public func prefix(_ count: Int = 6) -> String {
        digits.withUnsafeBytes { String(decoding: $0.prefix(min(count, 8)), as: UTF8.self) }
    }

    /// The last four digits: PassKit's `primaryAccountSuffix`.
    public var suffix: String { digits.withUnsafeBytes { String(decoding: $0.suffix(4), as: UTF8.self) } }

    /// Whether these are its last digits, however many.
    package func ends(with text: String) -> Bool {
        digits.withUnsafeBytes { $0.count >= text.utf8.count && $0.suffix(text.utf8.count).elementsEqual(text.utf8) }
    }

    /// Whether the check digit fits (ISO/IEC 7812-1 annex B).
    public var passesLuhn: Bool {
        digits.withUnsafeBytes { bytes in
            let sum = bytes.reversed().enumerated().reduce(0) { sum, item in
                let digit = Int(item.element) - 0x30
                guard !item.offset.isMultiple(of: 2) else { return sum + digit }
                return sum + (digit > 4 ? digit * 2 - 9 : digit * 2)
            }
            return sum.isMultiple(of: 10)
        }
    }

    /// First six and last four digits.
    public var masked: String { Mask.cardNumber(String(decoding: digits.reveal(), as: UTF8.self)) }

    public var description: String { "‹card number›" }
}

extension CardNumber: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
