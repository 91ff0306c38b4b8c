/// A candidate chain, leaf first. Building it proves nothing: the rules do.
public struct CertificatePath: Sendable {
    /// Leaf, then intermediates towards the root. The anchor is not among them.
    public let certificates: [ParsedCertificate]
    /// The pinned root whose name the last certificate gives as its issuer; nil when there is none.
    public let anchor: TrustAnchor?
    /// From which index on the certificates were verified under ``anchor`` before, with these very bytes.
    let verifiedFrom: Int

    init(certificates: [ParsedCertificate], anchor: TrustAnchor?, verifiedFrom: Int? = nil) {
        self.certificates = certificates
        self.anchor = anchor
        self.verifiedFrom = verifiedFrom ?? certificates.count
    }

    public var leaf: ParsedCertificate { certificates[0] }

    /// Certificates between leaf and anchor.
    public var intermediates: ArraySlice<ParsedCertificate> { certificates.dropFirst() }

    /// Who should have issued the certificate at an index; nil for the last one when no anchor was found.
    public func issuer(of index: Int) -> ParsedCertificate? {
        index + 1 < certificates.count ? certificates[index + 1] : anchor?.certificate
    }

    /// Where a certificate stands, for reports.
    func position(_ index: Int) -> ChainFailure.Position {
        index == 0 ? .leaf : index < certificates.count ? .intermediate(index) : .anchor
    }
}
