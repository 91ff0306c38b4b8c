public import X509

/// `certId`: the serial number of the signing certificate, in **decimal**. Tools print it in hex, and a hex `certId` is a
/// frequent cause of reply 11.
public struct CertificateID: Sendable, Hashable, Codable, CustomStringConvertible {
    public let description: String

    /// `invalid-field` unless it is digits without a leading zero.
    public init(_ text: String) throws(UnionPayError) {
        guard (1...49).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }), text == "0" || !text.hasPrefix("0")
        else { throw UnionPayError(code: .invalidField, reason: "certId is not a decimal number") }
        description = text
    }

    public init(_ certificate: Certificate) {
        description = Self.decimal(Array(certificate.serialNumber.bytes))
    }

    /// Long division by ten over big-endian bytes; a serial number has at most twenty.
    private static func decimal(_ bytes: [UInt8]) -> String {
        var number = bytes.drop { $0 == 0 }.map { Int($0) }
        var digits: [String] = []
        while !number.isEmpty {
            var remainder = 0
            for index in number.indices {
                let value = remainder << 8 | number[index]
                number[index] = value / 10
                remainder = value % 10
            }
            digits.append(String(remainder))
            number = Array(number.drop { $0 == 0 })
        }
        return digits.isEmpty ? "0" : digits.reversed().joined()
    }
}
