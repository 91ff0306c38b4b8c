import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import UnionPay

/// Posts a form to the acquirer and tells apart what was not sent from what was not answered.
struct UnionPayConnection: Sendable {
    enum Answer: Sendable {
        /// The reply's fields. Nothing of them is believed yet.
        case fields(UnionPayFields)
        /// Certainly not received: nothing happened at the acquirer.
        case notSent(String)
        /// Received or not, nobody knows.
        case silent(String)
    }

    let http: any HTTPSender
    let timeout: Duration
    let trace: MessageTrace
    let metrics: CardPaymentsMetrics

    func post(
        _ message: SignedMessage, to url: String, title: String, about: [String: String], maximumAnswerBytes: Int = 1_048_576
    ) async -> Answer {
        let name = trace.message(
            title, .request, from: MessageTrace.merchant, to: MessageTrace.unionPay, fields: message.fields, about: about)
        var headers = trace.naming(name)
        headers[.contentType] = "application/x-www-form-urlencoded; charset=UTF-8"
        let answer: Answer
        do throws(SendFailure) {
            answer = Answer(
                try await http.send(
                    OutgoingRequest(
                        method: .post, url: url, headers: headers, body: message.body, destination: .configured, timeout: timeout,
                        maximumAnswerBytes: maximumAnswerBytes)))
        } catch {
            answer = error.mayHaveArrived ? .silent("no answer: \(error.code)") : .notSent("not sent: \(error.code)")
        }
        switch answer {
        case .fields(let fields):
            metrics.acquirerAnswer(title, fields["respCode"] ?? "none")
            trace.message(title, .response, from: MessageTrace.unionPay, to: MessageTrace.merchant, fields: fields, about: about)
        case .notSent(let reason), .silent(let reason):
            metrics.acquirerAnswer(title, "no-answer")
            trace.message(
                title, .response, from: MessageTrace.unionPay, to: MessageTrace.merchant, fields: nil, about: about, problem: reason)
        }
        return answer
    }
}

extension UnionPayConnection.Answer {
    /// What came back. What cannot be read is no answer.
    fileprivate init(_ answer: OutgoingAnswer) {
        guard answer.status == .ok else {
            self = .silent("the acquirer answered \(answer.status.code)")
            return
        }
        do throws(UnionPayError) {
            self = .fields(try ReplyBody.decode(answer.body))
        } catch {
            self = .silent("the reply cannot be read: \(error.code)")
        }
    }
}
