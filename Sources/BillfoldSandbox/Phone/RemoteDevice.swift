import ApplePayApp
import BillfoldJSON
import Foundation

/// One session of a simulated device across HTTP: what it shows, and what is tapped on it.
struct RemoteDevice<Screen: DeviceScreen & Decodable>: Sendable {
    private let connection: any MerchantConnection
    private let path: String

    /// - Parameters:
    ///   - path: Of the party's sessions, where one is opened with the body.
    ///   - session: Where a screen names its session.
    init(
        _ path: String, opening body: some Encodable, over connection: any MerchantConnection, session: (Screen) -> String
    ) async throws {
        self.connection = connection
        let screen = try await Self.exchange(over: connection, method: "POST", path: path, body: Data(JSONDocument.encode(body)))
        self.path = "\(path)/\(session(screen))"
    }

    /// - Parameters:
    ///   - revision: Waits for a newer screen than this.
    ///   - seconds: How long at most; the party's own limit without it.
    func screen(after revision: Int? = nil, seconds: Int? = nil) async throws -> Screen {
        let query = [revision.map { "after=\($0)" }, seconds.map { "wait=\($0)" }].compactMap { $0 }.joined(separator: "&")
        return try await Self.exchange(over: connection, method: "GET", path: query.isEmpty ? path : "\(path)?\(query)", body: nil)
    }

    func tap(_ tap: some Encodable) async throws -> Screen {
        try await Self.exchange(over: connection, method: "POST", path: "\(path)/taps", body: Data(JSONDocument.encode(tap)))
    }

    private static func exchange(
        over connection: any MerchantConnection, method: String, path: String, body: Data?
    ) async throws -> Screen {
        let headers = body == nil ? [] : [(name: "Content-Type", value: "application/json")]
        let answer = try await connection.send(HTTPQuestion(method: method, path: path, headers: headers, body: body))
        guard (200...299).contains(answer.status), let screen = try? JSONDecoder().decode(Screen.self, from: answer.body) else {
            throw SandboxRefusal(code: "phone-refused", reason: "the phone answered \(answer.status)", status: answer.status)
        }
        return screen
    }
}
