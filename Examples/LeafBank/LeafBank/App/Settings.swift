import ApplePayApp
import Foundation

/// Where the bank's servers are. The addresses come from `Info.plist`, and there from the build's settings.
struct Settings: Sendable {
    /// Logs customers in.
    var bank: URL
    /// Knows the cards, and seals them for the wallet.
    var issuer: URL
    /// Where the app keeps what it must not forget.
    var folder: URL
    /// Whether there is a watch. Asked at every look at the wallet.
    var watch: @MainActor @Sendable () -> WatchPresence = { WatchLink.shared.presence }

    init(bundle: Bundle = .main, files: FileManager = .default) {
        bank = Self.address("BankServer", in: bundle) ?? URL(fileURLWithPath: "/")
        issuer = Self.address("IssuerHost", in: bundle) ?? URL(fileURLWithPath: "/")
        folder = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? files.temporaryDirectory
    }

    private static func address(_ key: String, in bundle: Bundle) -> URL? {
        (bundle.object(forInfoDictionaryKey: key) as? String).flatMap { URL(string: $0) }
    }
}
