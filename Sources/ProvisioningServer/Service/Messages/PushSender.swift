package import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldServer
import BillfoldTrace
import HTTPTypes

/// The bank's own sender of pushes: `POST {origin}/push/v1/messages`.
package struct PushSender: CustomerPusher {
    private let http: any HTTPSender
    private let url: String
    private let credential: Secret<String>
    private let timeout: Duration

    private struct Body: Encodable {
        var requestId: String
        var customer: String
        var card: String
        var language: String
        var subject: String
        var text: String
    }

    /// - Parameters:
    ///   - http: Reaches the sender.
    ///   - origin: The sender's, without a slash at its end.
    ///   - credential: What the sender knows us by.
    ///   - timeout: How long it may take to answer.
    package init(http: any HTTPSender, origin: String, credential: Secret<String>, timeout: Duration = .seconds(8)) {
        self.http = http
        url = origin + "/push/v1/messages"
        self.credential = credential
        self.timeout = timeout
    }

    package func send(_ push: CustomerPush) async throws(MessageFailure) -> CustomerPush.Outcome {
        let body: [UInt8]
        do {
            body = try JSONDocument.encode(
                Body(
                    requestId: push.id, customer: push.customer, card: push.card, language: push.language, subject: push.subject,
                    text: push.text))
        } catch {
            throw MessageFailure(reason: "the push cannot be written", mayHaveArrived: false, isTransient: false)
        }
        var headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(credential.reveal())"]
        if let exchange = Exchange.reported, let name = HTTPField.Name(Exchange.headerName) { headers[name] = exchange }
        let answer: OutgoingAnswer
        do throws(SendFailure) {
            answer = try await http.send(
                OutgoingRequest(
                    method: .post, url: url, headers: headers, body: body, destination: .configured, timeout: timeout,
                    maximumAnswerBytes: 65_536))
        } catch {
            throw MessageFailure(reason: "the push sender: \(error.code)", mayHaveArrived: error.mayHaveArrived, isTransient: true)
        }
        if answer.status.kind == .successful { return .taken }
        // A wrong address is answered 404 too: only the sender's own word says that nobody can be reached.
        if answer.status == .notFound, (try? JSONReader.readObject(answer.body))?["error"]?["code"]?.string == "device-unknown" {
            return .noDevice
        }
        let why = ["the push sender answered \(answer.status.code)", Self.word(of: answer)].compactMap(\.self).joined(separator: ": ")
        throw MessageFailure(
            reason: why, mayHaveArrived: MessageAnswer.mayHaveArrived(answer.status), isTransient: MessageAnswer.isTransient(answer.status))
    }

    /// The sender's own code, or Apple's reason where it hands that on, such as `BadDeviceToken`; what is no word is left out.
    private static func word(of answer: OutgoingAnswer) -> String? {
        let body = try? JSONReader.readObject(answer.body)
        guard let word = body?["error"]?["code"]?.string ?? body?["reason"]?.string, (1...64).contains(word.utf8.count),
            word.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d })
        else { return nil }
        return word
    }
}
