import ApplePayApp
import Foundation

/// A phone session across HTTP.
public struct RemotePhone: ShoppersPhone {
    private let connection: any MerchantConnection
    private let session: String

    /// Opens a session at the origin that the connection leads to.
    public init(opening model: PhoneModel, lines: [CartLine], over connection: any MerchantConnection) async throws {
        let body = try SandboxBody.encode(PhoneRoutes.Opening(model: model, lines: lines))
        let screen = try await Self.exchange(connection, "POST", "/phone/sessions", body)
        self = RemotePhone(connection, screen.session)
    }

    private init(_ connection: any MerchantConnection, _ session: String) {
        self.connection = connection
        self.session = session
    }

    public func screen(after revision: Int?) async throws -> PhoneScreen {
        try await Self.exchange(connection, "GET", "/phone/sessions/\(session)" + (revision.map { "?after=\($0)" } ?? ""), nil)
    }

    public func tap(_ tap: PhoneTap) async throws -> PhoneScreen {
        try await Self.exchange(connection, "POST", "/phone/sessions/\(session)/taps", SandboxBody.encode(tap))
    }

    private static func exchange(
        _ connection: any MerchantConnection, _ method: String, _ path: String, _ body: Data?
    ) async throws -> PhoneScreen {
        let headers = body == nil ? [] : [(name: "Content-Type", value: "application/json")]
        let answer = try await connection.send(HTTPQuestion(method: method, path: path, headers: headers, body: body))
        guard (200...299).contains(answer.status), let screen = try? JSONDecoder().decode(PhoneScreen.self, from: answer.body) else {
            throw SandboxRefusal(code: "phone-refused", reason: "the phone answered \(answer.status)", status: answer.status)
        }
        return screen
    }
}
