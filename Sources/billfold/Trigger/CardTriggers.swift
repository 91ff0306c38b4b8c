import AsyncHTTPClient
import BillfoldJSON
import BillfoldSandbox
import Foundation
import NIOHTTP1

/// What can happen to a card payment: the played customer pays in the played shop, and the acquirer does what its plan says.
enum CardTriggers {
    /// What the acquirer does, and where that leaves the payment.
    private struct Course: Sendable {
        var name: String
        var what: String
        /// A fault plan of the acquirer for the next order.
        var plan = "{}"
        var states: Set<String>
        var alarm = false
        /// Whether it comes about by an order's number too, which a merchant with a key of its own is paid by.
        var takesKey = true
    }

    /// How often the acquirer says that it does not know yet: longer than a developer looks.
    private static let undecided = Array(repeating: #""05""#, count: 100).joined(separator: ",")

    private static let courses = [
        Course(name: "payment.succeeded", what: "a card payment is taken", states: ["succeeded"]),
        Course(
            name: "payment.failed", what: "the acquirer declines (reply code 61)", plan: #"{"replyCode":"61"}"#, states: ["failed"]),
        Course(
            name: "payment.unknown", what: "the reply is lost, and the acquirer does not know either",
            plan: #"{"loss":"reply","notification":"never","queryCodes":[\#(undecided)]}"#, states: ["unknown"]),
        Course(
            name: "payment.reply-lost", what: "the reply is lost, and a question finds the money taken",
            plan: #"{"loss":"reply","notification":"never"}"#, states: ["succeeded"], takesKey: false),
        Course(
            name: "payment.late-success", what: "not known at first; a success follows when the clock is a minute on",
            plan: #"{"replyCode":"05","lateSuccessSeconds":60}"#, states: ["unknown", "accepted", "submitted"], takesKey: false),
        Course(
            name: "payment.notification-doubled", what: "taken, and notified three times", plan: #"{"duplicateNotifications":2}"#,
            states: ["succeeded"]),
        Course(
            name: "payment.notification-corrupt", what: "taken, and notified with a damaged signature",
            plan: #"{"notification":"corruptSignature"}"#, states: ["succeeded"]),
        Course(
            name: "alarm.raised", what: "the acquirer notifies another amount: a person is called",
            plan: #"{"notification":"wrongAmount"}"#, states: ["succeeded", "accepted", "unknown", "submitted"], alarm: true),
    ]

    static let all: [Trigger] =
        courses.map { course in
            Trigger(course.name, course.what, key: course.takesKey ? .merchants : nil) { place in told(try await pay(course, at: place)) }
        } + [
            Trigger("payment.partly_refunded", "a card payment is taken, and a part goes back", key: .merchants) {
                try await undo(.refund("10.00"), to: ["partlyRefunded"], at: $0)
            },
            Trigger("payment.refunded", "a card payment is taken, and all of it goes back", key: .merchants) {
                try await undo(.refund(nil), to: ["refunded"], at: $0)
            },
            Trigger("refund.succeeded", "the same as payment.partly_refunded: the refund's own event", key: .merchants) {
                try await undo(.refund("10.00"), to: ["partlyRefunded"], at: $0)
            },
            Trigger("refund.unknown", "a card payment is taken, and nobody knows what became of its refund") {
                try await undo(
                    .refund("10.00"), plan: #"{"loss":"reply","notification":"never","queryCodes":[\#(undecided)]}"#,
                    to: ["succeeded", "partlyRefunded"], modification: ["unknown", "accepted", "submitted"], at: $0)
            },
            Trigger("payment.reversed", "a card payment is taken, and undone as a whole on the same day", key: .merchants) {
                try await undo(.cancellation, to: ["reversed"], at: $0)
            },
        ]

    private static func told(_ payment: MerchantPayment, _ modification: MerchantPayment.Modification? = nil) -> Trigger.Outcome {
        var text = "payment \(payment.id) of order \(payment.order) is \(payment.state)"
        if let alarm = payment.alarm { text += ", alarm \(alarm)" }
        if let modification { text += "; \(modification.kind) \(modification.id) of \(modification.amount) is \(modification.state)" }
        var facts = [("payment", payment.id), ("order", payment.order), ("state", payment.state)]
        if let modification { facts += [(modification.kind, modification.id), ("\(modification.kind)State", modification.state)] }
        return .init(text: text, facts: facts)
    }

    // MARK: Paying

    /// The payment as soon as it is where the course leads: the customer's phone may look at the shop for longer.
    private static func pay(_ course: Course, at place: TriggerPlace) async throws -> MerchantPayment {
        guard !place.isOwn else {
            let order = try await NumberPayment(place: place).pay(plan: course.plan)
            return try await place.until("the payment's state") { try await payment(of: order, course, at: place) }
        }
        let lines = [CartLine(product: "field-guide", quantity: 1)]
        let script = ShopperScript(lines: lines, card: "unionpay-credit", pin: "123456")
        let connection = HTTPMerchantConnection(origin: try place.addresses.sandboxOrigin(), client: .shared, limitSeconds: 60)
        try await place.plan(course.plan, for: "next")
        do {
            let phone = try await RemotePhone(opening: script.model, lines: lines, over: connection)
            return try await withThrowingTaskGroup(of: MerchantPayment?.self) { group in
                group.addTask {
                    _ = try await script.run(on: phone)
                    return nil
                }
                group.addTask { try await payment(on: phone, course, at: place) }
                defer { group.cancelAll() }
                while let ended = try await group.next() {
                    if let payment = ended { return payment }
                }
                throw CommandFailure(.refused, code: "not-reached", reason: "the payment's state did not come about")
            }
        } catch let refusal as SandboxRefusal {
            throw CommandFailure(.refused, code: refusal.code, reason: refusal.reason)
        }
    }

    private static func payment(on phone: RemotePhone, _ course: Course, at place: TriggerPlace) async throws -> MerchantPayment {
        try await place.until("the payment's state") {
            guard let order = try await phone.screen(after: nil).order?.id else { return nil }
            return try await payment(of: order, course, at: place)
        }
    }

    /// The order's payment, once it is where the course leads.
    private static func payment(of order: String, _ course: Course, at place: TriggerPlace) async throws -> MerchantPayment? {
        let server = try place.addresses.origin(of: .cardPayments)
        let payment = try await MerchantBooks.read(from: server, key: place.apiKey).payments.first { $0.order == order }
        guard let payment, course.states.contains(payment.state), !course.alarm || payment.alarm != nil else { return nil }
        return payment
    }

    // MARK: Undoing

    private enum Undoing: Sendable {
        /// An amount, or all of it.
        case refund(String?)
        case cancellation
    }

    private static func undo(
        _ undoing: Undoing, plan text: String = "{}", to states: Set<String>, modification wanted: Set<String> = ["succeeded"],
        at place: TriggerPlace
    ) async throws -> Trigger.Outcome {
        let paid = try await pay(courses[0], at: place)
        try await place.plan(text, for: "next")
        let url = try place.addresses.origin(of: .cardPayments) + "/v1/payments/\(paid.id)"
        let headers: HTTPHeaders = ["Idempotency-Key": "trigger-\(SystemRandomness.name())"]
        let answer: JSONObject
        switch undoing {
        case .refund(let amount):
            answer = try await LocalClient.send(
                .POST, url + "/refunds", key: place.apiKey, headers: headers,
                object: JSONObject([.init("amount", .string(amount ?? paid.amount)), .init("reason", "asked for by trigger")]))
        case .cancellation:
            answer = try await LocalClient.send(.POST, url + "/cancellation", key: place.apiKey, headers: headers, object: JSONObject())
        }
        let id = answer["id"]?.string
        return try await place.until("the payment's state") {
            let payment = try await TourClient.get(url, key: place.apiKey).read(MerchantPayment.self)
            guard let modification = payment.modifications.first(where: { $0.id == id }), wanted.contains(modification.state),
                states.contains(payment.state)
            else { return nil }
            return told(payment, modification)
        }
    }
}
