import BillfoldJSON
import BillfoldServer
import Foundation
import ServiceLifecycle

/// Where the servers of a data folder are, as commands beside them find it: `serve` writes it in test mode when it listens, and takes it
/// away when it stops.
struct ServedAddresses: Sendable {
    static let fileName = "addresses.json"
    /// The origin of each capability by its role, and of the sandbox's listener.
    private var origins: [String: String]

    private static let sandbox = "sandbox"

    init(_ addresses: Addresses, roles: [ServerRole], sandbox: String) {
        origins = Dictionary(roles.map { ($0.rawValue, addresses[$0].origin) }) { first, _ in first }
        origins[Self.sandbox] = sandbox
    }

    /// Reads what a running server left. Refuses with `no-server` where none did: commands of the sandbox work beside one.
    init(folder: String) throws(CommandFailure) {
        let path = folder + "/" + Self.fileName
        guard let data = FileManager.default.contents(atPath: path),
            let read = try? JSONDecoder().decode([String: String].self, from: data)
        else {
            throw CommandFailure(
                .refused, code: "no-server",
                reason:
                    "\(folder) is no data folder of a server in test mode that runs: start billfold serve, or name the folder with --data")
        }
        origins = read
    }

    func keep(in folder: DataFolder) throws {
        try folder.replace(JSONWriter.write(texts: origins.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }), Self.fileName)
    }

    /// Refuses with `no-server` a role that nobody told this installation of.
    func origin(of role: ServerRole) throws(CommandFailure) -> String { try origin(named: role.rawValue) }

    func sandboxOrigin() throws(CommandFailure) -> String { try origin(named: Self.sandbox) }

    private func origin(named name: String) throws(CommandFailure) -> String {
        guard let origin = origins[name], !origin.isEmpty else {
            throw CommandFailure(.refused, code: "no-server", reason: "this installation has no \(name)")
        }
        return origin
    }
}

/// Takes back at the end what commands were told, so that they hear at once that nobody is there.
struct ServedAddressesEnd: Service {
    let folder: DataFolder

    func run() async throws {
        defer { unlink(folder.path(ServedAddresses.fileName)) }
        // One that is cancelled ends as well.
        try? await gracefulShutdown()
    }
}
