import BillfoldStorage
import BillfoldTrace
import Logging
import ServiceLifecycle
import UnionPay

/// Sends notifications when they are due, and again until they are acknowledged, five times at most.
package struct UnionPayGatewayNotifier: Service {
    let database: any Database
    let clock: any WallClock
    let authority: UnionPayGatewayAuthority
    let outgoing: any OutgoingPost
    let tracer: UnionPayGatewayTracer
    let schedule: NotificationSchedule
    let interval: Duration
    let logger: Logger

    /// Runs until the group shuts down.
    package func run() async throws {
        await PartyWork.run(every: interval, logger: logger, failure: "notifications could not be read") {
            try await deliverDue()
        }
    }

    /// Sends what is due now, each once, and returns how many there were.
    @discardableResult
    package func deliverDue() async throws -> Int {
        let due = DueTimes(clock)
        let claimed = try await database.write { try UnionPayGatewayNotificationRecords.claim(due, limit: 16, in: $0) }
        await withTaskGroup(of: Void.self) { group in
            for notification in claimed {
                group.addTask { await OwnTime.of(notification.merchant) { await deliver(notification) } }
            }
        }
        return claimed.count
    }

    private func deliver(_ notification: UnionPayGatewayNotification) async {
        var reply: PostReply?
        var problem: String?
        do {
            var fields = try authority.signer.signed(UnionPayFields(notification.content.fields))
            if notification.content.isCorrupt { fields = UnionPayGatewayFault.corruptingSignature(fields) }
            let body = try FormBody.encode(fields)
            let exchange = tracer.notification(fields, body: body, isCorrupt: notification.content.isCorrupt)
            let began = clock.now()
            do {
                reply = try await outgoing.post(
                    form: body, to: notification.url, exchange: exchange, timeout: NotificationSchedule.answerWithin)
            } catch { problem = "no answer: \(error)" }
            let status = reply?.status
            tracer.acknowledgement(fields, status: status, problem: problem)
            let isAcknowledged = status.map(NotificationSchedule.isAcknowledged) ?? false
            if !isAcknowledged, let status { problem = "the status is \(status), and 200 or 302 is due" }
            let sends = notification.attempt + 1
            let now = clock.now()
            let next = !isAcknowledged && sends < schedule.waits.count ? now.advanced(by: schedule.waits[sends]) : nil
            let attempt = UnionPayGatewayNotification.Attempt(
                at: now, milliseconds: max(0, (now.microseconds - began.microseconds) / 1_000), status: status,
                reply: reply?.body ?? [], reason: isAcknowledged ? nil : reply == nil ? "no-answer" : "wrong-status", note: problem ?? "")
            try await database.write {
                try UnionPayGatewayNotificationRecords.finish(notification, attempt, isAcknowledged: isAcknowledged, next: next, in: $0)
            }
        } catch {
            // The lease ends by itself, and the notification is sent again.
            logger.error("a notification could not be sent", metadata: ["order": "\(notification.order)", "error": "\(error)"])
        }
    }
}
