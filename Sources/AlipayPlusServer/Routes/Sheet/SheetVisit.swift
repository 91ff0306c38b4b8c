import AlipayPlusValues
import HTTPTypes
import Hummingbird
import PaymentCrypto

/// Who looks at a sheet, as the address and the browser tell: the items of `SheetQuery`, and where the person has got to.
struct SheetVisit: Sendable {
    var language: AlipayPlusLanguage
    /// Whether the address names one of the eight.
    var isLanguageGiven: Bool
    /// An app is around the page and opens the wallet.
    var isInApp: Bool
    /// The wallets that the phone has.
    var installed: [String]
    /// The wallet that was chosen on the sheet.
    var chosen: String?
    /// The person wants to choose again.
    var choosesAnew: Bool

    /// The longest item that is read.
    private static let longest = 2_048

    /// Items that are not the sheet's are left alone: merchants' apps add items of their own to addresses.
    init(_ request: Request) {
        let query = request.uri.queryParameters
        self.init(acceptLanguage: request.headers[.acceptLanguage]) { name in query[Substring(name)].map(String.init) }
    }

    init(acceptLanguage: String?, item given: (String) -> String?) {
        func item(_ name: String) -> String? { given(name).flatMap { $0.isEmpty || $0.utf8.count > Self.longest ? nil : $0 } }
        isInApp = item("client") == "app"
        let named = item("language")
        isLanguageGiven = named.flatMap(AlipayPlusLanguage.init(rawValue:)) != nil
        language =
            isInApp
            ? AlipayPlusLanguage(inApp: named) : AlipayPlusLanguage(onWeb: named, device: Self.device(acceptLanguage))
        installed = (item("installed") ?? "").split(separator: ",").map(String.init)
        chosen = item("wallet").flatMap { $0.utf8.count <= 32 ? $0 : nil }
        choosesAnew = item("choose") != nil
    }

    /// The first of the browser's languages that is one of the eight; browsers list them by preference.
    private static func device(_ header: String?) -> String? {
        (header ?? "").prefix(512).split(separator: ",").lazy
            .map { String($0.prefix { $0 != ";" }.filter { $0 != " " }) }
            .first { AlipayPlusLanguage(deviceLanguage: $0) != nil }
    }

    /// The items that stay with the visit, in a query that leads on.
    func query(wallet: String? = nil, choosesAnew: Bool = false) -> String {
        var items: [(String, String)] = []
        if isInApp { items.append(("client", "app")) }
        if isLanguageGiven { items.append(("language", language.rawValue)) }
        if !installed.isEmpty { items.append(("installed", installed.joined(separator: ","))) }
        if let wallet { items.append(("wallet", wallet)) }
        if choosesAnew { items.append(("choose", "again")) }
        return items.map { "\($0.0)=\(PercentEncoding.encode($0.1.utf8))" }.joined(separator: "&")
    }
}
