#if canImport(UIKit) && canImport(WebKit) && !os(watchOS)
    public import UIKit

    /// The phone itself: the sheet is drawn over everything in the key window.
    @MainActor
    public final class UIKitSheetSurroundings: SheetSurroundings {
        public private(set) var departures = 0
        private var sheet: SheetViewController?

        public init() {
            _ = NotificationCenter.default.addObserver(
                forName: UIApplication.willResignActiveNotification, object: nil, queue: .main
            ) { [weak self] _ in MainActor.assumeIsolated { self?.departures += 1 } }
        }

        public var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1_000) }

        public func canOpen(_ url: URL) -> Bool { UIApplication.shared.canOpenURL(url) }

        public func open(_ url: URL, onlyInApp: Bool) async -> Bool {
            await UIApplication.shared.open(url, options: onlyInApp ? [.universalLinksOnly: true] : [:])
        }

        public func showSheet(_ request: SheetRequest, hear: @escaping @MainActor (SheetNews) -> Void) {
            guard let screen = topmost() else {
                Task { hear(.unreachable("the app has no window to show a sheet in")) }
                return
            }
            let sheet = SheetViewController(request, hear: hear)
            sheet.modalPresentationStyle = .overFullScreen
            self.sheet = sheet
            screen.present(sheet, animated: true)
        }

        public func closeSheet() {
            sheet?.presentingViewController?.dismiss(animated: true)
            sheet = nil
        }

        private func topmost() -> UIViewController? {
            let windows = UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }
            var screen = windows.first?.rootViewController
            while let next = screen?.presentedViewController { screen = next }
            return screen
        }
    }
#endif
