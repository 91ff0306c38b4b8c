#if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
    import BillfoldConcurrency
    public import UIKit

    extension AlipaySDK {
        /// The window that the web cashier is shown in, where the app makes its own; held weakly. Nil, the default, is the key window.
        /// Read by
        /// ``UIKitSurroundings`` that were made without a presenter.
        @objc public var targetWindow: UIWindow! {
            get { MainThread.run { window as? UIWindow } }
            set {
                let new = HandedOver(newValue)
                MainThread.run { window = new.value }
            }
        }
    }

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
