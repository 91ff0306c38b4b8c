/// Everything that a run of a mini program needs.
public struct MiniProgramSetup: Sendable {
    public var code: MiniProgramCode
    public var identity: MiniProgramIdentity
    public var grant: MiniProgramGrant
    public var limits: ContainerLimits
    public var host: any JSAPIHost
    public var store: any MiniProgramStore
    /// Milliseconds since 1970, for the script's `Date` and for the rate of calls.
    public var clock: @Sendable () -> Double
    /// For `Math.random`, which is no source of secrets.
    public var seed: UInt64

    public init(
        code: MiniProgramCode, identity: MiniProgramIdentity, grant: MiniProgramGrant = MiniProgramGrant(),
        limits: ContainerLimits = ContainerLimits(), host: any JSAPIHost, store: any MiniProgramStore = MemoryMiniProgramStore(),
        clock: @escaping @Sendable () -> Double, seed: UInt64
    ) {
        self.code = code
        self.identity = identity
        self.grant = grant
        self.limits = limits
        self.host = host
        self.store = store
        self.clock = clock
        self.seed = seed
    }

    var logic: LogicSettings {
        LogicSettings(appID: identity.appID, customInterfaces: grant.customInterfaces, seed: seed, turnLimit: limits.turn)
    }
}
