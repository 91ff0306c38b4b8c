import ApplePayApp
import BillfoldTrace
import Foundation

/// Carries the app's questions to the issuer's host and reports both ways. The session's token stays out of it.
struct TracedIssuer: Sendable {
    private let connection: any MerchantConnection
    private let reporter: PartyReporter
    private let session: String
    private let attempt: @MainActor @Sendable () -> String?

    /// - Parameter attempt: The attempt that is under way, if any.
    init(session: String, surroundings: BankSurroundings, attempt: @escaping @MainActor @Sendable () -> String?) {
        connection = surroundings.issuer
        reporter = surroundings.reporter
        self.session = session
        self.attempt = attempt
    }

    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        var question = question
        let title = question.path.split(separator: "/").last.map(String.init) ?? question.path
        // What belongs to an attempt is told with the attempt alone: a session has several, and each is a story of its own.
        var correlation = [Correlation.bankSession: session]
        if title == "pass-data", let attempt = await attempt() {
            correlation = [Correlation.attempt: attempt]
            question.headers.append((PartyIntake.attemptHeader, attempt))
        }
        let exchange = reporter.report(
            .request, from: .bankApp, to: .issuer, title, correlation: correlation, fields: Self.fields(question.body))
        do {
            let answer = try await Exchange.$reported.withValue(exchange) { [question] in try await connection.send(question) }
            let code = (200...299).contains(answer.status) ? nil : PartyRefusal(answer)?.code ?? "status \(answer.status)"
            reporter.report(
                .response, from: .issuer, to: .bankApp, title, correlation: correlation, fields: Self.fields(answer.body),
                problem: code.map { "refused: \($0)" })
            return answer
        } catch {
            reporter.report(.note, from: .bankApp, to: .bankApp, "\(title): no answer", correlation: correlation, problem: "no answer")
            throw error
        }
    }

    /// A JSON object's members: short text as it is, everything long as its length. Neither has a card number in it.
    private static func fields(_ body: Data?) -> [TraceEntry.Field] {
        guard let body, let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else { return [] }
        return object.sorted { $0.key < $1.key }.map { name, value in
            switch value {
            case let text as String where text.utf8.count <= 48: .init(name, text)
            case let text as String: .init(name, "‹\(text.utf8.count) letters›")
            case let list as [Any]: .init(name, "‹\(list.count)›")
            case let flag as Bool: .init(name, "\(flag)")
            default: .init(name, "‹…›")
            }
        }
    }
}

extension Correlation {
    /// One session of the bank's app at the issuer's host.
    static let bankSession = "provisioning.session"
}
