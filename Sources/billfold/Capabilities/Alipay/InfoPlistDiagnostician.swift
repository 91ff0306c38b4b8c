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
        // A bank's pass metadata lie beside the list of its app, which asks for no wallet's app.
        let isBanks = artifacts.contains { Self.holds("\"associatedApplicationIdentifiers\"", $0) }
        for artifact in artifacts where AppPropertyList.isMeant(by: artifact.bytes) && !Self.isEntitlements(artifact) {
            examine(artifact, besideSheetsOf: sheets, isBanks: isBanks, into: &diagnosis)
        }
        return diagnosis
    }

    /// Entitlements and profiles are property lists too, and register nothing.
    private static func isEntitlements(_ artifact: Artifact) -> Bool {
        holds("<key>com.apple.", artifact) || holds("<key>application-identifier</key>", artifact)
            ? !holds("<key>CFBundle", artifact) && !holds("<key>LSApplicationQueriesSchemes</key>", artifact) : false
    }

    private static func holds(_ text: String, _ artifact: Artifact) -> Bool {
        artifact.bytes.count <= 1_048_576 && artifact.bytes.firstRange(of: Array(text.utf8)) != nil
    }

    /// - Parameters:
    ///   - artifact: The property list.
    ///   - wallets: The schemes of the wallets that a payment sheet offers; nil without one.
    ///   - isBanks: Whether it is judged beside pass metadata, by another diagnostician.
    ///   - diagnosis: Takes what is found.
    private func examine(
        _ artifact: Artifact, besideSheetsOf wallets: [String]?, isBanks: Bool, into diagnosis: inout Diagnosis
    ) {
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
            if !isBanks { diagnosis.findings.append(Self.notJudged(name, list)) }
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
