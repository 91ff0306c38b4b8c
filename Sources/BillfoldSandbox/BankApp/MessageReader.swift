import ApplePayApp
import Foundation

/// What a customer was sent.
package protocol MessageReader: Sendable {
    /// Oldest first.
    func messages(of customer: String) async throws -> [BankScreen.Message]
}

/// The messages as the card processor shows them on this machine.
package struct HTTPMessageReader: MessageReader {
    private let processor: any MerchantConnection

    package init(processor: any MerchantConnection) { self.processor = processor }

    private struct Answer: Decodable {
        struct Message: Decodable {
            var id: String
            var at: Int64
            var type: String?
            var to: String
            var text: String
        }
        var messages: [Message]
    }

    package func messages(of customer: String) async throws -> [BankScreen.Message] {
        let name = PartyLine.encoded(customer)
        let answer = try await processor.send(HTTPQuestion(method: "GET", path: "/processor/v1/inbox?customer=\(name)", headers: []))
        guard answer.status == 200 else {
            throw SandboxRefusal(code: "inbox-refused", reason: "the messages cannot be read now", status: 502)
        }
        return try JSONDecoder().decode(Answer.self, from: answer.body).messages.map { message in
            .init(
                id: message.id, channel: message.type.map { Self.channels[$0] ?? $0 } ?? "Message", to: message.to, text: message.text,
                at: message.at)
        }
    }

    private static let channels = [
        "TEXT_TO_CARDHOLDER_NUMBER": "SMS", "EMAIL_TO_CARDHOLDER_ADDRESS": "E-mail", "CARDHOLDER_TO_CALL_AUTOMATED_NUMBER": "Call",
        "CARDHOLDER_TO_USE_MOBILE_APP": "App",
    ]
}
