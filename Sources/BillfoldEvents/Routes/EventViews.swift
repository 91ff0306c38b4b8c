import BillfoldPayments
import BillfoldStorage

/// The JSON of answers about endpoints and deliveries.
struct EndpointView: Encodable {
    struct Key: Encodable {
        var id: String
        /// Until when messages are signed by it; of the newest key there is no end.
        var until: String?
    }

    var id: String
    var url: String
    /// Empty for all.
    var events: [String]
    var description: String
    var enabled: Bool
    /// Why it is not: `disabled` by its owner, or `gone` as it said itself.
    var stopped: String?
    /// The newest first.
    var keys: [Key]
    var createdAt: String
    /// Told once: when the endpoint or its key is made.
    var secret: String?

    init(_ endpoint: WebhookEndpoint, at now: Timestamp, secret: String? = nil) {
        id = endpoint.name
        url = endpoint.url
        events = endpoint.types.map(\.rawValue).sorted()
        description = endpoint.note
        enabled = endpoint.stop == nil
        stopped = endpoint.stop?.rawValue
        keys = endpoint.keys(at: now).map { key in
            Key(id: WebhookEndpoint.name(ofKey: key), until: key == endpoint.key ? nil : endpoint.earlier?.until.rfc3339)
        }
        createdAt = endpoint.createdAt.rfc3339
        self.secret = secret
    }
}

struct EndpointsView: Encodable {
    var endpoints: [EndpointView]
}

/// How an event was told.
struct DeliveriesView: Encodable {
    struct Attempt: Encodable {
        var number: Int64
        var at: String
        var status: Int64?
        var milliseconds: Int64?
        /// Why it did not count: a word, and the same for people.
        var reason: String?
        var note: String?
        /// The first bytes of the answer's body.
        var reply: String?
    }

    struct Delivery: Encodable {
        var id: String
        var endpoint: String
        /// `held`, `waiting`, `delivered`, `given-up` or `withdrawn`.
        var state: String
        var createdAt: String
        var deliveredAt: String?
        var nextAttempt: String?
        /// The event whose delivery has to end before this one begins.
        var behind: String?
        var attempts: [Attempt]
    }

    var deliveries: [Delivery]

    init(_ log: [LoggedDelivery]) {
        deliveries = log.map { logged in
            Delivery(
                id: logged.delivery.id.description, endpoint: WebhookEndpoint.name(of: logged.delivery.endpoint),
                state: Self.word(logged.delivery.state), createdAt: logged.delivery.createdAt.rfc3339,
                deliveredAt: logged.delivery.settledAt?.rfc3339, nextAttempt: logged.nextAttempt?.rfc3339,
                behind: logged.behind.map(Event.name(of:)),
                attempts: logged.attempts.map(Self.attempt))
        }
    }

    private static func attempt(_ attempt: DeliveryRecords.Attempt) -> Attempt {
        Attempt(
            number: attempt.number, at: attempt.at.rfc3339, status: attempt.status,
            milliseconds: attempt.took.map { $0.components.seconds * 1_000 + $0.components.attoseconds / 1_000_000_000_000_000 },
            reason: attempt.reason?.rawValue, note: attempt.note.isEmpty ? nil : attempt.note,
            reply: attempt.reply.isEmpty ? nil : String(decoding: attempt.reply, as: UTF8.self))
    }

    private static func word(_ state: WebhookDelivery.State) -> String {
        switch state {
        case .held: "held"
        case .waiting: "waiting"
        case .settled: "delivered"
        case .parked: "given-up"
        case .withdrawn: "withdrawn"
        }
    }
}
