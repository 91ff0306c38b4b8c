#if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
    import UIKit

    extension UIKitSurroundings {
        /// The phone itself, with the web cashier shown over the topmost screen of ``AlipaySDK/targetWindow``, or of the key window.
        public convenience init() {
            self.init {
                let windows = UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }
                var screen = (AlipaySDK.defaultService().targetWindow ?? windows.first)?.rootViewController
                while let next = screen?.presentedViewController { screen = next }
                return screen
            }
        }
    }
#endif
