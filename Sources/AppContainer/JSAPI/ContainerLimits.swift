/// What a mini program may use.
public struct ContainerLimits: Sendable, Hashable {
    /// How long one turn of the script may run before it is ended.
    public var turn: Duration
    /// Turns that may be ended so before the program is.
    public var endedTurns: Int
    public var callsPerSecond: Int
    /// Calls that may come at once.
    public var callBurst: Int
    /// Calls that may wait for an answer.
    public var waitingCalls: Int
    /// Of one call's arguments, as JSON.
    public var argumentBytes: Int
    /// Of one update of the view, above which the author is warned (mini-programs.md#view-updates [I]).
    public var updateWarningBytes: Int
    /// Of one stored value, and of all values of a user and mini program (mini-programs.md#storage).
    public var storedItemBytes: Int
    public var storedBytes: Int
    /// Of a worker's memory beyond what the empty engine needs.
    public var workerMemoryBytes: Int
    /// How long a worker may be silent in a turn before it is killed; above ``turn``.
    public var workerSilence: Duration

    public init(
        turn: Duration = .seconds(2), endedTurns: Int = 3, callsPerSecond: Int = 200, callBurst: Int = 500, waitingCalls: Int = 256,
        argumentBytes: Int = 1_048_576, updateWarningBytes: Int = 262_144, storedItemBytes: Int = 204_800,
        storedBytes: Int = 10_485_760, workerMemoryBytes: Int = 268_435_456, workerSilence: Duration = .seconds(5)
    ) {
        self.turn = turn
        self.endedTurns = endedTurns
        self.callsPerSecond = callsPerSecond
        self.callBurst = callBurst
        self.waitingCalls = waitingCalls
        self.argumentBytes = argumentBytes
        self.updateWarningBytes = updateWarningBytes
        self.storedItemBytes = storedItemBytes
        self.storedBytes = storedBytes
        self.workerMemoryBytes = workerMemoryBytes
        self.workerSilence = workerSilence
    }
}

/// What the platform grants a mini program: nothing beyond the baseline unless it is listed (mini-programs.md#permissions).
public struct MiniProgramGrant: Sendable, Hashable {
    /// Features that are enabled, and `custom.<name>` for interfaces of the super app.
    public var features: Set<String>
    /// Servers for `request`, uploads, downloads and sockets.
    public var requestDomains: DomainList
    /// Sites whose pages may call from a web view, by a smaller set of interfaces (mini-programs.md#permissions, mini-programs.md#domains).
    public var webPageDomains: DomainList
    /// Names of the super app's own interfaces.
    public var customInterfaces: [String]
    /// Interfaces that need a tap when the program was opened from outside: a link must not make a page pay by itself
    /// (mini-programs.md#permissions).
    public var needTapAfterLink: Set<String>

    public init(
        features: Set<String> = [], requestDomains: DomainList = DomainList([]), webPageDomains: DomainList = DomainList([]),
        customInterfaces: [String] = [],
        needTapAfterLink: Set<String> = ["tradePay", "signContract", "navigateToBizScene", "openURL", "navigateToMiniProgram"]
    ) {
        self.features = features
        self.requestDomains = requestDomains
        self.webPageDomains = webPageDomains
        self.customInterfaces = customInterfaces
        self.needTapAfterLink = needTapAfterLink
    }
}

/// How a mini program is opened (mini-programs.md#pages, mini-programs.md#re-entry).
public struct LaunchOptions: Sendable, Hashable {
    /// A page's route, with a query or without; empty for the home page, and a query alone for the home page with it.
    public var page: String
    /// Reaches App.onLaunch and App.onShow.
    public var query: [String: String]
    public var scene: String
    /// The mini program that opened this one.
    public var referrerAppID: String?
    /// Whether a link or code from outside opened it.
    public var isFromLink: Bool

    public init(
        page: String = "", query: [String: String] = [:], scene: String = "", referrerAppID: String? = nil, isFromLink: Bool = false
    ) {
        self.page = page
        self.query = query
        self.scene = scene
        self.referrerAppID = referrerAppID
        self.isFromLink = isFromLink
    }
}
