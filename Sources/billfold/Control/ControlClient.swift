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
        let exposure =
            Self.exposure(of: folder)
            ?? (type == .typeSocket || type == .typeSymbolicLink ? Self.exposure(of: socket) : "\(socket) is no socket: move it away")
        if let exposure {
            throw CommandFailure(
                .refused, code: "control-exposed", reason: "the server is not asked, for somebody else might hear: \(exposure)")
        }
        guard let url = URL(httpURLWithSocketPath: socket, uri: ControlSocket.path) else { return nil }
        self.url = url.absoluteString
    }

    /// Not through links.
    private static func attributes(_ path: String) -> [FileAttributeKey: Any]? { try? FileManager.default.attributesOfItem(atPath: path) }

    /// How somebody else than this account and the system's administrator gets at it, and what to do; nil where nobody does.
    private static func exposure(of path: String) -> String? {
        guard let attributes = attributes(path), let owner = attributes[.ownerAccountID] as? NSNumber,
            let permissions = attributes[.posixPermissions] as? NSNumber
        else { return "\(path) cannot be looked at" }
        if attributes[.type] as? FileAttributeType == .typeSymbolicLink {
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return "\(path) is a link, which can be turned to another server's. Name the data folder itself: --data "
                + (path.hasSuffix("/" + ControlSocket.fileName) ? URL(fileURLWithPath: target).deletingLastPathComponent().path : target)
        }
        guard owner.uint32Value == geteuid() || geteuid() == 0 else {
            return "\(path) belongs to the account \(owner), and this one is \(geteuid()). Run the command as the account that serves"
        }
        guard permissions.intValue & 0o077 == 0 else {
            let mode = String(permissions.intValue & 0o7777, radix: 8)
            return "\(path) has mode \(mode), so that other accounts can use it: chmod go= \(path)"
        }
        return nil
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
