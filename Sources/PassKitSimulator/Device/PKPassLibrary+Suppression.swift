import BillfoldConcurrency

/// Names a wish to keep Wallet from coming up; 0 is none.
public typealias PKSuppressionRequestToken = Int

/// How such a wish ended.
public enum PKAutomaticPassPresentationSuppressionResult: UInt, Sendable {
    /// The device cannot: the token is 0.
    case notSupported = 0
    /// A pass is on the screen already. Never told here: no simulated screen shows one for longer than a moment.
    case alreadyPresenting
    /// The app lacks the entitlement (``SignedApp/mayKeepWalletAway``).
    case denied
    /// The wish was taken back before it was answered.
    case cancelled
    case success
}

// Keeps Wallet from coming up by itself at a reader (provisioning.md#wallet-at-a-reader [D]).
extension PKPassLibrary {
    /// Asks that Wallet stays away from readers while the app is in front.
    ///
    /// - Parameter responseHandler: Is called once, later; here on the main actor, on a device on any queue.
    /// - Returns: What ends it; 0 where the device cannot.
    @discardableResult
    public class func requestAutomaticPassPresentationSuppression(
        responseHandler: @escaping (PKAutomaticPassPresentationSuppressionResult) -> Void
    ) -> PKSuppressionRequestToken {
        let device = SimulatedDevice.current
        let handler = HandedOver(responseHandler)
        guard device.canMakePayments else {
            Task { @MainActor in handler.value(.notSupported) }
            return 0
        }
        let token = device.state.withLock { $0.suppressions.ask() }
        Task { @MainActor in
            let mayKeepWalletAway = device.configuration.app.mayKeepWalletAway
            handler.value(device.state.withLock { $0.suppressions.answer(token, isAllowed: mayKeepWalletAway) })
        }
        return token
    }

    /// Takes a wish back, answered or not. Another wish still holds.
    public class func endAutomaticPassPresentationSuppression(withRequestToken requestToken: PKSuppressionRequestToken) {
        SimulatedDevice.current.state.withLock { $0.suppressions.end(requestToken) }
    }

    /// Whether a wish of the app's was granted and holds.
    public class func isSuppressingAutomaticPassPresentation() -> Bool {
        SimulatedDevice.current.state.withLock { $0.suppressions.isAnyGranted }
    }
}

/// The wishes of an app that Wallet stays away.
struct Suppressions {
    private var last = 0
    private var asked: Set<PKSuppressionRequestToken> = []
    private var granted: Set<PKSuppressionRequestToken> = []

    var isAnyGranted: Bool { !granted.isEmpty }

    mutating func ask() -> PKSuppressionRequestToken {
        last += 1
        asked.insert(last)
        return last
    }

    mutating func answer(_ token: PKSuppressionRequestToken, isAllowed: Bool) -> PKAutomaticPassPresentationSuppressionResult {
        guard asked.remove(token) != nil else { return .cancelled }
        guard isAllowed else { return .denied }
        granted.insert(token)
        return .success
    }

    mutating func end(_ token: PKSuppressionRequestToken) {
        asked.remove(token)
        granted.remove(token)
    }
}

extension SimulatedDevice {
    /// The device is held to a reader: Wallet comes up with a pass that can pay, whatever app is in front, unless that app keeps it away.
    ///
    /// - Returns: The pass that Wallet shows; nil where none comes up.
    @MainActor
    @discardableResult
    public func meetReader() -> WalletPass.ID? {
        let isInFront = screen.application.applicationState != .background
        guard !(isInFront && state.withLock { $0.suppressions.isAnyGranted }),
            let pass = passes.first(where: { $0.activationState == .activated }), showPass(pass.id, forPaying: true)
        else { return nil }
        return pass.id
    }
}
