package import BillfoldPayments
package import BillfoldStorage

/// An address of an owner's at which it is told of events.
package struct WebhookEndpoint: Sendable, Hashable {
    /// Why nothing is sent.
    package enum Stop: String, Sendable, Hashable {
        /// Its owner wants it so.
        case byOwner = "disabled"
        /// It answered that it is gone.
        case gone
    }

    /// A key by which messages are signed until an instant.
    package struct Key: Sendable, Hashable {
        /// The key itself is made of this id, and stands nowhere.
        package var id: TimeOrderedID
        package var until: Timestamp
    }

    /// How the last attempt to tell it anything ended.
    package struct Answer: Sendable, Hashable {
        package var at: Timestamp
        /// Of HTTP; `nil` where there was no answer.
        package var status: Int64?
        /// Why it did not count; `nil` where it did.
        package var reason: DeliveryRecords.Reason?
        /// The same in words; empty where it did.
        package var note: String

        package init(at: Timestamp, status: Int64?, reason: DeliveryRecords.Reason?, note: String) {
            (self.at, self.status, self.reason, self.note) = (at, status, reason, note)
        }
    }

    package var owner: MerchantID
    package var id: TimeOrderedID
    package var url: String
    /// What it is told of; everything where it is empty.
    package var types: Set<EventType>
    package var note: String
    /// `nil` while it is told.
    package var stop: Stop?
    /// The key by which messages are signed from now on.
    package var key: TimeOrderedID
    /// The key before it, while messages are signed by both.
    package var earlier: Key?
    package var createdAt: Timestamp
    /// `nil` before the first attempt. It is noted by ``WebhookEndpointRecords`` alone.
    package var last: Answer?

    /// The id as others know it.
    package var name: String { Self.name(of: id) }

    /// The name of an endpoint's id.
    package static func name(of id: TimeOrderedID) -> String { prefix + id.description }

    /// The id of such a name; `nil` for a text that is none.
    package static func id(named name: String) -> TimeOrderedID? {
        name.hasPrefix(prefix) ? try? TimeOrderedID(text: name.dropFirst(prefix.count)) : nil
    }

    private static let prefix = "whe_"

    /// A key's id as others know it.
    package static func name(ofKey key: TimeOrderedID) -> String { "whk_\(key)" }

    /// Whether it is told of events of the type.
    package func wants(_ type: EventType) -> Bool { stop == nil && (types.isEmpty || types.contains(type)) }

    /// The keys by which a message is signed at an instant, the newest first.
    package func keys(at now: Timestamp) -> [TimeOrderedID] {
        [key] + (earlier.map { now < $0.until ? [$0.id] : [] } ?? [])
    }
}
