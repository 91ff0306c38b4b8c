public import BillfoldDiagnosis
public import Foundation

/// What in an app's `Info.plist` would keep UnionPay's app from opening or from coming back (unionpay-tn.md#app-settings).
public enum PluginPropertyListLint {
    /// What the app has to list in `LSApplicationQueriesSchemes`. [D]
    public static let querySchemes = ["uppaysdk", "uppaywallet", "uppayx1", "uppayx2", "uppayx3"]

    /// Judges a property list, as XML or binary, for an app that passes `scheme` to `startPay`. The same bytes give the same findings.
    ///
    /// Codes: `unionpay-app.plist-unreadable`, `.scheme-unregistered`, `.scheme-shared`, `.query-scheme-missing`.
    public static func findings(in plist: Data, scheme: String, subject: String = "Info.plist") -> [Finding] {
        guard let list = AppPropertyList(plist) else {
            return [
                Finding(
                    code: "unionpay-app.plist-unreadable", subject: subject, cause: "The file is no property list of an app.",
                    mend: "Hand over the Info.plist of the built app.")
            ]
        }
        var findings: [Finding] = []
        let times = list.registrations(of: scheme)
        if times == 0 {
            findings.append(
                Finding(
                    code: "unionpay-app.scheme-unregistered", subject: subject,
                    cause: "The app does not register the scheme that it passes to startPay, so no result ever reaches it.",
                    evidence: [.init("scheme", scheme), .init("registered", list.registeredSchemes.joined(separator: ", "))],
                    mend: "Add \(scheme) to CFBundleURLTypes, as the bare scheme without ://."))
        }
        if times > 1 {
            findings.append(
                Finding(
                    code: "unionpay-app.scheme-shared", severity: .warning, subject: subject,
                    cause: "Two URL types register the same scheme.",
                    evidence: [.init("scheme", scheme), .init("times", String(times))],
                    mend: "Keep one, and a scheme that no other app has: of two apps with one scheme either may get the result."))
        }
        for missing in list.unaskable(querySchemes) {
            findings.append(
                Finding(
                    code: "unionpay-app.query-scheme-missing", subject: subject,
                    cause: "LSApplicationQueriesSchemes does not list \(missing): UnionPay's app counts as not installed.",
                    evidence: [.init("scheme", missing), .init("listed", String(list.queriedSchemes.count))],
                    mend: "Add \(missing) to LSApplicationQueriesSchemes."))
        }
        return findings
    }
}
