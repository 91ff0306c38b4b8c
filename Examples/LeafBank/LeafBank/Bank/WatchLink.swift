import ApplePayApp
import Foundation

#if canImport(WatchConnectivity)
    import WatchConnectivity
#endif

/// Whether there is a watch. PassKit tells of the passes of a watch in reach, and not whether there is one.
@MainActor
final class WatchLink: NSObject {
    static let shared = WatchLink()

    #if canImport(WatchConnectivity)
        private override init() {
            super.init()
            guard WCSession.isSupported() else { return }
            WCSession.default.delegate = self
            WCSession.default.activate()
        }

        /// Of a paired watch, the wallet alone can tell whether it is in reach.
        var presence: WatchPresence {
            guard WCSession.isSupported() else { return .none }
            let session = WCSession.default
            return session.activationState == .activated && !session.isPaired ? .none : .unknown
        }
    #else
        let presence = WatchPresence.none
    #endif
}

#if canImport(WatchConnectivity)
    extension WatchLink: WCSessionDelegate {
        nonisolated func session(
            _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
        ) {}

        nonisolated func sessionDidBecomeInactive(_ session: WCSession) {}

        /// The customer has taken up another watch.
        nonisolated func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    }
#endif
