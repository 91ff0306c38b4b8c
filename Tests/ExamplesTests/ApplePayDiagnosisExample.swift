import ApplePayDiagnosis
import BillfoldDiagnosis
import Foundation
import Testing

struct ApplePayDiagnosisExample {
    // Example
    /// What the files of one payment or one card show, each named as its owner knows it.
    func explain(_ files: [String: Data], at now: Date) -> Diagnosis {
        let artifacts = files.sorted { $0.key < $1.key }.map { Artifact(name: $0.key, bytes: Array($0.value)) }
        return Diagnosis(of: artifacts, by: [ApplePayDiagnostician(at: now), ProvisioningDiagnostician(at: now)])
    }
    // End

    @Test func aWrongKeyIsNamed() throws {
        let (wallet, other) = (try ApplePayWallet(), try ApplePayWallet())
        var files = [
            "token.json": Data(try wallet.token(for: ApplePayWallet.tea, applicationData: Array("order-1".utf8))),
            "merchant.cert.pem": Data(wallet.certificate.utf8), "merchant.key.pem": Data(wallet.key.utf8),
            "root.pem": Data(wallet.root.utf8),
        ]
        #expect(explain(files, at: ApplePayWallet.now).findings == [])
        files["merchant.key.pem"] = Data(other.key.utf8)
        let findings = explain(files, at: ApplePayWallet.now).findings
        #expect(findings.map(\.code) == ["apple-pay.key-mismatch"])
        #expect(findings.map(\.subject) == ["merchant.key.pem"])
    }
}
