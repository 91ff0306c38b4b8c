public import AlipayPlusValues
public import BillfoldDiagnosis
public import Foundation

/// What in an app's `Info.plist` would keep a chosen wallet from opening, or the person from coming back (alipay-plus.md#failures).
public enum PaymentSheetPlistLint {
    /// Judges a property list, as XML or binary. Pure: the same bytes give the same findings.
    ///
    /// Codes: `alipay-plus-app.plist-unreadable`, `.query-scheme-missing`, `.return-scheme-unregistered`, `.return-scheme-shared`.
    /// - Parameters:
    ///   - plist: The file's bytes.
    ///   - walletSchemes: The schemes of the wallets that the merchant offers, without `://`.
    ///   - returnSchemes: The schemes by which wallets come back: of `paymentRedirectUrl` where it is no page, and `fromScheme` where the
    ///     Alipay SDK is linked.
    ///   - subject: The file's name in the findings.
    public static func findings(in plist: Data, walletSchemes: [String], returnSchemes: [String] = [], subject: String = "Info.plist")
        -> [Finding]
    {
        guard let list = AppPropertyList(plist) else {
            return [
                Finding(
                    code: "alipay-plus-app.plist-unreadable", subject: subject, cause: "The file is no property list of an app.",
                    mend: "Hand over the Info.plist of the built app.")
            ]
        }
        return list.unaskable(walletSchemes).map { unaskable($0, in: list, about: subject) }
            + returnSchemes.compactMap { registration($0, in: list, about: subject) }
    }

    /// The same for the wallets of one payment: those that payment data gives a scheme.
    public static func findings(in plist: Data, for data: PaymentData, returnSchemes: [String] = [], subject: String = "Info.plist")
        -> [Finding]
    {
        findings(in: plist, walletSchemes: schemes(of: data), returnSchemes: returnSchemes, subject: subject)
    }

    /// The schemes of the wallets that payment data offers, each once.
    static func schemes(of data: PaymentData) -> [String] {
        var schemes: [String] = []
        for wallet in data.wallets {
            guard let scheme = wallet.links.schemeURL?.prefix(while: { $0 != ":" }), !schemes.contains(String(scheme)) else { continue }
            schemes.append(String(scheme))
        }
        return schemes
    }

    private static func unaskable(_ scheme: String, in list: AppPropertyList, about subject: String) -> Finding {
        Finding(
            code: "alipay-plus-app.query-scheme-missing", subject: subject,
            cause:
                "LSApplicationQueriesSchemes does not list \(scheme) among its first \(AppPropertyList.querySchemeLimit): the wallet counts as not installed, stands behind the others and opens as a page.",
            evidence: [.init("scheme", scheme), .init("listed", String(list.queriedSchemes.count))],
            mend: "Add \(scheme) to LSApplicationQueriesSchemes.")
    }

    private static func registration(_ scheme: String, in list: AppPropertyList, about subject: String) -> Finding? {
        switch list.registrations(of: scheme) {
        case 1: nil
        case 0:
            Finding(
                code: "alipay-plus-app.return-scheme-unregistered", subject: subject,
                cause: "The app does not register the scheme by which the wallet comes back, so the person stays in the wallet.",
                evidence: [.init("scheme", scheme), .init("registered", list.registeredSchemes.joined(separator: ", "))],
                mend: "Add \(scheme) to CFBundleURLTypes.")
        case let times:
            Finding(
                code: "alipay-plus-app.return-scheme-shared", severity: .warning, subject: subject,
                cause: "\(times) URL types register the same scheme.",
                evidence: [.init("scheme", scheme), .init("times", String(times))],
                mend: "Keep one, and a scheme that no other app has: of two apps with one scheme either may get the return.")
        }
    }
}
