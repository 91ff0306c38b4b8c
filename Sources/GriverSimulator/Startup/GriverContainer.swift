public import AppContainer
public import MiniPrograms
public import UIKitSimulator

/// What the super app hands to the launcher once, when it starts: who is signed in, where mini programs come from, who answers their calls.
///
/// The real SDK gets all of this by its own sign-up and from its own platform. Which file does that is not published, so the driver of a
/// test, or the app's start, does it here.
public struct GriverContainer: Sendable {
    public var source: any ProgramSource
    /// Stands for the user in partitions, as in `MiniProgramIdentity` of `MiniPrograms`.
    public var userID: String
    /// Who answers what a run asks for, such as a `WalletHost`, shown by the controller.
    public var host: @MainActor @Sendable (OpenedMiniProgram, UIViewController) -> any JSAPIHost
    public var store: any MiniProgramStore
    /// What decodes the codes that promotions print.
    public var decoders: [any PromotionCodeDecoding]
    /// Interfaces of the app's own, by their list.
    public var configuration: GRVConfiguration?
    /// Milliseconds since 1970, for the script's `Date` and for the rate of calls.
    public var clock: @Sendable () -> Double
    /// For `Math.random` of each run, which is no source of secrets.
    public var seed: @Sendable () -> UInt64

    public init(
        source: any ProgramSource, userID: String, store: any MiniProgramStore = MemoryMiniProgramStore(),
        decoders: [any PromotionCodeDecoding] = [], configuration: GRVConfiguration? = nil,
        host: @escaping @MainActor @Sendable (OpenedMiniProgram, UIViewController) -> any JSAPIHost,
        clock: @escaping @Sendable () -> Double,
        seed: @escaping @Sendable () -> UInt64
    ) {
        self.source = source
        self.userID = userID
        self.store = store
        self.decoders = decoders
        self.configuration = configuration
        self.host = host
        self.clock = clock
        self.seed = seed
    }
}

/// Where mini programs come from, and which there are.
public protocol ProgramSource: Sendable {
    /// Gives what a launch opens. A version that the link names is a wish: the platform decides which a user gets.
    func program(for link: MiniProgramLink) async throws -> OpenedMiniProgram
    /// Every mini program that is released to the app, in any order.
    func listing() async throws -> [ListedProgram]
}

/// Mini programs of a `ProgramShelf`: fetched, verified and kept as it does.
public struct ShelvedPrograms: ProgramSource {
    private let shelf: ProgramShelf
    private let platform: any MiniProgramPlatform
    private let list: @Sendable () async throws -> [ListedProgram]

    /// - Parameters:
    ///   - shelf: What the device keeps for the user.
    ///   - platform: The user's session of now.
    ///   - list: Asks the platform which mini programs there are.
    public init(
        shelf: ProgramShelf, platform: any MiniProgramPlatform, list: @escaping @Sendable () async throws -> [ListedProgram] = { [] }
    ) {
        self.shelf = shelf
        self.platform = platform
        self.list = list
    }

    public func program(for link: MiniProgramLink) async throws -> OpenedMiniProgram { try await shelf.open(link.appID, from: platform) }

    public func listing() async throws -> [ListedProgram] { try await list() }
}
