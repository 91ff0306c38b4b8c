import AlipayPlusValues
public import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// Judges payment data, and an app's `Info.plist` beside it: why a sheet does not appear, and why a wallet does not open
/// (alipay-plus.md#failures).
///
/// Codes: `alipay-plus.payment-data-malformed`, `.payment-data-escaped-twice`, `.payment-data-version`, `.payment-data-expired`,
/// `.payment-data-address`, `.environment-mixed`, and those of ``PaymentSheetPlistLint``. Payment data that can be read is identified by
/// ``AlipayPlusDiagnostician``, which compares it with its `pay`. An `Info.plist` is judged where payment data says which wallets the app
/// has to open, also where an answer of `pay` carries it; a `pay` says by its `paymentRedirectUrl` how they come back.
public struct PaymentSheetDiagnostician: Diagnostician {
    private let instant: Int64
    private let returnSchemes: [String]

    /// - Parameters:
    ///   - instant: Milliseconds since 1970 at which the sheet is to be shown.
    ///   - returnSchemes: The app's own schemes by which wallets come back, beside those that requests name.
    public init(at instant: Int64, returnSchemes: [String] = []) {
        self.instant = instant
        self.returnSchemes = returnSchemes
    }

    /// Names what it judges.
    public var subjects: String { "payment data of a payment sheet" }

    public func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var diagnosis = Diagnosis()
        var payments: [(name: String, data: PaymentData)] = []
        for artifact in artifacts {
            let text = String(decoding: artifact.bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
            guard Self.isMeantAsPaymentData(text) else { continue }
            do throws(AlipayPlusError) {
                let data = try PaymentData(text)
                payments.append((artifact.name, data))
                diagnosis.findings += findings(of: data, artifact.name)
            } catch {
                diagnosis.identified.append(
                    .init(artifact: artifact.name, kind: "alipay-plus.payment-data", summary: "payment data that cannot be read"))
                diagnosis.findings.append(Self.unreadable(error, artifact.name))
            }
        }
        diagnosis.findings += Self.mixture(payments)
        guard let wallets = Self.walletSchemes(in: artifacts) else { return diagnosis }
        let returns = Self.unique(returnSchemes + artifacts.compactMap(Self.returnScheme))
        for artifact in artifacts where AppPropertyList.isMeant(by: artifact.bytes) {
            diagnosis.findings += PaymentSheetPlistLint.findings(
                in: Data(artifact.bytes), walletSchemes: wallets, returnSchemes: returns, subject: artifact.name)
            diagnosis.identified.append(
                .init(
                    artifact: artifact.name, kind: "alipay-plus-app.plist", summary: "the property list of an app that shows payment sheets"
                ))
        }
        return diagnosis
    }

    /// The schemes of the wallets that payment data among the artifacts offers; nil where there is none that can be read.
    package static func walletSchemes(in artifacts: [Artifact]) -> [String]? {
        let offers = artifacts.compactMap { artifact in
            let text = String(decoding: artifact.bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
            let data = isMeantAsPaymentData(text) ? text : object(artifact)?["paymentData"]?.string
            return data.flatMap { try? PaymentData($0) }
        }
        return offers.isEmpty ? nil : unique(offers.flatMap(PaymentSheetPlistLint.schemes))
    }

    /// The scheme by which a `pay` asks the wallet to come back, where that is no page.
    private static func returnScheme(_ artifact: Artifact) -> String? {
        guard let address = object(artifact)?["paymentRedirectUrl"]?.string, let colon = address.firstIndex(of: ":") else { return nil }
        let scheme = String(address[..<colon])
        return ["http", "https"].contains(scheme.lowercased()) ? nil : scheme
    }

    /// A JSON object, by itself or as the body of an HTTP message.
    private static func object(_ artifact: Artifact) -> JSONObject? {
        if let message = AlipayPlusArtifact(http: artifact.bytes) { return message.json }
        return try? JSONReader.readObject(artifact.bytes, maximumBytes: 1_048_576)
    }

    /// Each scheme once, in its first place.
    private static func unique(_ schemes: [String]) -> [String] {
        var seen: Set<String> = []
        return schemes.filter { seen.insert($0.lowercased()).inserted }
    }

    /// An object with the data's own members, or a text that became none on its way. Answers of `pay` hold payment data, and are none.
    private static func isMeantAsPaymentData(_ text: String) -> Bool {
        guard text.utf8.count <= 2 * PaymentData.maximumLength, text.contains("sheetUrl"), text.contains("paymentId") else { return false }
        if let object = try? JSONReader.readObject(Array(text.utf8), maximumBytes: 2 * PaymentData.maximumLength) {
            return object["sheetUrl"] != nil && object["paymentId"] != nil
        }
        return ["{", "\"{", "%7B", "%7b"].contains(where: text.hasPrefix) && !text.contains("paymentData")
    }

    private func findings(of data: PaymentData, _ name: String) -> [Finding] {
        var findings: [Finding] = []
        switch (try? AlipayPlusTime(data.expiryTime))?.millisecondsSince1970 {
        case nil:
            findings.append(
                Finding(
                    code: "alipay-plus.payment-data-malformed", subject: name, cause: "The payment data's expiryTime is no time.",
                    evidence: [.init("expiryTime", data.expiryTime)],
                    mend: "Write it in ISO 8601 with a zone, such as 2026-01-02T03:04:05+08:00."))
        case let expiry? where expiry <= instant:
            findings.append(
                Finding(
                    code: "alipay-plus.payment-data-expired", subject: name,
                    cause: "The payment is over: its sheet is not shown any more.",
                    evidence: [.init("expiryTime", data.expiryTime), .init("seconds", String((instant - expiry) / 1_000))],
                    mend: "Ask for a new payment, with a new paymentRequestId, when the person is ready to choose a wallet."))
        default: break
        }
        if !(URL(string: data.sheetURL).map { OpenableAddress.isPage($0, in: data.environment) } ?? false) {
            findings.append(
                Finding(
                    code: "alipay-plus.payment-data-address", subject: name,
                    cause: "The sheetUrl is no https address without a name and a password in it: the app shows no such page.",
                    evidence: [.init("environment", data.environment.rawValue)],
                    mend: "Let the gateway name its public https address. Only in the sandbox may it be http on the same machine."))
        }
        return findings
    }

    private static func unreadable(_ error: AlipayPlusError, _ name: String) -> Finding {
        let mend: String
        switch error.code {
        case .paymentDataEscapedTwice:
            mend = "Hand the text of the pay answer's paymentData on as one JSON string, encoded once; read it once in the app."
        case .paymentDataVersion: mend = "Update the app's SDK, or the gateway, so that both speak one version."
        default: mend = "Hand the text on as the gateway wrote it."
        }
        return Finding(
            code: "alipay-plus.\(error.code)", subject: name, cause: "No sheet is shown: \(error.reason).",
            evidence: [.init("code", "\(error.code)")],
            mend: mend)
    }

    private static func mixture(_ payments: [(name: String, data: PaymentData)]) -> [Finding] {
        guard let first = payments.first, let other = payments.first(where: { $0.data.environment != first.data.environment }) else {
            return []
        }
        return [
            Finding(
                code: "alipay-plus.environment-mixed", subject: other.name,
                cause: "Payment data of the sandbox and of production lie side by side: an app is set up for one of them.",
                evidence: [.init(first.name, first.data.environment.rawValue), .init(other.name, other.data.environment.rawValue)],
                mend: "Let the app's envType and the server's client id be of one environment.")
        ]
    }
}
