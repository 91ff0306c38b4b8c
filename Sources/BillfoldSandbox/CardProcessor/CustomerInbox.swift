import Synchronization

/// What customers received: texts, e-mails, calls and pushes. It is held in memory only, because messages carry codes.
final class CustomerInbox: Sendable {
    struct Message: Sendable, Codable {
        /// Its sender's name for it: a message that is sent again is not delivered again.
        var id: String
        /// Milliseconds since 1970.
        var at: Int64
        var customer: String
        var contact: String
        /// Absent for a contact that the bank brought in itself.
        var type: CardContact.Kind?
        /// Masked, or the bank's own name for the contact.
        var to: String
        var text: String
    }

    private static let bound = 2_000
    private let messages = Mutex<[Message]>([])

    /// Whether the message was not there yet.
    func deliver(_ message: Message) -> Bool {
        messages.withLock { messages in
            guard !messages.contains(where: { $0.id == message.id }) else { return false }
            messages.append(message)
            if messages.count > Self.bound { messages.removeFirst() }
            return true
        }
    }

    /// Oldest first.
    func messages(of customer: String) -> [Message] { messages.withLock { $0.filter { $0.customer == customer } } }
}
