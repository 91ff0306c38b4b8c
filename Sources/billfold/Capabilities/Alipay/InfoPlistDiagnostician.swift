import AlipayApp
import BillfoldDiagnosis
import Foundation

/// Judges an app's `Info.plist` by what it needs to open the wallet and to come back.
struct InfoPlistDiagnostician: Diagnostician {
    /// What the app passes to `payOrder`; without it a property list says nothing of payments.
    let scheme: String?

    func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var diagnosis = Diagnosis()
        guard let scheme else { return diagnosis }
        for artifact in artifacts where AppPropertyList.isMeant(by: artifact.bytes) {
            diagnosis.identified.append(
                .init(artifact: artifact.name, kind: "alipay-app.plist", summary: "the property list of an app that pays by \(scheme)://"))
            diagnosis.findings += InfoPlistLint.findings(in: Data(artifact.bytes), scheme: scheme, subject: artifact.name)
        }
        return diagnosis
    }
}
