package import BillfoldWeb

/// Something that a process can run: a server of ours, or a party that the sandbox plays.
///
/// A program keeps one list of capabilities. From that list come the roles that a process can have, the kinds of stores, what its
/// listeners serve, and what its console shows. A capability that takes flags of its own holds them.
package protocol Capability: Sendable {
    /// The name by which a process is told to run it.
    static var role: ServerRole { get }
    static var place: CapabilityPlace { get }
    /// The kinds of the stores that it opens, each with its migrations.
    static var stores: [StoreKind] { get }
    /// Whether servers may send to it at an address on a private network, in test mode: it is a counterparty that names its own address.
    static var mayNameItself: Bool { get }

    /// The journey that it serves, as the console explains it.
    static var journey: Journey? { get }
    /// Where a person begins the capability's journey, where it plays that part in the sandbox.
    static var start: Start? { get }
    /// What it can be told to do wrong, and the journey whose pages say so, where it plays a part in the sandbox.
    static var faults: Faults? { get }

    /// Its origin, when it runs in another process.
    var url: String? { get }
    /// Where the others find it: at ``url``, or at the listener of its place in this process.
    ///
    /// - Parameter standard: The origin of its listener in this process.
    /// - Throws: `configuration-invalid`.
    func address(standard: String) throws -> CapabilityAddress
    /// Refuses with `configuration-invalid` addresses at which it cannot work.
    func check(_ addresses: Addresses) throws
    /// Refuses what is wrong in the files that its flags name, where a process with that configuration reads them. It writes nothing: a
    /// mistake is told before the first store is opened.
    func judgeFiles(for configuration: ServerConfiguration) throws
    /// Opens what it needs, and gives what it adds to the process. Stores are opened by ``ServingProcess/stores``, which closes them.
    func part(of process: ServingProcess) async throws -> CapabilityPart
    /// What somebody's own program needs to take the part of its counterparty, and what to build first; in test mode alone.
    func guides(in process: ServingProcess) throws -> [ConnectGuide]
    /// What the console can show where only the capability's main store is here and its server runs elsewhere; `nil` where that is nothing.
    func share(of process: ServingProcess, readFrom store: OpenStores.Store) throws -> ConsoleShare?
}

extension Capability {
    /// The journey's slug, the path of its first page, and what the console's first page says of it, if anything.
    package typealias Start = (journey: String, path: String, invitation: String?)
    /// The journey's slug, and what its pages offer.
    package typealias Faults = (journey: String, menu: FaultMenu)

    package static var stores: [StoreKind] { [] }
    package static var mayNameItself: Bool { false }
    package static var journey: Journey? { nil }
    package static var start: Start? { nil }
    package static var faults: Faults? { nil }
    package var url: String? { nil }
    package func address(standard: String) throws -> CapabilityAddress { CapabilityAddress(url ?? standard) }
    package func check(_ addresses: Addresses) throws {}
    package func guides(in process: ServingProcess) throws -> [ConnectGuide] { [] }
    package func judgeFiles(for configuration: ServerConfiguration) throws {}
    package func share(of process: ServingProcess, readFrom store: OpenStores.Store) throws -> ConsoleShare? { nil }
}

/// Which listener a capability's routes are on.
package enum CapabilityPlace: Sendable, Hashable {
    /// The public one, with the other servers of the process.
    case ours
    /// The sandbox's: it plays somebody else, and there is none in production.
    case sandbox
}
