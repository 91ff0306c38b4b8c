#if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
    public import Alipay
    public import UIKit

    /// The phone itself. `presenter` gives the screen that the web cashier is shown over.
    @MainActor
    public final class UIKitSurroundings: PaymentSurroundings {
        private let presenter: @MainActor () -> UIViewController?

        public init(presenter: @escaping @MainActor () -> UIViewController?) { self.presenter = presenter }

        public func canOpen(_ url: URL) -> Bool { UIApplication.shared.canOpenURL(url) }

        public func open(_ url: URL) async -> Bool { await UIApplication.shared.open(url) }

        public func showCashier(_ request: CashierRequest) async -> PaymentResult? {
            guard let screen = presenter() else { return nil }
            return await withCheckedContinuation { end in
                let cashier = CashierViewController(request) { end.resume(returning: $0) }
                let stack = UINavigationController(rootViewController: cashier)
                // Closing has to pass by the button, which asks the cashier what it knows.
                stack.isModalInPresentation = true
                screen.present(stack, animated: true)
            }
        }
    }
#endif
