#if canImport(UIKit) && canImport(PassKit) && !os(watchOS)
    public import Foundation
    import UIKit

    extension AvailabilityMonitor {
        /// Asks again whenever the app comes to the foreground. Keep the result, and hand it to `NotificationCenter` to stop.
        public func refreshInForeground() -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(
                forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
            ) { [weak self] _ in
                MainActor.assumeIsolated { self?.refresh() }
            }
        }
    }
#endif
