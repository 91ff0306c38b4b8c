/// One extension of a certificate with its raw value.
public struct CertificateExtension: Sendable, Hashable {
    public var oid: OID
    public var isCritical: Bool
    /// What the extension's OCTET STRING holds: usually one DER element.
    public var value: ArraySlice<UInt8>

    public init(oid: OID, isCritical: Bool = false, value: [UInt8]) {
        self.init(oid: oid, isCritical: isCritical, value: value[...])
    }

    init(oid: OID, isCritical: Bool, value: ArraySlice<UInt8>) {
        self.oid = oid
        self.isCritical = isCritical
        self.value = value
    }
}
