/// What a person is told before something is opened for a mini program.
public struct DeepLinkPrompt: Sendable, Hashable {
    public var appID: String
    /// The mini program that asks.
    public var appName: String
    /// The scene; nil for an address alone.
    public var scene: String?
    /// The host of a page, or the scheme of an app: what a person can judge.
    public var destination: String

    /// Makes a question, for a preview or a test: the workflow makes its own.
    public init(appID: String, appName: String, scene: String?, destination: String) {
        self.appID = appID
        self.appName = appName
        self.scene = scene
        self.destination = destination
    }
}

/// The deep-link workflow of the container's core: allow-lists first, then the person, then the super app's DeepLinkService.
public struct DeepLinkWorkflow: Sendable {
    private let services: WalletServices
    private let policy: @Sendable (_ appID: String) -> DeepLinkPolicy?
    private let approve: (@Sendable (DeepLinkPrompt) async -> Bool)?

    /// - Parameters:
    ///   - services: Its DeepLinkService opens what may be opened.
    ///   - policy: The lists of a mini program; nil opens nothing.
    ///   - approve: Asks the person before an address that the mini program chose is opened; nil does not ask.
    public init(
        services: WalletServices, policy: @escaping @Sendable (_ appID: String) -> DeepLinkPolicy?,
        approve: (@Sendable (DeepLinkPrompt) async -> Bool)? = nil
    ) {
        self.services = services
        self.policy = policy
        self.approve = approve
    }

    /// Opens an address (`my.openURL`, and jumps from HTML5 pages).
    public func open(_ address: String, in context: IAPWalletAPIContext, hasGesture: Bool) async throws(DeepLinkRefusal) {
        let policy = try policy(for: context, hasGesture: hasGesture)
        let address = try policy.check(address, webPage: false)
        try await ask(context, scene: nil, address)
        guard services.isRegistered(.deepLink) else { throw DeepLinkRefusal(.notOpened, WalletServices.reason(.deepLink)) }
        // On the main actor as every service: the published sample asks the application.
        let isOpened = await MainActor.run { services.deepLink.open(scheme: address.url, in: context) }
        guard isOpened else {
            throw DeepLinkRefusal(.notOpened, "the super app opens nothing for the \(Self.destination(address))")
        }
    }

    /// Opens a scene (`my.navigateToBizScene`).
    /// - Returns: What the scene answered.
    public func open(
        scene: String, with parameters: [String: String], in context: IAPWalletAPIContext, hasGesture: Bool
    ) async throws(DeepLinkRefusal) -> [String: String] {
        let policy = try policy(for: context, hasGesture: hasGesture)
        guard policy.scenes.contains(scene) else {
            throw DeepLinkRefusal(.sceneNotListed, "scene \(WalletScene.shown(scene)) is not listed for this mini program")
        }
        if let known = WalletScene(rawValue: scene), known.takesAddress {
            let text = parameters["url"] ?? (known == .scheme ? parameters["scheme"] : nil)
            guard let text else { throw DeepLinkRefusal(.missingParameter, "scene \(scene) needs url") }
            try await ask(context, scene: scene, policy.check(text, webPage: known == .webPage))
        }
        let result = await services.deepLink.open(bizSceneCode: scene, with: parameters, in: context)
        if let failure = result.failure { throw DeepLinkRefusal(.notOpened, failure.reason) }
        return result.extendedInfo
    }

    private func policy(for context: IAPWalletAPIContext, hasGesture: Bool) throws(DeepLinkRefusal) -> DeepLinkPolicy {
        guard let policy = policy(context.appId) else { throw DeepLinkRefusal(.sceneNotListed, "this mini program may open nothing") }
        guard hasGesture || !policy.needsGesture else { throw DeepLinkRefusal(.noGesture, "only a tap may open something") }
        return policy
    }

    private func ask(_ context: IAPWalletAPIContext, scene: String?, _ address: WebAddress) async throws(DeepLinkRefusal) {
        guard let approve else { return }
        let prompt = DeepLinkPrompt(
            appID: context.appId, appName: context.appName, scene: scene, destination: Self.destination(address))
        guard await approve(prompt) else { throw DeepLinkRefusal(.declined, "the person declined") }
    }

    private static func destination(_ address: WebAddress) -> String {
        address.scheme == "https" ? "host \(address.host)" : "scheme \(address.scheme)"
    }
}
