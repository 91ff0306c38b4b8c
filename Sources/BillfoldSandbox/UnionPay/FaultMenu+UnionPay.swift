package import BillfoldWeb

extension FaultMenu {
    /// Of the gateway's ``FaultPlan``, what the console offers.
    package static let unionPay = FaultMenu(
        party: "gateway", path: "/api/sandbox/plans", control: "/unionpay/control/plans",
        choices: [
            Choice(
                "request-lost", title: "Drop the message", effect: "The gateway never sees the deduct message.",
                plan: #"{"loss":"request"}"#),
            Choice(
                "reply-lost", title: "Book it and lose the reply", effect: "The money moves and the merchant hears nothing.",
                plan: #"{"loss":"reply"}"#),
            Choice(
                "reply-late", title: "Delay the reply",
                effect: "The answer comes after the time below, perhaps after the merchant gave up.",
                plan: #"{"replyDelayMilliseconds":2000}"#),
            Choice(
                "notification-doubled", title: "Duplicate the notification", effect: "The same signed notification comes twice.",
                plan: #"{"duplicateNotifications":1}"#),
            Choice(
                "notification-early", title: "Reorder", effect: "The notification overtakes the synchronous reply.",
                plan: #"{"notificationBeforeReply":true}"#),
            Choice(
                "late-success", title: "Succeed late", effect: "The state is unknown at first; success follows a minute later.",
                plan: #"{"lateSuccessSeconds":60,"replyCode":"05"}"#),
            Choice(
                "notification-corrupt", title: "Corrupt the signature", effect: "The notification’s signature does not fit.",
                plan: #"{"notification":"corruptSignature"}"#),
            Choice(
                "notification-wrong-amount", title: "Report a wrong amount",
                effect: "The notification is signed well and names another amount.", plan: #"{"notification":"wrongAmount"}"#),
        ], delayKey: "replyDelayMilliseconds")
}
