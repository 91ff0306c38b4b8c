import BillfoldDiagnosis
import Foundation

/// One request of the app and its answer, with the bearer of whoever asks and the contract's form of a refusal.
struct HTTPExchange: Sendable {
    /// Throws when no answer came; every status is an answer.
    let send: @Sendable (HTTPQuestion) async throws -> HTTPAnswer
    /// As reasons name it.
    let server: String
    /// Client errors that decide nothing, such as "slow down".
    let undecided: Set<Int>

    func callAsFunction(
        _ method: String, _ path: String, bearer: Secret<String>, headers: [(name: String, value: String)] = [], body: Data? = nil
    ) async throws(ApplePayAppError) -> Data {
        var all = headers
        all.append((name: "Authorization", value: "Bearer \(bearer.reveal())"))
        all.append((name: "Accept", value: "application/json"))
        if body != nil { all.append((name: "Content-Type", value: "application/json")) }
        let answer: HTTPAnswer
        do {
            answer = try await send(HTTPQuestion(method: method, path: path, headers: all, body: body))
        } catch {
            throw ApplePayAppError(code: .serverUnanswered, reason: "no answer from \(server)")
        }
        guard !(200...299).contains(answer.status) else { return answer.body }
        throw refusal(answer)
    }

    /// A client error decides; a server error does not.
    private func refusal(_ answer: HTTPAnswer) -> ApplePayAppError {
        let body = try? JSONDecoder().decode(ErrorBody.self, from: answer.body)
        let code = body?.error.code
        guard (400...499).contains(answer.status), !undecided.contains(answer.status) else {
            return ApplePayAppError(code: .serverUnanswered, reason: "the server answered \(answer.status)", serverCode: code)
        }
        return ApplePayAppError(
            code: .serverRefused, reason: body?.error.reason ?? "the server answered \(answer.status)", serverCode: code)
    }

    /// An identifier as one segment of a path, whatever characters it has.
    static func segment(_ identifier: String) -> String {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
        return identifier.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    static func body(_ value: some Encodable) throws(ApplePayAppError) -> Data {
        let encoder = JSONEncoder()
        // The server compares a repeated request with the first: the same value must give the same bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(value) } catch {
            throw ApplePayAppError(code: .answerMalformed, reason: "the request cannot be written as JSON")
        }
    }

    private struct ErrorBody: Decodable {
        struct Detail: Decodable {
            var code: String
            var reason: String?
        }
        var error: Detail
    }
}
