import BillfoldConcurrency
public import Foundation

/// A DeepLinkService over a table of what opens what. A scene that is not in it is answered, with an error that names it.
// Unchecked only because its superclass is: its state lies behind a lock.
public final class TableDeepLinkService: IAPWalletDeeplinkServiceSignature, @unchecked Sendable {
    /// Opens a page of the app and answers what the scene answers. A thrown ``WalletFailure`` keeps its code.
    public typealias SceneHandler = @Sendable ([String: String], IAPWalletAPIContext?) async throws -> [String: String]
    /// Opens an address and says whether it really did.
    public typealias AddressHandler = @Sendable (URL, IAPWalletAPIContext?) -> Bool

    private struct Table {
        var scenes: [String: SceneHandler] = [:]
        var addresses: [(scheme: String, host: String?, handler: AddressHandler)] = []
    }

    private let table = Locked(Table())

    public override init() { super.init() }

    /// Takes the place of what the scene opened before.
    public func register(scene: String, _ handler: @escaping SceneHandler) { table.withLock { $0.scenes[scene] = handler } }

    /// Registers what opens a scheme's addresses, of one host or, with nil, of every host. The first that fits and opens counts, those with a
    /// host before those without.
    public func register(scheme: String, host: String? = nil, _ handler: @escaping AddressHandler) {
        table.withLock { $0.addresses.append((scheme.lowercased(), host?.lowercased(), handler)) }
    }

    public override func open(scheme: URL, in context: IAPWalletAPIContext? = nil) -> Bool {
        guard let name = scheme.scheme?.lowercased() else { return false }
        let host = scheme.host()?.lowercased()
        let fitting = table.withLock { table in
            let ofScheme = table.addresses.filter { $0.scheme == name && ($0.host == nil || $0.host == host) }
            return (ofScheme.filter { $0.host != nil } + ofScheme.filter { $0.host == nil }).map(\.handler)
        }
        return fitting.contains { $0(scheme, context) }
    }

    public override func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) {
        guard let handler = table.withLock({ $0.scenes[bizSceneCode] }) else {
            return callback(
                IAPWalletBaseServiceResult().failing(.appServiceError, "scene \(WalletScene.shown(bizSceneCode)) opens nothing here"))
        }
        Task {
            let result = IAPWalletBaseServiceResult()
            do { result.extendedInfo = try await handler(param, context) } catch { result.fail(error) }
            callback(result)
        }
    }
}
