import BillfoldServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle

/// Where commands reach the server that has the main store open: a socket in its data folder, for the folder's owner alone.
///
/// A SQLite file belongs to one process. What its owner asks from a shell is therefore done by that process, by the same actions.
struct ControlSocket: Service {
    static let fileName = "control.sock"
    static let path = "/store"
    /// A request is small: a name, a password, roles.
    static let bodyLimit = 16_384
    /// What the address of a Unix socket can hold on every system, with its ending zero.
    static let longestPath = 103

    let folder: DataFolder
    /// The store's file.
    let store: String
    let actions: StoreActions
    let logger: Logger

    private var socket: String { folder.path(Self.fileName) }

    /// The path of a store's file without links, by which command and server know that they mean the same.
    static func name(ofStore path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path }

    func run() async throws {
        guard socket.utf8.count <= Self.longestPath else {
            logger.notice("the data folder's path is too long for a socket: commands on its store need the server stopped")
            return try await gracefulShutdown()
        }
        // One that a killed server left. The store's lock is ours, so nobody answers there.
        unlink(socket)
        defer { unlink(socket) }
        let router = Router(context: BasicRequestContext.self)
        router.post("\(Self.path)") { request, _ in await respond(to: request) }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .unixDomainSocket(path: socket)),
            onServerRunning: { [socket] _ in chmod(socket, 0o600) }, logger: .silent)
        do {
            try await application.run()
        } catch {
            // The servers do without.
            logger.warning("commands cannot reach this server", metadata: ["error": "\(type(of: error))"])
            try await gracefulShutdown()
        }
    }

    private func respond(to request: Request) async -> Response {
        do {
            let body = try await request.body.collect(upTo: Self.bodyLimit)
            guard let message = try? JSONDecoder().decode(ControlMessage.self, from: Data(body.readableBytesView)) else {
                throw CommandFailure(
                    .refused, code: "control-refused", reason: "the server does not know this request: it has another version")
            }
            guard message.store == Self.name(ofStore: store) else {
                throw CommandFailure(.refused, code: "store-differs", reason: "the server of this data folder has another store open")
            }
            // Only this account's processes, and root's, come through the folder.
            let answer = try await actions.answer(message.request, by: "account:\(NSUserName())")
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(answer))))
        } catch {
            let failure = CommandFailure(error)
            return Response(status: .unprocessableContent, body: ResponseBody(byteBuffer: ByteBuffer(string: failure.json)))
        }
    }
}

extension Logger {
    /// Says nothing.
    static let silent = Logger(label: "billfold.silent") { _ in SwiftLogNoOpLogHandler() }
}
