import BillfoldConcurrency
public import Foundation

/// What the SDK is initialised with (mini-programs.md#extensions [D 3]).
public final class IAPConnectInitConfig: NSObject {
    /// Kept for all launches after the initialisation.
    public var riverExtensionDelegate: GRVExtensionDelegate?

    public override init() { super.init() }
}

/// Initialises the SDK by its documented names. The real one reads a file of the platform's and signs the app up; here that is the
/// ``GriverContainer`` that was handed in before.
public final class IAPConnectClient: NSObject, Sendable {
    private static let shared = IAPConnectClient()

    private override init() { super.init() }

    /// The one client of the app; never nil here. The header has no nullability, so it is read as optional or not.
    public static func sharedInstance() -> IAPConnectClient! { shared }

    /// Takes what the app puts into the container. One of the two blocks is called later, on the main thread.
    ///
    /// - Parameters:
    ///   - config: What the app puts in; nil for nothing.
    ///   - success: Called where ``GRVAppContainerLaunch/container`` is there.
    ///   - failure: Called with 90003 where it is not; no page prints which codes the real one has. [I]
    public func initWithContext(
        _ config: IAPConnectInitConfig!, success: (() -> Void)!, failure: (((any Error)?, String?) -> Void)!
    ) {
        let launch = GRVAppContainerLaunch.sharedInstance()
        let isReady = launch.container != nil
        if isReady { launch.extensions = config?.riverExtensionDelegate }
        let blocks = HandedOver((success, failure))
        Task { @MainActor in
            let (success, failure) = blocks.value
            if isReady {
                success?()
                return
            }
            let error = GriverErrorCode.notInitialised.error("no container was handed in")
            failure?(error, error.localizedDescription)
        }
    }
}
