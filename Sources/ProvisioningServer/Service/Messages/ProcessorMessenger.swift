package import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldServer
import BillfoldTrace
import HTTPTypes

/// Sends messages through the bank's card processor: `POST {processor}/processor/v1/messages`.
package struct ProcessorMessenger: CustomerMessenger {
    private let http: any HTTPSender
    private let url: String
    private let credential: Secret<String>
    private let timeout: Duration

    private struct Body: Encodable {
        var requestId: String
        var customer: String
        var contact: String
        var text: String
    }

    /// - Parameters:
    ///   - http: Reaches the processor.
    ///   - origin: The processor's, without a slash at its end.
    ///   - credential: What the processor knows us by.
    ///   - timeout: How long the processor may take to answer.
    package init(http: any HTTPSender, origin: String, credential: Secret<String>, timeout: Duration = .seconds(8)) {
        self.http = http
        url = origin + "/processor/v1/messages"
        self.credential = credential
        self.timeout = timeout
    }

    package func send(_ message: CustomerMessage) async throws(MessageFailure) {
        let body: [UInt8]
        do {
            body = try JSONDocument.encode(
                Body(requestId: message.id, customer: message.customer, contact: message.contact, text: message.text.reveal()))
        } catch {
            throw MessageFailure(reason: "the message cannot be written", mayHaveArrived: false, isTransient: false)
        }
        var headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(credential.reveal())"]
        if let exchange = Exchange.reported, let name = HTTPField.Name(Exchange.headerName) { headers[name] = exchange }
        let answer: OutgoingAnswer
        do throws(SendFailure) {
            answer = try await http.send(
                OutgoingRequest(
                    method: .post, url: url, headers: headers, body: body,
                    destination: .configured, timeout: timeout, maximumAnswerBytes: 65_536))
        } catch {
            throw MessageFailure(reason: "the processor: \(error.code)", mayHaveArrived: error.mayHaveArrived, isTransient: true)
        }
        guard answer.status.kind != .successful else { return }
        throw MessageFailure(
            reason: "the processor answered \(answer.status.code)", mayHaveArrived: MessageAnswer.mayHaveArrived(answer.status),
            isTransient: MessageAnswer.isTransient(answer.status))
    }
}
