import AlipayApp
import AlipayPlusDiagnosis
import BillfoldDiagnosis
import Foundation
import UnionPayApp

/// Judges an app's `Info.plist` by what it needs to open a wallet and to come back.
///
/// The query schemes say which wallets an app means: Alipay's, UnionPay's client, or both. Where they name none, a scheme that was handed
/// over is taken for one that is passed to `payOrder`. Wallets of a payment sheet, whose payment data lies beside, mean neither:
/// `PaymentSheetDiagnostician` judges the list by them.
struct InfoPlistDiagnostician: Diagnostician {
    /// What the app passes to `payOrder` or `startPay`; without it the first scheme that the list registers is taken for it.
    let scheme: String?

    var subjects: String { "an app’s property list" }

    func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var diagnosis = Diagnosis()
        let sheets = PaymentSheetDiagnostician.walletSchemes(in: artifacts)
        for artifact in artifacts where AppPropertyList.isMeant(by: artifact.bytes) {
            examine(artifact, besideSheetsOf: sheets, into: &diagnosis)
        }
        return diagnosis
    }

    /// - Parameter wallets: The schemes of the wallets that a payment sheet offers; nil without one.
    private func examine(_ artifact: Artifact, besideSheetsOf wallets: [String]?, into diagnosis: inout Diagnosis) {
        let (bytes, name) = (Data(artifact.bytes), artifact.name)
        func identify(_ kind: String, _ summary: String) {
            diagnosis.identified.append(.init(artifact: name, kind: kind, summary: summary))
        }
        guard let list = AppPropertyList(bytes) else {
            identify("app.plist", "a property list that cannot be read")
            diagnosis.findings += InfoPlistLint.findings(in: bytes, scheme: scheme ?? "", subject: name)
            return
        }
        let offered = (wallets ?? []).map { $0.lowercased() }
        let asked = list.queriedSchemes.map { $0.lowercased() }.filter { !offered.contains($0) }
        let meansUnionPay = asked.contains { $0.hasPrefix("uppay") }
        let meansAlipay = asked.contains { $0.hasPrefix("alipay") } || (scheme != nil && !meansUnionPay && wallets == nil)
        if wallets != nil, !meansUnionPay, !meansAlipay { return }
        guard meansUnionPay || meansAlipay, let scheme = scheme ?? list.registeredSchemes.first else {
            identify("app.plist", "the property list of an app")
            diagnosis.findings.append(Self.notJudged(name, list))
            return
        }
        if meansAlipay {
            identify("alipay-app.plist", "the property list of an app that pays by \(scheme)://")
            diagnosis.findings += InfoPlistLint.findings(in: bytes, scheme: scheme, subject: name)
        }
        if meansUnionPay {
            identify("unionpay-app.plist", "the property list of an app that UnionPay's client comes back to by \(scheme)://")
            diagnosis.findings += PluginPropertyListLint.findings(in: bytes, scheme: scheme, subject: name)
        }
    }

    /// Nothing was judged, which must not read as "nothing is wrong".
    private static func notJudged(_ name: String, _ list: AppPropertyList) -> Finding {
        Finding(
            code: "app-scheme-unknown", severity: .warning, subject: name,
            cause: list.registeredSchemes.isEmpty
                ? "The app registers no URL scheme, and none was named, so nothing in the list was judged."
                : "The app asks for no wallet's app, and no scheme was named, so nothing in the list was judged.",
            evidence: [.init("registered", list.registeredSchemes.joined(separator: ", "))],
            mend: "Name what the app passes to payOrder or startPay: --app-scheme SCHEME.")
    }
}
