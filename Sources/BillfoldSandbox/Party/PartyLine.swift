import ApplePayApp
import BillfoldJSON
import BillfoldTrace
import Foundation

/// How one party asks another: JSON over HTTP, reported to the trace by whoever asks.
struct PartyLine: Sendable {
    let from: Party
    let to: Party
    let connection: any MerchantConnection
    let reporter: PartyReporter

    /// A text as a part of an address: everything but letters, digits and `-._~` is escaped.
    static func encoded(_ text: String) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    /// Asks, and reports question and answer. Throws `no-answer` when none came.
    ///
    /// - Parameters:
    ///   - fields: What the trace shows of the question: masked, and no code.
    ///   - answered: What it shows of the answer.
    func ask(
        _ method: String, _ path: String, title: String, credential: String? = nil, body: (some Encodable)? = String?.none,
        correlation: [String: String], fields: [TraceEntry.Field] = [], answered: (HTTPAnswer) -> [TraceEntry.Field] = { _ in [] }
    ) async throws -> HTTPAnswer {
        try await ask(
            method, path, title: title, credential: credential, raw: try body.map { try Data(JSONDocument.encode($0)) },
            correlation: correlation, fields: fields, answered: answered)
    }

    /// The same with a body that is JSON already.
    ///
    /// - Parameters:
    ///   - data: The body; nil for none.
    ///   - fields: What the trace shows of the question: masked, and no code.
    ///   - answered: What it shows of the answer.
    func ask(
        _ method: String, _ path: String, title: String, credential: String? = nil, raw data: Data?,
        correlation: [String: String], fields: [TraceEntry.Field] = [], answered: (HTTPAnswer) -> [TraceEntry.Field] = { _ in [] }
    ) async throws -> HTTPAnswer {
        var headers: [(name: String, value: String)] = []
        if let credential { headers.append(("Authorization", "Bearer \(credential)")) }
        if let attempt = correlation[Correlation.attempt] { headers.append((PartyIntake.attemptHeader, attempt)) }
        if data != nil { headers.append(("Content-Type", "application/json")) }
        let exchange = reporter.report(.request, from: from, to: to, title, correlation: correlation, fields: fields)
        do {
            let answer = try await Exchange.$reported.withValue(exchange) {
                try await connection.send(HTTPQuestion(method: method, path: path, headers: headers, body: data))
            }
            let problem = answer.status < 300 ? nil : PartyRefusal(answer).map { "\($0.code): \($0.reason)" } ?? "status \(answer.status)"
            reporter.report(
                .response, from: to, to: from, title, correlation: correlation,
                fields: [.init("status", String(answer.status))] + answered(answer), problem: problem)
            return answer
        } catch {
            reporter.report(.note, from: from, to: from, "\(title): no answer", correlation: correlation, problem: "no answer")
            throw SandboxError(code: .noAnswer, reason: "\(to.rawValue) did not answer")
        }
    }
}

/// What another party said with `{"error":{"code","reason"}}`.
struct PartyRefusal: Decodable {
    private struct Whole: Decodable {
        var error: PartyRefusal
    }
    var code: String
    var reason: String

    init?(_ answer: HTTPAnswer) {
        guard let whole = try? JSONDecoder().decode(Whole.self, from: answer.body) else { return nil }
        self = whole.error
    }
}
