import Foundation

/// Where the shop's servers are, and what the app was registered with.
///
/// The values stand in `Info.plist`. A variable of the environment with the same name takes a value's place, so that a scheme of Xcode can
/// point the app at another server.
struct Settings {
    /// The shop's own server: it makes orders, signs them and knows what is paid.
    let shop: URL
    /// Alipay's and Alipay+'s gateway: the web cashier, the payment options and the payment sheet.
    let gateway: URL
    /// Alipay's public key for this app's orders, as its console shows it. Without it a result that comes back counts as unproven, and the
    /// shop's server decides alone.
    let alipayKey: String?
    /// The customer's languages, the most wanted first: those of the phone, unless `LeafLanguage` names one.
    let languages: [String]
    /// The scheme by which wallets come back, as `Info.plist` registers it.
    let scheme = "leafmerchant"
    /// What the shop is registered as at Alipay+.
    let merchantID = "MER-PIER-NINE"
    let acquirerID = "1022188000000201"

    init(bundle: Bundle = .main, environment: [String: String] = ProcessInfo.processInfo.environment) {
        func value(_ name: String) -> String? {
            let text = environment[name] ?? bundle.object(forInfoDictionaryKey: name) as? String
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
        func address(_ name: String, _ local: String) -> URL { value(name).flatMap(URL.init(string:)) ?? URL(string: local)! }
        shop = address("LeafShop", "http://127.0.0.1:8082")
        gateway = address("LeafGateway", "http://127.0.0.1:8080")
        alipayKey = value("LeafAlipayKey")
        languages = value("LeafLanguage").map { [$0] } ?? Locale.preferredLanguages
    }
}
