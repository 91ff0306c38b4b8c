import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import Testing

struct ChainTests {
    @Test(arguments: ChainCase.all)
    func brokenChainIsRefusedByItsRules(_ broken: ChainCase) throws {
        let chain = try broken.make()
        let checker = CertificateChainChecker(anchors: [chain.anchor], rules: ChainRules.walletToken())
        let report = checker.report(leaf: chain.leaf, offered: chain.offered, at: chain.instant)
        #expect(report.failedCodes == ChainRules.walletToken().map(\.code).filter(broken.codes.contains))
        #expect(!report.isAccepted)
        #expect(report.rows.count == 12)
        #expect(checker.cache.count == 0)
        #expect(throws: PaymentCryptoError(code: .chainRefused, reason: "")) {
            try checker.verify(leaf: chain.leaf, offered: chain.offered, at: chain.instant)
        }
    }

    @Test func everyRuleIsBrokenByOneOfTheCases() {
        let covered = Set(ChainCase.all.flatMap(\.codes))
        #expect(covered == Set(ChainRules.walletToken().map(\.code)))
    }

    @Test func goodChainIsAcceptedWhateverElseIsOffered() throws {
        var office = try ChainCase.authority()
        let leaf = try office.walletLeaf(ChainCase.leafKey().publicKey)
        let rogue = try ChainCase.authority(78)
        let offers: [[[UInt8]]] = [
            [leaf.der, office.intermediate.der], [office.intermediate.der, leaf.der],
            [office.intermediate.der, office.root.der], [[1, 2, 3], [], office.intermediate.der],
            [rogue.intermediate.der, rogue.root.der, office.intermediate.der],
        ]
        for offered in offers {
            let checker = office.checker()
            let chain = try checker.verify(leaf: leaf, offered: offered, at: ChainCase.now)
            #expect(chain.leaf == leaf)
            #expect(chain.leafKey == (try leaf.publicKey))
            #expect(Array(chain.path.intermediates) == [office.intermediate])
            #expect(chain.path.anchor == office.anchor)
        }
    }

    @Test func checkerWithoutRulesAcceptsNothing() throws {
        let chain = try ChainCase.chain()
        let checker = CertificateChainChecker(anchors: [chain.anchor], rules: [])
        #expect(throws: PaymentCryptoError(code: .chainRefused, reason: "")) {
            try checker.verify(leaf: chain.leaf, offered: chain.offered, at: chain.instant)
        }
    }

    @Test func validityEndsAreIncluded() throws {
        var office = try ChainCase.authority()
        let leaf = try office.walletLeaf(ChainCase.leafKey().publicKey)
        for (instant, isAccepted) in [
            (ChainCase.begin - 1, false), (ChainCase.begin, true), (ChainCase.end, true), (ChainCase.end + 1, false),
        ] {
            #expect(office.checker().report(leaf: leaf, offered: [office.intermediate.der], at: instant).isAccepted == isAccepted)
        }
    }

    @Test func severalBreachesAreAllReported() throws {
        let chain = try ChainCase.chain(
            intermediate: {
                $0.isCertificateAuthority = false
                $0.pathLength = nil
            },
            leaf: {
                $0.extensions = []
                $0.notAfter = ChainCase.now - 5
            })
        let checker = CertificateChainChecker(anchors: [chain.anchor], rules: ChainRules.walletToken())
        let report = checker.report(leaf: chain.leaf, offered: chain.offered, at: ChainCase.now)
        #expect(report.failedCodes == [.certificateExpired, .issuerNotAuthority, .leafMarkerMissing])
        #expect(report.failures.map(\.position) == [.leaf, .intermediate(1), .leaf])
    }

    @Test func leafDirectlyUnderTheRootPassesTheStandardRules() throws {
        let office = try ChainCase.authority()
        let leaf = try office.rootIssuer.issue(ChainCase.template(ChainCase.leafKey().publicKey))
        let checker = CertificateChainChecker(anchors: [office.anchor], rules: ChainRules.standard())
        #expect(try checker.verify(leaf: leaf, offered: [], at: ChainCase.now).path.intermediates.isEmpty)
        let strict = office.checker().report(leaf: leaf, offered: [], at: ChainCase.now)
        #expect(strict.failedCodes == [.intermediateMarkerMissing])
    }

    @Test func longerPathPassesTheStandardRulesAndIsCachedWhole() throws {
        let office = try ChainCase.authority(changes: { $0.pathLength = nil })
        let key = try ChainCase.leafKey()
        var sub = ChainCase.template(key.publicKey)
        sub.isCertificateAuthority = true
        sub.keyUsage = .certificateSigning
        sub.subject = CertificateName([.init(type: .commonName, value: "Sub CA")])
        let subordinate = try office.intermediateIssuer.issue(sub)
        let leaf = try CertificateIssuer(name: subordinate.subject, signer: key, algorithm: .ecdsaSHA256)
            .issue(ChainCase.template(key.publicKey))
        let checker = CertificateChainChecker(anchors: [office.anchor], rules: ChainRules.standard())
        let offered = [office.intermediate.der, subordinate.der]
        #expect(try checker.verify(leaf: leaf, offered: offered, at: ChainCase.now).path.intermediates.count == 2)
        #expect(checker.cache.count == 2)
        #expect(try checker.verify(leaf: leaf, offered: offered, at: ChainCase.now).path.intermediates.count == 2)
        #expect(checker.report(leaf: leaf, offered: offered, at: ChainCase.end + 1).failures.count == 4)
    }
}
