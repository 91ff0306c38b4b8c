import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import Testing

struct ChainCacheTests {
    @Test func cachedIntermediateStillHasItsValidityChecked() throws {
        var office = try ChainCase.authority(changes: { $0.notAfter = ChainCase.now + 10 })
        let leaf = try office.walletLeaf(ChainCase.leafKey().publicKey)
        let checker = office.checker()
        let offered = [leaf.der, office.intermediate.der]
        #expect(checker.report(leaf: leaf, offered: offered, at: ChainCase.now).isAccepted)
        #expect(checker.cache.count == 1)
        #expect(checker.report(leaf: leaf, offered: offered, at: ChainCase.now + 10).isAccepted)
        #expect(checker.report(leaf: leaf, offered: offered, at: ChainCase.now + 11).failedCodes == [.certificateExpired])
    }

    @Test func cachedIntermediateDoesNotCoverForAWrongLeaf() throws {
        var office = try ChainCase.authority()
        let leaf = try office.walletLeaf(ChainCase.leafKey().publicKey)
        let checker = office.checker()
        #expect(checker.report(leaf: leaf, offered: [office.intermediate.der], at: ChainCase.now).isAccepted)
        let forger = CertificateIssuer(name: office.intermediate.subject, signer: try ChainCase.leafKey(), algorithm: .ecdsaSHA256)
        let forged = try forger.issue(ChainCase.template(ChainCase.leafKey().publicKey))
        let report = checker.report(leaf: forged, offered: [office.intermediate.der], at: ChainCase.now)
        #expect(report.failedCodes == [.badCertificateSignature])
    }

    @Test func changedBytesAreNotTakenFromTheCache() throws {
        var office = try ChainCase.authority()
        let leaf = try office.walletLeaf(ChainCase.leafKey().publicKey)
        let checker = office.checker()
        #expect(checker.report(leaf: leaf, offered: [office.intermediate.der], at: ChainCase.now).isAccepted)
        var changed = office.intermediate.der
        changed[changed.count - 1] ^= 1
        #expect(!checker.report(leaf: leaf, offered: [changed], at: ChainCase.now).isAccepted)
        #expect(checker.cache.count == 1)
    }

    @Test func entryVerifiedUnderAnotherAnchorIsNotUsed() throws {
        var office = try ChainCase.authority()
        let leaf = try office.walletLeaf(ChainCase.leafKey().publicKey)
        let cache = VerifiedIntermediateCache()
        #expect(office.checker(cache: cache).report(leaf: leaf, offered: [office.intermediate.der], at: ChainCase.now).isAccepted)
        let stranger = try ChainCase.authority(79, name: "Stranger").checker(cache: cache)
        #expect(!stranger.report(leaf: leaf, offered: [office.intermediate.der], at: ChainCase.now).isAccepted)
    }

    @Test func oldestEntryLeavesAFullCache() throws {
        let cache = VerifiedIntermediateCache(capacity: 2)
        let root = try ChainCase.authority()
        for seed: UInt64 in 80..<84 {
            var generator = SeededGenerator(seed: seed)
            let key = try P256PrivateKey(using: &generator)
            var template = ChainCase.template(key.publicKey)
            template.isCertificateAuthority = true
            template.keyUsage = .certificateSigning
            template.extensions = [.marker(.walletIntermediate)]
            let intermediate = try root.rootIssuer.issue(template)
            let issuer = CertificateIssuer(name: template.subject, signer: key, algorithm: .ecdsaSHA256)
            var end = ChainCase.template(key.publicKey)
            end.subject = CertificateName([.init(type: .commonName, value: "leaf")])
            let leaf = try issuer.issue(end)
            #expect(root.checker(cache: cache).report(leaf: leaf, offered: [intermediate.der], at: ChainCase.now).isAccepted)
        }
        #expect(cache.count == 2)
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test func manyTasksShareOneChecker() async throws {
        var office = try ChainCase.authority()
        let leaf = try office.walletLeaf(ChainCase.leafKey().publicKey)
        let checker = office.checker()
        let offered = [leaf.der, office.intermediate.der]
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask { checker.report(leaf: leaf, offered: offered, at: ChainCase.now).isAccepted }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(accepted == 100)
        #expect(checker.cache.count == 1)
    }
}
