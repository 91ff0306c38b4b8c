import Foundation

/// What the plug-in and UnionPay say to each other about one order that is paid by Apple Pay. [I]
struct SheetExchange: Sendable {
    /// Why there is no answer to go on with.
    enum Failure: Error, Hashable {
        /// UnionPay refused: nothing was taken.
        case refused(String?)
        /// Nobody knows.
        case unanswered
    }

    struct Facts: Decodable, Hashable {
        enum State: String, Decodable { case open, paid, over }

        var number: String?
        /// Major units with both digits, as `20.00`.
        var amount: String
        var currency: String
        var description: String?
        var state: State
        /// What the customer reads where it cannot be paid.
        var text: String?
    }

    private struct Verdict: Decodable {
        var word: String
        var text: String?
    }

    private struct Payment: Encodable {
        var mode: String
        var merchantIdentifier: String
        var paymentData: Data
    }

    private struct Refusal: Decodable {
        struct Detail: Decodable { var reason: String }
        var error: Detail
    }

    let connection: PluginConnection
    let order: PluginOrder

    func facts() async throws(Failure) -> Facts {
        try await ask(PluginQuestion(path: "/\(order.segment)/order?mode=\(order.mode.rawValue)"))
    }

    /// Sends the token, which is good for this order and for one payment of it.
    func pay(_ paymentData: Data) async throws(Failure) -> PluginEnd {
        let payment = Payment(
            mode: order.mode.rawValue, merchantIdentifier: order.merchantIdentifier ?? "", paymentData: paymentData)
        guard let body = try? JSONEncoder().encode(payment) else { throw .unanswered }
        let verdict: Verdict = try await ask(
            PluginQuestion(method: "POST", path: "/\(order.segment)/apple-pay", contentType: "application/json", body: body))
        switch PluginWord(rawValue: verdict.word) {
        case .success: return .success()
        case .fail: return .failure(verdict.text)
        // No word for a token.
        case .cancel, nil: throw .unanswered
        }
    }

    private func ask<Answer: Decodable>(_ question: PluginQuestion) async throws(Failure) -> Answer {
        let answer: PluginAnswer
        do { answer = try await connection(question) } catch { throw .unanswered }
        switch answer.status {
        case 200:
            guard let read = try? JSONDecoder().decode(Answer.self, from: answer.body) else { throw .unanswered }
            return read
        case 400, 404, 413, 422: throw .refused((try? JSONDecoder().decode(Refusal.self, from: answer.body))?.error.reason)
        default: throw .unanswered
        }
    }
}
