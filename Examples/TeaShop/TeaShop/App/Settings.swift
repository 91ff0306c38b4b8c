import ApplePayApp
import Foundation

/// Where the shop's servers are, and what the phone is. The addresses come from `Info.plist`, and there from the build's settings.
struct Settings: Sendable {
    /// Makes orders. Knows the goods and their prices.
    var shop: URL
    /// Prices orders and takes payments, with a secret for each order.
    var merchant: URL
    /// Where the app keeps what it must not forget.
    var folder: URL
    var system: SystemVersion
    var checkout = CheckoutConfiguration()

    init(bundle: Bundle = .main, files: FileManager = .default) {
        shop = Self.address("ShopServer", in: bundle) ?? URL(fileURLWithPath: "/")
        merchant = Self.address("MerchantServer", in: bundle) ?? URL(fileURLWithPath: "/")
        folder = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? files.temporaryDirectory
        let version = ProcessInfo.processInfo.operatingSystemVersion
        system = SystemVersion(.iOS, version.majorVersion, version.minorVersion, version.patchVersion)
    }

    private static func address(_ key: String, in bundle: Bundle) -> URL? {
        (bundle.object(forInfoDictionaryKey: key) as? String).flatMap { URL(string: $0) }
    }
}
