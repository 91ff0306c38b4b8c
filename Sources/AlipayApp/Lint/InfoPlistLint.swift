public import BillfoldDiagnosis
public import Foundation

/// What in an app's `Info.plist` would keep the wallet from opening or from coming back (alipay.md#schemes, alipay.md#to-the-wallet).
public enum InfoPlistLint {
    /// Judges a property list, as XML or binary, for an app that passes `scheme` to `payOrder`. Pure: the same bytes give the same
    /// findings.
    ///
    /// Codes: `alipay-app.plist-unreadable`, `.scheme-unusable`, `.scheme-unregistered`, `.scheme-shared`, `.query-scheme-missing`.
    public static func findings(in plist: Data, scheme: String, walletSchemes: [String] = ["alipay"], subject: String = "Info.plist")
        -> [Finding]
    {
        guard let list = AppPropertyList(plist) else {
            return [
                Finding(
                    code: "alipay-app.plist-unreadable", subject: subject, cause: "The file is no property list of an app.",
                    mend: "Hand over the Info.plist of the built app.")
            ]
        }
        return schemeFindings(scheme, in: list, about: subject) + queryFindings(list, for: walletSchemes, about: subject)
    }

    private static func schemeFindings(_ scheme: String, in list: AppPropertyList, about subject: String) -> [Finding] {
        var findings: [Finding] = []
        if let mistake = SchemeMistake(of: scheme) {
            findings.append(
                Finding(
                    code: "alipay-app.scheme-unusable", subject: subject, cause: mistake.cause(scheme),
                    evidence: [.init("scheme", scheme), .init("mistake", mistake.rawValue)],
                    mend: "Register a scheme of the app's own, letters and digits only, and pass the same to payOrder."))
        }
        let times = list.registrations(of: scheme)
        if times == 0 {
            findings.append(
                Finding(
                    code: "alipay-app.scheme-unregistered", subject: subject,
                    cause: "The app does not register the scheme that it passes to payOrder, so no return ever reaches it.",
                    evidence: [.init("scheme", scheme), .init("registered", list.registeredSchemes.joined(separator: ", "))],
                    mend: "Add \(scheme) to CFBundleURLTypes."))
        }
        if times > 1 {
            findings.append(
                Finding(
                    code: "alipay-app.scheme-shared", severity: .warning, subject: subject,
                    cause: "Two URL types register the same scheme.",
                    evidence: [.init("scheme", scheme), .init("times", String(times))],
                    mend: "Keep one, and a scheme that no other app has: of two apps with one scheme either may get the return."))
        }
        return findings
    }

    private static func queryFindings(_ list: AppPropertyList, for walletSchemes: [String], about subject: String) -> [Finding] {
        list.unaskable(walletSchemes).map { missing in
            Finding(
                code: "alipay-app.query-scheme-missing", subject: subject,
                cause:
                    "LSApplicationQueriesSchemes does not list \(missing) among its first \(AppPropertyList.querySchemeLimit): the wallet counts as not installed and the web cashier opens.",
                evidence: [.init("scheme", missing), .init("listed", String(list.queriedSchemes.count))],
                mend: "Add \(missing) to LSApplicationQueriesSchemes.")
        }
    }
}
