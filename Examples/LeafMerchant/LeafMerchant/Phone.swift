import AlipayApp
import AlipayPlusApp
import Foundation

/// What the shop needs of the phone beside its screen. On a phone it is the phone's own; a test brings others.
struct Phone {
    /// Opens the Alipay app, or shows its web cashier.
    let express: any PaymentSurroundings
    /// Shows the payment sheet and opens wallets; nil is the phone itself.
    let sheet: (any SheetSurroundings)?
    /// What the payment options are fetched by; nil is `URLSession`.
    let options: (any OptionTransport)?
    /// Where the app keeps what must outlive it.
    let folder: URL

    /// The phone itself; nil where there is none.
    @MainActor static var itself: Phone? {
        #if canImport(WebKit)
            Phone(express: UIKitSurroundings(), sheet: nil, options: nil, folder: URL.applicationSupportDirectory)
        #else
            nil
        #endif
    }
}
