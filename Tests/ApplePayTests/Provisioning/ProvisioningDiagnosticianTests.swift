import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay
@testable import ApplePayDiagnosis

@Suite struct ProvisioningDiagnosticianTests {
    /// The ways in which good artifacts may look.
    private static let shapes: [@Sendable (inout ProvisioningDoctorCase) async throws -> Void] = [
        { _ in }, { $0.showsPayload = true }, { $0.handsOverKey = false },
        {
            $0.callback["encoding"] = "base64"
            $0.callback["nonce"] = ProvisioningDoctorCase.encode($0.challenge.nonce)
            $0.callback["nonceSignature"] = ProvisioningDoctorCase.encode($0.challenge.nonceSignature)
        },
        { item in
            item.callback["encoding"] = nil
            item.callback["certificates"] = .array(
                (item.callback["certificates"]?.array ?? []) + [ProvisioningDoctorCase.encode(item.authority.root.der)])
        },
        { item in
            item.payload["nonce"] = .string(item.challenge.nonceText.uppercased())
            item.payload["nonceSignature"] = .string(item.challenge.nonceSignatureText.uppercased())
        },
        { $0.sealing.zeroAt = 1 },
        {
            $0.metadata["associatedApplicationIdentifiers"] = ["TEAM123456.*"]
            $0.app["distribution"] = "app-store"
            $0.app["minimumOSVersion"] = "9.0"
        },
        {
            $0.heldZoneKeys.append(("500000.1", $0.generator.bytes(16)))
            $0.configuration["primaryAccountIdentifier"] = ""
            $0.library["passes"] = []
        },
        {
            $0.others.append(
                Artifact(
                    name: "entitlements.plist",
                    bytes: Array("<plist><dict><key>\(ProvisioningCase.entitlement)</key>\n<true/></dict></plist>".utf8)))
            $0.library["addedPass"] = .object(JSONObject([.init("activationState", 1)]))
            $0.library["shownAs"] = "awaiting verification"
            $0.environment["testPhase"] = false
            $0.environment["allowList"] = []
        },
    ]

    /// An app's other property lists say nothing about its entitlements.
    @Test func aPropertyListOfAnotherKindIsNoEntitlementsFile() async throws {
        var item = try await ProvisioningDoctorCase(seed: 9_999, network: .visa)
        item.others.append(
            Artifact(
                name: "Info.plist", bytes: Array("<plist><dict><key>MinimumOSVersion</key><string>15.0</string></dict></plist>".utf8)))
        let diagnosis = try ProvisioningDoctorCase.examine(item.artifacts(), at: item.instant)
        #expect(diagnosis.findings.map(\.code) == ["unknown-artifact"])
    }

    @Test func goodAttemptsOfEveryShapeHaveNoFinding() async throws {
        var count = 0
        for round in 0..<4 {
            for network in [ProvisioningDoctorCase.Network.visa, .visaInClear, .mastercard] {
                for (index, shape) in Self.shapes.enumerated() {
                    count += 1
                    var item = try await ProvisioningDoctorCase(seed: UInt64(10_000 + count), network: network)
                    try await shape(&item)
                    let artifacts = try item.artifacts()
                    let diagnosis = ProvisioningDoctorCase.examine(artifacts, at: item.instant)
                    #expect(diagnosis.findings == [], "round \(round), \(network), shape \(index)")
                    #expect(Set(diagnosis.identified.map(\.artifact)) == Set(artifacts.map(\.name)), "shape \(index)")
                }
            }
        }
    }

    /// Every network, both configurations, both schemes, and the ways in which teams write bytes, JSON, PEM and logs.
    @Test func thousandSoundAttemptsOfAnyMakeHaveNoFinding() async throws {
        for seed in UInt64(0)..<1_020 {
            var attempt = try await SoundAttempt(seed: 50_000 + seed)
            let artifacts = try attempt.artifacts()
            let diagnosis = ProvisioningDoctorCase.examine(artifacts, at: attempt.item.instant)
            #expect(diagnosis.findings == [], "seed \(seed): \(attempt.draws)")
            #expect(Set(diagnosis.identified.map(\.artifact)) == Set(artifacts.map(\.name)), "seed \(seed): \(attempt.draws)")
        }
    }

    /// Forms that nobody published are no findings, and it is said that they were not judged.
    @Test(arguments: [
        (SoundAttempt.Card.mastercardSealed, "Mastercard's payload"), (.visaNewerName, "begins with MPAC"), (.ownForm, "own"),
    ])
    func unpublishedFormsAreNamedAndNotJudged(card: SoundAttempt.Card, words: String) async throws {
        let index = try #require(SoundAttempt.Card.allCases.firstIndex(of: card))
        for round in 0..<20 {
            var attempt = try await SoundAttempt(seed: UInt64(60_000 + index + round * SoundAttempt.Card.allCases.count))
            attempt.item.showsPayload = true
            let noted = try attempt.item.examine().identified.filter { $0.kind == "provisioning.unpublished-form" }
            #expect(noted.contains { $0.summary.contains(words) }, "\(noted)")
        }
    }

    /// Nothing is wrong with what can be seen of it, and what cannot must not read as good.
    @Test func whatNobodyOpenedIsSaid() throws {
        var generator = SystemRandomNumberGenerator()
        let point = StrictBase64.encode(try #require(try P256PrivateKey(using: &generator).publicKey.x963))
        let data = StrictBase64.encode([UInt8](repeating: 7, count: 200))
        let request =
            #"{"encryptedPassData":"\#(data)","activationData":"AAAA","ephemeralPublicKey":"\#(point)","encryptionVersion":"EV_ECC_v2"}"#
        let said = ProvisioningDiagnostician(at: nil).examine([Artifact(name: "request.json", bytes: Array(request.utf8))])
        let noted = said.identified.first { $0.kind == "provisioning.not-opened" }
        #expect(noted?.summary.contains("private key") == true && noted?.unjudged?.need.contains("private key") == true, "\(said)")
    }

    /// One layer further in: the payload opens, and nobody has the key of what it seals.
    @Test func whatAZoneKeyWouldOpenIsSaid() async throws {
        var item = try await ProvisioningDoctorCase(seed: 20_123, network: .visa)
        #expect(try item.examine().identified.allSatisfy { $0.unjudged == nil })
        item.heldZoneKeys = []
        let diagnosis = try item.examine()
        #expect(diagnosis.findings.isEmpty)
        let waiting = diagnosis.identified.compactMap(\.unjudged)
        #expect(!waiting.isEmpty && waiting.allSatisfy { $0.need.contains(item.keySet.id) }, "\(waiting)")
    }

    @Test func everyRefusalOfTheChainPolicyIsListed() {
        let listed = Set(DiagnosedFailure.provisioning.map(\.code))
        // A path that is too long has the wrong number of certificates, which is said.
        for code in ProvisioningChainPolicy(trust: .production).codes where code.description != "path-too-long" {
            #expect(listed.contains("provisioning.chain.\(code)"), "\(code)")
        }
    }

    /// What speaks of the wallet is no log of it.
    @Test(arguments: ["import PassKit\nlet a = \"encryptedPassData missing\"\n", "# Wallet\nHow PassKit adds a pass, and passd logs it.\n"])
    func sourceTextIsNoLog(text: String) {
        let diagnosis = ProvisioningDiagnostician(at: nil).examine([Artifact(name: "a.txt", bytes: Array(text.utf8))])
        #expect(diagnosis == Diagnosis())
    }

    @Test(arguments: ProvisioningDoctorFault.all) func faultIsNamedAlone(fault: ProvisioningDoctorFault) async throws {
        for instance in 0..<20 {
            var item = try await ProvisioningDoctorCase(seed: 20_000 + UInt64(instance), network: fault.network, flaws: fault.flaws)
            try await fault.put(&item)
            let findings = try item.examine().findings
            #expect(Set(findings.map(\.code)) == [fault.code], "\(fault.name), instance \(instance): \(findings)")
            if let evidence = fault.evidence {
                let values = findings.flatMap(\.evidence).filter { $0.name == evidence.name }.map(\.value)
                #expect(values.contains(evidence.value), "\(fault.name): \(values)")
            }
            #expect(findings.allSatisfy { !$0.cause.isEmpty && !$0.mend.isEmpty && !$0.evidence.isEmpty })
        }
    }

    @Test func everyFaultIsListed() {
        #expect(Set(DiagnosedFailure.provisioning.map(\.code)).isSuperset(of: ProvisioningDoctorFault.all.map(\.code)))
        #expect(Set(DiagnosedFailure.provisioning.compactMap { $0.symptom.split(separator: " ").first.flatMap { Int($0) } }) == Set(1...31))
    }

    /// Two independent mistakes at once: both are named, and nothing else.
    @Test func pairsOfFaultsAreBothNamed() async throws {
        /// One fault of each code.
        func distinct(_ faults: [ProvisioningDoctorFault]) -> [ProvisioningDoctorFault] {
            var seen: Set<String> = []
            return faults.filter { seen.insert($0.code).inserted }
        }
        // Faults that leave the payload readable, with those of every other part.
        let leading = distinct(
            ProvisioningDoctorFault.chain + ProvisioningDoctorFault.challenge
                + ProvisioningDoctorFault.envelope.filter {
                    [
                        "provisioning.key-derivation", "provisioning.nonce-of-16", "provisioning.tag-place",
                        "provisioning.ephemeral-key-padding",
                    ]
                    .contains($0.code)
                })
        let following = distinct(
            ProvisioningDoctorFault.envelope.filter { $0.code == "provisioning.nonce-of-16" } + ProvisioningDoctorFault.payload
                + ProvisioningDoctorFault.inner + ProvisioningDoctorFault.setup.filter { $0.part == .setup } + ProvisioningDoctorFault.run)
        var pairs = 0
        for first in leading {
            for second in following where second.part != first.part && (second.network == first.network || second.network == .visaInClear) {
                // A new callback makes payload and inner layer anew, and the missing leaf leaves no hash to compare with.
                guard first.name != "stale session" || ![.payload, .inner].contains(second.part) else { continue }
                guard Set([first.code, second.code]).count == 2 else { continue }
                pairs += 1
                var item = try await ProvisioningDoctorCase(seed: 30_000 + UInt64(pairs), network: second.network, flaws: first.flaws)
                try await first.put(&item)
                try await second.put(&item)
                let findings = try item.examine().findings
                #expect(Set(findings.map(\.code)) == [first.code, second.code], "\(first.name) and \(second.name): \(findings)")
            }
        }
        #expect(pairs > 500)
    }

    @Test func noSecretIsShown() async throws {
        for fault in ProvisioningDoctorFault.all {
            var item = try await ProvisioningDoctorCase(seed: 41_000, network: fault.network, flaws: fault.flaws)
            item.showsPayload = true
            try await fault.put(&item)
            let text = "\(try item.examine())"
            #expect(!text.contains(item.number) && !text.contains("JANE"))
            #expect(!text.contains(Hexadecimal.encode(item.zoneKey)))
        }
    }

    /// One file damaged at random: nothing stops, and every other file is still named.
    @Test func damagedFileLeavesTheOthersJudged() async throws {
        var item = try await ProvisioningDoctorCase(seed: 42_000)
        item.showsPayload = true
        let good = try item.artifacts()
        var generator = SeededGenerator(seed: 42_001)
        for round in 0..<400 {
            var artifacts = good
            let index = Int.random(in: 0..<artifacts.count, using: &generator)
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !artifacts[index].bytes.isEmpty {
                let place = Int.random(in: 0..<artifacts[index].bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: artifacts[index].bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: artifacts[index].bytes.remove(at: place)
                default: artifacts[index].bytes.insert(contentsOf: Array("9\"{[\\".utf8).shuffled(using: &generator).prefix(2), at: place)
                }
            }
            let identified = Set(ProvisioningDoctorCase.examine(artifacts, at: item.instant).identified.map(\.artifact))
            #expect(identified.isSuperset(of: good.indices.filter { $0 != index }.map { good[$0].name }), "round \(round)")
        }
    }

    @Test func nothingIsSaidOfForeignFiles() {
        let artifacts = [
            Artifact(name: "a.json", bytes: Array(#"{"amount":"1.00","currency":"CNY","signature":"AA=="}"#.utf8)),
            Artifact(name: "b.txt", bytes: Array("merId=777290058110048&signature=abc".utf8)), Artifact(name: "c", bytes: []),
            Artifact(name: "d", bytes: [0xFF, 0xD8, 0xFF]),
        ]
        #expect(ProvisioningDiagnostician(at: nil).examine(artifacts) == Diagnosis())
    }

    @Test(.enabled(if: Vectors.available("in-app-provisioning"))) func productionLeafIsJudgedAtItsDay() throws {
        let artifacts = try ["leaf-ecc-uc6-prod-2018-2020", "apple-wwdr-ca-g2", "apple-root-ca-g3"].map {
            Artifact(name: "\($0).pem", bytes: try Vectors.bytes("in-app-provisioning/certs/\($0).pem"))
        }
        let day = try Date("2019-01-01T00:00:00Z", strategy: .iso8601)
        #expect(ProvisioningDiagnostician(at: day).examine(artifacts).findings == [])
        #expect(ProvisioningDiagnostician(at: nil).examine(artifacts).findings == [])
        let later = ProvisioningDiagnostician(at: ProvisioningDoctorCase.now).examine(artifacts).findings
        #expect(later.map(\.code) == ["provisioning.chain.certificate-expired"])
        let test = try Vectors.bytes("in-app-provisioning/certs/leaf-ecc-uc6-inmemory-test-2017-2019.pem")
        let mixed = ProvisioningDiagnostician(at: day).examine([Artifact(name: "leaf.pem", bytes: test), artifacts[1]]).findings
        #expect(mixed.map(\.code) == ["provisioning.chain.test-leaf"])
    }
}
