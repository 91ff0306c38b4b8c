import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A command's way to the server that has the main store open.
struct ControlClient {
    private let url: String

    /// - Parameter folder: The server's data folder.
    /// - Returns: `nil` where no server listens there.
    /// - Throws: `control-exposed` for a socket or a folder that is not this account's alone: what is asked may be a password.
    init?(folder: String) throws {
        let socket = folder + "/" + ControlSocket.fileName
        guard let type = Self.attributes(socket)?[.type] as? FileAttributeType else { return nil }
        guard type == .typeSocket, Self.isOurs(folder), Self.isOurs(socket) else {
            throw CommandFailure(
                .refused, code: "control-exposed", reason: "\(socket) is no socket that this account alone can use: it is not asked")
        }
        guard let url = URL(httpURLWithSocketPath: socket, uri: ControlSocket.path) else { return nil }
        self.url = url.absoluteString
    }

    /// Not through links.
    private static func attributes(_ path: String) -> [FileAttributeKey: Any]? { try? FileManager.default.attributesOfItem(atPath: path) }

    /// Whether nobody but this account and the system's administrator gets at it.
    private static func isOurs(_ path: String) -> Bool {
        guard let attributes = attributes(path), let owner = attributes[.ownerAccountID] as? NSNumber,
            let permissions = attributes[.posixPermissions] as? NSNumber
        else { return false }
        return (owner.uint32Value == geteuid() || geteuid() == 0) && permissions.intValue & 0o077 == 0
    }

    func answer(_ message: ControlMessage) async throws -> StoreAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(message)))
        let answer: HTTPClientResponse
        let body: ByteBuffer
        do {
            answer = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
            body = try await answer.body.collect(upTo: 4 << 20)
        } catch {
            throw CommandFailure(
                .refused, code: "control-unreachable", reason: "a server has the store open, and does not answer: stop it, or start it anew"
            )
        }
        struct Refused: Decodable {
            struct Content: Decodable {
                var code: String
                var reason: String
            }
            var error: Content
        }
        let decoder = JSONDecoder()
        if answer.status == .ok, let known = try? decoder.decode(StoreAnswer.self, from: Data(body.readableBytesView)) { return known }
        guard let refused = try? decoder.decode(Refused.self, from: Data(body.readableBytesView)) else {
            throw CommandFailure(.refused, code: "control-refused", reason: "the server answers in words that this version does not know")
        }
        throw CommandFailure(.refused, code: refused.error.code, reason: refused.error.reason)
    }
}
