package import AsyncHTTPClient
import BillfoldStorage
package import BillfoldTrace
package import Foundation
import HTTPTypes
package import PaymentCrypto

/// What every capability of a process is given.
package struct ServingProcess: Sendable {
    package var configuration: ServerConfiguration
    package var addresses: Addresses
    package var folder: DataFolder
    /// Opens stores, and closes them when everything has stopped.
    package var stores: OpenStores
    /// The installation's main store where it is named: a file, or a PostgreSQL connection string.
    package var mainStore: String?
    /// Seals keys at rest, where there is a key for it.
    package var encryption: KeyEncryption?
    /// Whether private keys that are not sealed are taken.
    package var takesPlainKeys: Bool
    /// Believed instead of the system's roots when we connect to other parties, PEM.
    package var outgoingRoots: [UInt8]?
    package var surroundings: ServerSurroundings
    package var sender: any HTTPSender
    /// What the sandbox's parties connect with.
    package var partyClient: HTTPClient
    /// What is reported to the console.
    package var trace: TraceBuffer

    package init(
        configuration: ServerConfiguration, addresses: Addresses, folder: DataFolder, stores: OpenStores, mainStore: String? = nil,
        encryption: KeyEncryption? = nil, takesPlainKeys: Bool = false, outgoingRoots: [UInt8]? = nil, surroundings: ServerSurroundings,
        sender: any HTTPSender, partyClient: HTTPClient, trace: TraceBuffer
    ) {
        self.configuration = configuration
        self.addresses = addresses
        self.folder = folder
        self.stores = stores
        self.mainStore = mainStore
        self.encryption = encryption
        self.takesPlainKeys = takesPlainKeys
        self.outgoingRoots = outgoingRoots
        self.surroundings = surroundings
        self.sender = sender
        self.partyClient = partyClient
        self.trace = trace
    }

    package var mode: ServerMode { configuration.mode }

    /// Whether this process runs a capability, and not another one.
    package func runs(_ role: ServerRole) -> Bool { configuration.roles.contains(role) }

    /// The surroundings' clock as dates.
    package var dates: @Sendable () -> Date {
        { [clock = surroundings.clock] in Date(timeIntervalSince1970: TimeInterval(clock.now().microseconds) / 1_000_000) }
    }

    /// Opens a capability's store: the one that is named, or else a file of the data folder.
    ///
    /// - Parameters:
    ///   - kind: Whose it is.
    ///   - choice: A file, or a PostgreSQL connection string.
    ///   - file: Its name in the data folder.
    ///   - flag: The flag that names it.
    /// - Throws: `configuration-invalid` for the main store, whose outbox has other messages; what ``OpenStores/open(_:at:)`` throws.
    package func store(_ kind: StoreKind, at choice: String?, file: String, flag: String) async throws -> OpenStores.Store {
        guard choice == nil || choice != mainStore else {
            throw ServerError(
                code: .configurationInvalid, reason: "\(kind.owner) needs a store of its own: \(flag)", status: .internalServerError)
        }
        return try await stores.open(kind, at: choice ?? folder.path(file))
    }

    /// The installation's main store in a data folder.
    package static let mainStoreFile = "billfold.sqlite"

    /// Opens the installation's main store.
    package func openMainStore(_ kind: StoreKind) async throws -> OpenStores.Store {
        try await stores.open(kind, at: mainStore ?? folder.path(Self.mainStoreFile))
    }
}
