import BillfoldPayments
import BillfoldStorage

/// Notifications by the messages that carry them. The first attempt of one that is handed over need not read it back.
final class NotificationRegister: Sendable {
    private let handedOver = Remembered<TimeOrderedID, FrozenNotification>()

    /// Refuses with `corrupt-record`.
    func notification(of message: OutboxMessage) throws(PaymentsError) -> FrozenNotification {
        if let notification = handedOver.take(message.id) { return notification }
        return try FrozenNotification(stored: message.body)
    }

    func remember(_ notification: FrozenNotification, of message: OutboxMessage) { handedOver.keep(notification, for: message.id) }
}
