import ApplePayForging
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

@Suite struct ProvisioningChainPolicyTests {
    private static let instant = Date(timeIntervalSince1970: 1_795_000_000)

    private static func refusals(_ flaw: ProvisioningAuthority.Flaw) -> Set<ApplePayError.Code> {
        func chain(_ code: ChainRuleCode) -> ApplePayError.Code { .init(code) }
        return switch flaw {
        case .leafWithoutMarker: [.leafCount]
        // Apple marks it critical; a host checks that it is there.
        case .leafMarkerNotCritical: []
        case .leafIsAuthority: [chain(.leafIsAuthority)]
        case .leafExpired, .intermediateExpired: [chain(.certificateExpired)]
        case .leafNotYetValid: [chain(.certificateNotYetValid)]
        case .leafMayNotEncipher, .leafWithoutKeyUsage: [.keyEnciphermentMissing]
        case .leafWithUnknownCriticalExtension: [chain(.unknownCriticalExtension)]
        case .leafOnOtherCurve: [.leafKeyKind]
        case .intermediateOtherName: [.intermediateName]
        case .intermediateNotAuthority: [chain(.issuerNotAuthority)]
        case .intermediateMayNotSign: [chain(.keyUsageForbids)]
        case .rogueRoot, .rogueIntermediate: [chain(.badCertificateSignature)]
        }
    }

    @Test(arguments: ProvisioningAuthority.Flaw.allCases)
    func eachFlawIsRefusedByItsRuleAlone(flaw: ProvisioningAuthority.Flaw) throws {
        var generator = SeededGenerator(seed: 11, label: "chain flaw \(flaw)")
        let authority = try ProvisioningAuthority(at: Self.instant, flaws: [flaw], using: &generator)
        let report = ProvisioningChainPolicy(trust: authority.trust).check(authority.certificates(), at: Self.instant)
        #expect(Set(report.refusals) == Self.refusals(flaw))
        #expect(report.isAccepted == Self.refusals(flaw).isEmpty)
    }

    @Test func numberOfCertificatesDecides() throws {
        var generator = SeededGenerator(seed: 12, label: "chain length")
        let authority = try ProvisioningAuthority(at: Self.instant, using: &generator)
        let other = try ProvisioningAuthority(at: Self.instant, using: &generator)
        let policy = ProvisioningChainPolicy(trust: authority.trust)
        let (leaf, intermediate) = (authority.leaf.der, authority.intermediate.der)
        func refusals(_ certificates: [[UInt8]]) -> [ApplePayError.Code] { policy.check(certificates, at: Self.instant).refusals }
        #expect(refusals([]) == [.leafCount])
        #expect(refusals([intermediate]) == [.leafCount])
        #expect(refusals([leaf]).contains(.chainLength))
        #expect(refusals([leaf, leaf, intermediate]) == [.leafCount])
        #expect(refusals([leaf, intermediate, other.intermediate.der]).contains(.unexpectedCertificate))
        #expect(refusals([leaf, intermediate] + Array(repeating: authority.root.der, count: 7)) == [.certificateUnreadable])
        #expect(refusals([leaf, intermediate, [0x30, 0x00]]) == [.certificateUnreadable])
        // A root that the caller supplies changes nothing, whoever's it is.
        for root in [authority.root.der, other.root.der] {
            #expect(refusals([leaf, intermediate, root]).isEmpty)
            #expect(refusals([root, intermediate, leaf]).isEmpty)
        }
        #expect(
            ProvisioningChainPolicy(trust: other.trust).check([leaf, intermediate, authority.root.der], at: Self.instant).isAccepted
                == false)
        #expect(ProvisioningChainPolicy(trust: .production).check([leaf, intermediate], at: Self.instant).isAccepted == false)
    }

    @Test func rememberedChainIsStillJudgedByItsDates() throws {
        var generator = SeededGenerator(seed: 13, label: "remembered chain")
        let authority = try ProvisioningAuthority(at: Self.instant, using: &generator)
        let policy = ProvisioningChainPolicy(trust: authority.trust)
        let certificates = authority.certificates()
        let first = policy.check(certificates, at: Self.instant)
        let again = policy.check(certificates.reversed(), at: Self.instant + 60)
        #expect(first.isAccepted && again.isAccepted)
        #expect(again.rows.map(\.code) == first.rows.map(\.code))
        #expect(try again.leafKey() == first.leafKey())
        #expect(policy.check(certificates, at: Self.instant + 600 * 86_400).refusals == [.init(ChainRuleCode.certificateExpired)])
        // Other bytes beside the known leaf are judged anew.
        #expect(policy.check([authority.leaf.der, [0x30, 0x00]], at: Self.instant).refusals.contains(.certificateUnreadable))
    }

    @Test func schemeAsksForItsKind() throws {
        var generator = SeededGenerator(seed: 14, label: "leaf kinds")
        let authority = try ProvisioningAuthority(at: Self.instant, rsaLeafKey: RSAPrivateKey(bits: 2048), using: &generator)
        for leaf in EncryptionScheme.allCases {
            for scheme in EncryptionScheme.allCases {
                let report = ProvisioningChainPolicy(trust: authority.trust, scheme: scheme)
                    .check(authority.certificates(scheme: leaf), at: Self.instant)
                #expect(report.refusals == (leaf == scheme ? [] : [.leafKeyKind]))
            }
        }
    }
}
