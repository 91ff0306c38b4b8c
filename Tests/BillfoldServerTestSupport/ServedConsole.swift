import BillfoldDiagnosis
package import BillfoldServer
import Foundation

extension ServerConfiguration {
    /// A console in test mode on loopback: nobody signs in.
    package static let localConsole = ServerConfiguration(consoleListener: .init(name: "console", address: ListenAddress(port: 0)))
    /// A console that believes to be on the network: everybody signs in.
    package static let networkConsole = ServerConfiguration(
        consoleListener: .init(name: "console", address: ListenAddress(host: "0.0.0.0", port: 0), hosts: ["127.0.0.1"]),
        consoleIsBehindTLS: true,
        traceToken: Secret("0123456789abcdef0123456789abcdef"))
}

extension RunningServer {
    /// Serves a console on loopback, wherever it believes to be, for as long as a test's body runs.
    package static func serve(
        _ console: Console, configuration: ServerConfiguration = .localConsole,
        surroundings: ServerSurroundings = RunningServer.surroundings(), body: (RunningServer) async throws -> Void
    ) async throws {
        let router = try console.router(configuration, surroundings: surroundings)
        var listening = configuration.consoleListener
        listening.address = ListenAddress(port: 0)
        try await with([Listener(listening, router: router, logger: surroundings.logger)], surroundings: surroundings, body: body)
    }

    /// The header fields of an operator of ``OperatorFixture`` who signed in at the console: the cookie, and the token for what changes
    /// something.
    package func signIn(_ name: String) async throws -> [(String, String)] {
        let answer = try await Answer.send(
            "POST", url("console", "/api/session"), body: #"{"name":"\#(name)","password":"\#(OperatorFixture.password)"}"#)
        let view = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        guard let cookie = answer.headers["set-cookie"]?.split(separator: ";").first, let token = view?["csrfToken"] as? String else {
            throw NoSession(answer: answer)
        }
        return [("Cookie", String(cookie)), ("X-CSRF-Token", token)]
    }

    /// The console let nobody in.
    private struct NoSession: Error {
        var answer: Answer
    }
}
