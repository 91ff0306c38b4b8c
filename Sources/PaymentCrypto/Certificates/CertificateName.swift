/// A distinguished name, kept as its DER bytes: two names are equal when their bytes are.
public struct CertificateName: Hashable, Sendable, CustomStringConvertible {
    /// One part of a name, such as its country.
    public struct Attribute: Hashable, Sendable {
        public var type: OID
        public var value: String

        /// An attribute that is written as UTF8String (countryName as PrintableString).
        public init(type: OID, value: String) {
            self.type = type
            self.value = value
        }
    }

    /// The whole Name element.
    public let der: ArraySlice<UInt8>

    init(der: ArraySlice<UInt8>) { self.der = der }

    /// Makes a name of one attribute per relative name.
    public init(_ attributes: [Attribute]) {
        let parts = attributes.map { attribute in
            let tag: UInt8 = attribute.type == .countryName ? 0x13 : 0x0C
            return DERWriter.element(
                0x31, DERWriter.sequence(DERWriter.oid(attribute.type), DERWriter.element(tag, Array(attribute.value.utf8))))
        }
        der = DERWriter.element(0x30, parts)[...]
    }

    /// Every attribute whose value is text, in order.
    public var attributes: [Attribute] {
        var found = [Attribute]()
        var outer = BERReader(Array(der), rules: .der)
        guard var names = try? outer.enter(0x30, "name") else { return [] }
        while !names.isAtEnd {
            guard var set = try? names.enter(0x31, "relative name") else { return found }
            while !set.isAtEnd {
                guard var pair = try? set.enter(0x30, "attribute"), let type = try? pair.nextOID("attribute type"),
                    let value = try? pair.next()
                else { return found }
                if let text = Self.text(tag: value.tag, pair.slice(value.content)) {
                    found.append(Attribute(type: type, value: text))
                }
            }
        }
        return found
    }

    /// The first value of a type.
    public func value(_ type: OID) -> String? { attributes.first { $0.type == type }?.value }

    public var commonName: String? { value(.commonName) }
    /// UID, 0.9.2342.19200300.100.1.1: the merchant identifier in a merchant's certificate (apple-pay.md#merchant-identifier-hash). [V]
    public var userID: String? { value(.userID) }
    public var organizationName: String? { value(.organizationName) }

    public var description: String {
        attributes.map { "\(Self.shortNames[$0.type] ?? $0.type.description)=\($0.value)" }.joined(separator: ", ")
    }

    public static func == (left: CertificateName, right: CertificateName) -> Bool { left.der.elementsEqual(right.der) }

    public func hash(into hasher: inout Hasher) { der.withUnsafeBytes { hasher.combine(bytes: $0) } }

    private static let shortNames: [OID: String] = [
        .commonName: "CN", .countryName: "C", .organizationName: "O", .organizationalUnitName: "OU", .userID: "UID",
    ]

    private static func text(tag: UInt8, _ content: ArraySlice<UInt8>) -> String? {
        switch tag {
        case 0x0C, 0x13, 0x16: String(utf8: content)
        case 0x14: String(decoding: content.map { UInt16($0) }, as: UTF16.self)
        case 0x1E where content.count.isMultiple(of: 2):
            String(
                decoding: stride(from: content.startIndex, to: content.endIndex, by: 2).map {
                    UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
                }, as: UTF16.self)
        default: nil
        }
    }
}
