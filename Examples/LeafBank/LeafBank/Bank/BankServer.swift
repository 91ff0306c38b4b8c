import ApplePayApp
import BillfoldDiagnosis
import Foundation

/// The bank's servers over HTTP: its own, which knows the customer, and the issuer's host, which takes that server's word for it.
struct BankServer: Sendable {
    private struct LogIn: Encodable {
        var customer: String
        var device: String
    }

    private struct Session: Decodable { var token: String }

    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// Logs a customer in. A bank asks for more than a name: the example has one customer's name for each button.
    func logIn(_ customer: String, on device: String) async throws -> HTTPIssuerServer {
        let question = HTTPQuestion(
            method: "POST", path: "/log-in", headers: [(name: "Content-Type", value: "application/json")],
            body: try JSONEncoder().encode(LogIn(customer: customer, device: device)))
        let answer = try await Self.send(question, to: settings.bank)
        guard answer.status == 201 else { throw URLError(.userAuthenticationRequired) }
        let session = try JSONDecoder().decode(Session.self, from: answer.body)
        let host = settings.issuer
        return HTTPIssuerServer(session: Secret(session.token)) { try await Self.send($0, to: host) }
    }

    /// Throws where no answer came.
    private static func send(_ question: HTTPQuestion, to base: URL) async throws -> HTTPAnswer {
        guard let url = URL(string: question.path, relativeTo: base) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.httpMethod = question.method
        request.httpBody = question.body
        for (name, value) in question.headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode else { throw URLError(.badServerResponse) }
        return HTTPAnswer(status: status, body: body)
    }
}
