#if !os(watchOS)
    import BillfoldConcurrency
    #if canImport(UIKit)
        public import UIKit
    #else
        public import UIKitSimulator
    #endif

    /// The names of the header that have UIKit's types.
    extension AlipaySDK {
        /// The window that the web cashier is shown in, where the app makes its own; held weakly. Nil, the default, is the key window. Read
        /// by `UIKitSurroundings`, which are there on Apple's systems, where they were made without a presenter.
        #if canImport(ObjectiveC)
            @objc
        #endif
        public var targetWindow: UIWindow! {
            get { window.withLock { HandedOver($0.window) }.value as? UIWindow }
            set {
                let new = newValue
                window.withLock { $0.window = new }
            }
        }

        /// Takes the activity whose link the wallet came back by; one without a link is passed over, and the block is not called.
        #if canImport(ObjectiveC)
            @objc(handleOpenUniversalLink:standbyCallback:)
        #endif
        public func handleOpenUniversalLink(_ userActivity: NSUserActivity!, standbyCallback completionBlock: CompletionBlock!) {
            guard let link = userActivity?.webpageURL else { return }
            handleOpenUniversalLink(link, standbyCallback: completionBlock)
        }
    }
#endif

/// `@unchecked Sendable`: a weak reference may be read and written anywhere, by one at a time.
struct WindowReference: @unchecked Sendable {
    weak var window: AnyObject?
}
