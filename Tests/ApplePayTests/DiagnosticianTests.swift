import ApplePayDiagnosis
import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

@Suite struct DiagnosticianTests {
    @Test func goodArtifactsHaveNoFinding() throws {
        // Forty wallets and merchants, every shape of good artifacts with each.
        for wallet in 0..<40 {
            for (count, shape) in DoctorShape.all.enumerated() {
                var item = try DoctorCase(
                    seed: 1_000 + UInt64(wallet) * 100 + UInt64(count), wallet: 1_000 + UInt64(wallet),
                    version: wallet.isMultiple(of: 10) ? .rsaV1 : .ecV1)
                try shape.put(&item)
                let artifacts = try item.artifacts()
                let diagnosis = DoctorCase.examine(artifacts, at: item.instant)
                #expect(diagnosis.findings == [], "wallet \(wallet), \(shape.name)")
                // Without a finding, every file was read.
                #expect(Set(diagnosis.identified.map(\.artifact)) == Set(artifacts.map(\.name)), "wallet \(wallet), \(shape.name)")
            }
        }
    }

    /// What was not tried is said: no finding is no praise.
    @Test func tokenThatNobodyCouldOpenSaysSo() throws {
        var item = try DoctorCase(seed: 4_100)
        #expect(try item.examine().identified[0...].contains { $0.summary.contains("opens: 3DSecure") })
        item.keys = []
        let summaries = try item.examine().identified.filter { $0.kind == "apple-pay.token" }.map(\.summary)
        #expect(summaries.count == 1 && summaries[0].contains("not opened"))
    }

    @Test func endedIdentityCertificateIsNotBlamedForTheSheet() throws {
        var item = try DoctorCase(seed: 4_200)
        let identity = WalletFixture.rsaPool[2]
        item.keys.append(.rsa(identity))
        item.certificates.append(
            try item.certificate(
                for: identity.publicKey, kind: .identity, notBefore: WalletFixture.now - 800 * 86_400, notAfter: WalletFixture.now - 60))
        let findings = try item.examine().findings
        #expect(findings.map(\.code) == ["apple-pay.certificate-expired"])
        #expect(findings.allSatisfy { $0.cause.contains("TLS") && $0.mend.contains("not affected") })
    }

    /// Extremes in place of every number and amount of every file: nothing stops, and every other file is still judged.
    @Test func hostileNumbersAreReadOrRefused() throws {
        let extremes = [
            "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "170141183460469231731687303715884105727", "1e999", "-0",
            "0.000000000000000001", "-9.223372036854775808", "9223372036854775807.99", "0", "-1",
        ]
        func spoilt(_ value: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
            switch value {
            case .number, .string:
                guard Int.random(in: 0..<3, using: &generator) == 0, let extreme = extremes.randomElement(using: &generator) else {
                    return value
                }
                return Bool.random(using: &generator) ? .number(extreme) : .string(extreme)
            case .array(let values):
                let repeated = Int.random(in: 0..<8, using: &generator) == 0 ? Array(repeating: values, count: 12).flatMap { $0 } : values
                return .array(repeated.map { spoilt($0, &generator) })
            case .object(var object):
                for index in object.members.indices where object.members[index].key != "kind" {
                    object.members[index].value = spoilt(object.members[index].value, &generator)
                }
                return .object(object)
            case .null, .bool: return value
            }
        }
        var item = try DoctorCase(seed: 4_300)
        let good = try item.artifacts() + [Artifact(name: "payload.json", bytes: WalletFixture.threeDSecure().plaintext())]
        let kept = Set(good.map(\.name).filter { !$0.hasSuffix(".json") || $0 == "paymentData.json" })
        var generator = SeededGenerator(seed: 4_301)
        for round in 0..<400 {
            let artifacts = try good.map { artifact in
                guard !kept.contains(artifact.name) else { return artifact }
                return Artifact(name: artifact.name, bytes: JSONWriter.write(spoilt(try JSONReader.read(artifact.bytes), &generator)))
            }
            let identified = Set(DoctorCase.examine(artifacts, at: item.instant).identified.map(\.artifact))
            #expect(identified.isSuperset(of: kept), "round \(round)")
        }
    }

    /// One file damaged at random: nothing stops, every other file is still judged, and a token is not called verified unless
    /// its signed bytes are the ones that were signed.
    @Test func damagedFileLeavesTheOthersJudged() throws {
        var item = try DoctorCase(seed: 4_400)
        let good = try item.artifacts()
        let content = try PaymentToken(good[0].bytes).signedContent
        var generator = SeededGenerator(seed: 4_401)
        for round in 0..<600 {
            var artifacts = good
            let index = Int.random(in: 0..<artifacts.count, using: &generator)
            var bytes = artifacts[index].bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: Array("\n\"{[%0\\".utf8).shuffled(using: &generator).prefix(2), at: place)
                case 3: bytes.removeSubrange(place..<min(place + 40, bytes.count))
                default: bytes.insert(contentsOf: bytes[place..<min(place + 40, bytes.count)], at: place)
                }
            }
            artifacts[index].bytes = bytes
            let diagnosis = DoctorCase.examine(artifacts, at: item.instant)
            let others = Set(good.indices.filter { $0 != index }.map { good[$0].name })
            #expect(Set(diagnosis.identified.map(\.artifact)).isSuperset(of: others), "round \(round)")
            let isVerified = diagnosis.identified.contains { $0.artifact == good[0].name && $0.summary.contains("signature verified") }
            if index == 0, isVerified, let read = try? PaymentToken(bytes) { #expect(read.signedContent == content, "round \(round)") }
        }
    }

    @Test(arguments: DoctorFault.all) func faultIsNamedAlone(fault: DoctorFault) throws {
        for instance in 0..<20 {
            var item = try DoctorCase(seed: 2_000 + UInt64(instance), version: fault.version, chainFlaws: fault.chainFlaws)
            try fault.put(&item)
            let findings = try item.examine().findings
            #expect(Set(findings.map(\.code)) == [fault.code], "\(fault.name), instance \(instance): \(findings)")
            if let evidence = fault.evidence {
                let values = findings.flatMap(\.evidence).filter { $0.name == evidence.name }.map(\.value)
                #expect(values.contains(evidence.value), "\(fault.name): \(values)")
            }
            #expect(findings.allSatisfy { !$0.cause.isEmpty && !$0.mend.isEmpty && !$0.evidence.isEmpty })
        }
    }

    /// Nothing need be wrong with what can be seen of it, and what its key would show was not seen.
    @Test(arguments: [PaymentToken.Version.ecV1, .rsaV1]) func aTokenThatNobodyCanOpenIsSaidToBeSo(version: PaymentToken.Version) throws {
        var item = try DoctorCase(seed: 77, version: version)
        #expect(try item.examine().identified.allSatisfy { $0.unjudged == nil })
        item.keys = []
        let token = try #require(try item.examine().identified.first { $0.kind == "apple-pay.token" })
        #expect(token.unjudged?.part.contains("amount") == true)
        #expect(token.unjudged?.need.contains(version == .ecV1 ? "private EC key" : "private RSA key") == true)
    }

    @Test func everyFaultIsListedOnce() {
        let listed = DiagnosedFailure.all.map(\.code)
        #expect(Set(listed).isSuperset(of: DoctorFault.all.map(\.code)) && Set(listed).count == listed.count)
    }

    /// Two independent mistakes at once: both are named, and nothing else.
    @Test func pairsOfFaultsAreBothNamed() throws {
        // A payload-dependent fault needs a token that opens, which these token faults leave alone.
        let opening: Set<String> = [
            "apple-pay.application-data-form", "apple-pay.transport-damage", "apple-pay.oaep-hash", "apple-pay.trimmed-secret",
        ]
        var pairs = 0
        var seed: UInt64 = 3_000
        for first in DoctorFault.token where opening.contains(first.code) {
            for second in DoctorFault.requests + DoctorFault.sessions + DoctorFault.orders where second.version == first.version {
                // The form of applicationData and what the order issued are told apart by the header alone.
                seed += 1
                pairs += 1
                var item = try DoctorCase(seed: seed, wallet: 3_000, version: first.version, chainFlaws: first.chainFlaws)
                try first.put(&item)
                try second.put(&item)
                #expect(Set(try item.examine().findings.map(\.code)) == [first.code, second.code], "\(first.name) and \(second.name)")
            }
        }
        for first in DoctorFault.material {
            for second in DoctorFault.sessions {
                seed += 1
                pairs += 1
                var item = try DoctorCase(seed: seed, version: first.version)
                try first.put(&item)
                try second.put(&item)
                #expect(Set(try item.examine().findings.map(\.code)) == [first.code, second.code], "\(first.name) and \(second.name)")
            }
        }
        #expect(pairs > 100)
    }

    @Test func nothingIsSaidOfForeignFiles() {
        let artifacts = [
            Artifact(name: "a.json", bytes: Array(#"{"amount":"1.00","currency":"CNY","signature":"AA=="}"#.utf8)),
            Artifact(name: "b.txt", bytes: Array("merId=777290058110048&signature=abc".utf8)), Artifact(name: "c", bytes: []),
            Artifact(name: "d", bytes: [0xFF, 0xD8, 0xFF]),
        ]
        #expect(ApplePayDiagnostician(at: nil).examine(artifacts) == Diagnosis())
    }

    @Test func noSecretIsShown() throws {
        var item = try DoctorCase(seed: 4_000)
        item.hints["amount"] = "45.00"
        let diagnosis = try item.examine()
        let text = "\(diagnosis)"
        #expect(text.contains("411111••••••0016"))
        for secret in ["4111119999990016", "AAECAwQFBgcICQoLDA0ODxAREhM=", Hexadecimal.encode(item.fixture.ecKey.pkcs8)] {
            #expect(!text.contains(secret))
        }
    }

    @Test(.enabled(if: Vectors.available("apple-pay-acceptance"))) func realTokensAreExplainedToday() throws {
        let folder = "apple-pay-acceptance/real/gala-ec-2021"
        let artifacts = try ["token.json", "certificate.pem", "private_key.pem"].map {
            Artifact(name: $0, bytes: try Vectors.bytes("\(folder)/\($0)"))
        }
        let signed = try Date("2021-09-01T19:05:00Z", strategy: .iso8601)
        #expect(ApplePayDiagnostician(at: signed).examine(artifacts).findings == [])
        let today = ApplePayDiagnostician(at: WalletFixture.now).examine(artifacts).findings.map(\.code)
        #expect(Set(today) == ["apple-pay.expired-today", "apple-pay.certificate-expired"])
    }
}
