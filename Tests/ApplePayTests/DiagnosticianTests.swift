import BillfoldDiagnosis
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

@Suite struct DiagnosticianTests {
    @Test func goodArtifactsHaveNoFinding() throws {
        // Forty wallets and merchants, twenty-five tokens each.
        for wallet in 0..<40 {
            var item = try DoctorCase(seed: 1_000 + UInt64(wallet), version: wallet.isMultiple(of: 10) ? .rsaV1 : .ecV1)
            for count in 0..<25 {
                item.usesOuterObject = count.isMultiple(of: 2)
                item.flaws =
                    count == 7 ? [.upperCaseTransactionIdentifier] : count == 8 ? [.noAlgorithmProtection, .digestWithoutNull] : []
                let diagnosis = try item.examine()
                #expect(diagnosis.findings == [], "wallet \(wallet), token \(count)")
                #expect(diagnosis.identified.count == 7)
            }
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

    @Test func everyRowOfTheListIsTested() {
        #expect(Set(DiagnosedFailure.all.map(\.code)) == Set(DoctorFault.all.map(\.code)))
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
                var item = try DoctorCase(seed: seed, version: first.version, chainFlaws: first.chainFlaws)
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
