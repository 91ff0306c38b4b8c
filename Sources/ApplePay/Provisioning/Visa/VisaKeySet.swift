/// Names the zone key of an issuer: `<rule>.<index>`, typically BIN or client id and version, such as `405551.1`
/// (provisioning.md#visa-text [O]).
public struct VisaKeySet: Sendable, Hashable, CustomStringConvertible {
    public let id: String
    public var description: String { id }

    /// Throws `visa-key-set-form` unless both parts are letters or digits.
    public init(_ id: String) throws(ApplePayError) {
        let parts = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNamed = parts.count == 2 && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(Self.isLetterOrDigit) }
        guard isNamed, id.utf8.count <= 64 else {
            throw ApplePayError(code: .visaKeySetForm, reason: "a key set is named rule.index, such as 405551.1")
        }
        self.id = id
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
