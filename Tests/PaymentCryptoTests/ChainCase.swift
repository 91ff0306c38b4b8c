import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing

/// A chain that breaks one rule, with the rules that its report must name.
struct ChainCase: Sendable, CustomStringConvertible {
    struct Chain {
        var leaf: ParsedCertificate
        var offered: [[UInt8]]
        var anchor: TrustAnchor
        var instant = ChainCase.now
    }

    var name: String
    var codes: [ChainRuleCode]
    var make: @Sendable () throws -> Chain

    var description: String { name }

    static let now = Date(timeIntervalSince1970: 1_795_000_000)
    static let begin = Date(timeIntervalSince1970: 1_780_000_000)
    static let end = Date(timeIntervalSince1970: 1_900_000_000)

    static func authority(
        _ seed: UInt64 = 31, name: String = "Test", changes: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> TestCertificateAuthority {
        try TestCertificateAuthority(notBefore: begin, notAfter: end, seed: seed, name: name, intermediateChanges: changes)
    }

    static func leafKey() throws -> P256PrivateKey {
        var generator = SeededGenerator(seed: 32)
        return try P256PrivateKey(using: &generator)
    }

    /// A chain whose leaf or intermediate is changed before it is signed.
    static func chain(
        intermediate: @Sendable (inout CertificateTemplate) -> Void = { _ in },
        leaf: @Sendable (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Chain {
        var office = try authority(changes: intermediate)
        let made = try office.walletLeaf(leafKey().publicKey, changes: leaf)
        return Chain(leaf: made, offered: [made.der, office.intermediate.der], anchor: office.anchor)
    }

    static let all: [ChainCase] = [
        ChainCase(name: "rogue authority under the same names", codes: [.badCertificateSignature]) {
            var rogue = try authority(77)
            let leaf = try rogue.walletLeaf(leafKey().publicKey)
            return Chain(leaf: leaf, offered: [leaf.der, rogue.intermediate.der], anchor: try authority().anchor)
        },
        ChainCase(name: "rogue root in the message", codes: [.untrustedRoot, .issuerMismatch, .pathTooLong]) {
            var rogue = try authority(77, name: "Rogue")
            let leaf = try rogue.walletLeaf(leafKey().publicKey)
            return Chain(
                leaf: leaf, offered: [leaf.der, rogue.intermediate.der, rogue.root.der], anchor: try authority().anchor)
        },
        ChainCase(name: "root that nobody pinned", codes: [.untrustedRoot, .issuerMismatch]) {
            var rogue = try authority(77, name: "Rogue")
            let leaf = try rogue.walletLeaf(leafKey().publicKey)
            return Chain(leaf: leaf, offered: [leaf.der, rogue.intermediate.der], anchor: try authority().anchor)
        },
        ChainCase(name: "leaf names another issuer", codes: [.issuerMismatch]) {
            let office = try authority()
            let other = CertificateIssuer(
                name: CertificateName([.init(type: .commonName, value: "Someone else")]),
                signer: office.intermediateIssuer.signer, algorithm: .ecdsaSHA256)
            let leaf = try other.issue(template(leafKey().publicKey))
            return Chain(leaf: leaf, offered: [leaf.der, office.intermediate.der], anchor: office.anchor)
        },
        ChainCase(name: "leaf signed by another key", codes: [.badCertificateSignature]) {
            let office = try authority()
            let other = CertificateIssuer(
                name: office.intermediateIssuer.name, signer: try leafKey(), algorithm: .ecdsaSHA256)
            let leaf = try other.issue(template(leafKey().publicKey))
            return Chain(leaf: leaf, offered: [leaf.der, office.intermediate.der], anchor: office.anchor)
        },
        ChainCase(name: "intermediate's signature damaged", codes: [.badCertificateSignature]) {
            var chain = try Self.chain()
            chain.offered[1][chain.offered[1].count - 1] ^= 1
            return chain
        },
        ChainCase(name: "leaf expired", codes: [.certificateExpired]) { try chain(leaf: { $0.notAfter = now - 1 }) },
        ChainCase(name: "intermediate expired", codes: [.certificateExpired]) {
            try chain(intermediate: { $0.notAfter = now - 1 })
        },
        ChainCase(name: "all expired", codes: [.certificateExpired]) {
            var chain = try Self.chain()
            chain.instant = end + 1
            return chain
        },
        ChainCase(name: "leaf not yet valid", codes: [.certificateNotYetValid]) { try chain(leaf: { $0.notBefore = now + 1 }) },
        ChainCase(name: "intermediate not yet valid", codes: [.certificateNotYetValid]) {
            try chain(intermediate: { $0.notBefore = now + 1 })
        },
        ChainCase(name: "intermediate without the CA flag", codes: [.issuerNotAuthority]) {
            try chain(intermediate: {
                $0.isCertificateAuthority = false
                $0.pathLength = nil
            })
        },
        ChainCase(name: "intermediate without basic constraints", codes: [.issuerNotAuthority]) {
            try chain(intermediate: { $0.isCertificateAuthority = nil })
        },
        ChainCase(name: "leaf with the CA flag", codes: [.leafIsAuthority]) { try chain(leaf: { $0.isCertificateAuthority = true }) },
        ChainCase(name: "second intermediate below a path length of zero", codes: [.pathTooLong, .intermediateMarkerMissing]) {
            let office = try authority()
            let key = try leafKey()
            var sub = template(key.publicKey)
            sub.isCertificateAuthority = true
            sub.keyUsage = .certificateSigning
            sub.extensions = []
            let subordinate = try office.intermediateIssuer.issue(sub)
            let issuer = CertificateIssuer(name: subordinate.subject, signer: key, algorithm: .ecdsaSHA256)
            var end = template(key.publicKey)
            end.subject = CertificateName([.init(type: .commonName, value: "leaf")])
            let leaf = try issuer.issue(end)
            return Chain(leaf: leaf, offered: [subordinate.der, office.intermediate.der], anchor: office.anchor)
        },
        ChainCase(name: "leaf that may not sign", codes: [.keyUsageForbids]) { try chain(leaf: { $0.keyUsage = .keyAgreement }) },
        ChainCase(name: "intermediate that may not sign certificates", codes: [.keyUsageForbids]) {
            try chain(intermediate: { $0.keyUsage = .digitalSignature })
        },
        ChainCase(name: "leaf without its marker", codes: [.leafMarkerMissing]) { try chain(leaf: { $0.extensions = [] }) },
        ChainCase(name: "intermediate without its marker", codes: [.intermediateMarkerMissing]) {
            try chain(intermediate: { $0.extensions = [] })
        },
        ChainCase(name: "markers changed places", codes: [.leafMarkerMissing, .intermediateMarkerMissing]) {
            try chain(
                intermediate: { $0.extensions = [.marker(.walletTokenSigner)] },
                leaf: { $0.extensions = [.marker(.walletIntermediate)] })
        },
        ChainCase(name: "unknown critical extension", codes: [.unknownCriticalExtension]) {
            try chain(leaf: { $0.extensions.append(CertificateExtension(oid: "1.2.3.4", isCritical: true, value: [5, 0])) })
        },
        ChainCase(
            name: "intermediate offered as the leaf",
            codes: [.leafIsAuthority, .keyUsageForbids, .leafMarkerMissing, .intermediateMarkerMissing]
        ) {
            let office = try authority()
            return Chain(leaf: office.intermediate, offered: [office.intermediate.der], anchor: office.anchor)
        },
        ChainCase(
            name: "leaf alone",
            codes: [.untrustedRoot, .issuerMismatch, .badCertificateSignature, .intermediateMarkerMissing]
        ) {
            var chain = try Self.chain()
            chain.offered = []
            return chain
        },
        ChainCase(
            name: "leaf signs itself",
            codes: [.untrustedRoot, .issuerMismatch, .badCertificateSignature, .intermediateMarkerMissing]
        ) {
            let key = try leafKey()
            let end = template(key.publicKey)
            let leaf = try CertificateIssuer(name: end.subject, signer: key, algorithm: .ecdsaSHA256).issue(end)
            return Chain(leaf: leaf, offered: [leaf.der], anchor: try authority().anchor)
        },
    ]

    static func template(_ key: PublicKey) -> CertificateTemplate {
        CertificateTemplate(
            serialNumber: SerialNumber(magnitude: [9]), subject: CertificateName([.init(type: .commonName, value: "Signer")]),
            notBefore: begin, notAfter: end, publicKey: key, extensions: [.marker(.walletTokenSigner)])
    }
}
