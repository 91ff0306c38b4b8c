import BillfoldJSON
package import BillfoldPayments
package import BillfoldStorage
import Foundation

/// Something that has happened to an object of an owner's: stored with the change itself, and never changed.
package struct Event: Sendable, Hashable {
    /// What it happened to.
    package struct Subject: Sendable, Hashable {
        /// The field's own word: `payment`, `refund`, `token`. It has no colon.
        package var kind: String
        /// As the server's interface names the object.
        package var id: String

        package init(_ kind: String, id: String) { (self.kind, self.id) = (kind, id) }

        /// Both in one text, as rows have it.
        var key: String { "\(kind):\(id)" }

        init?(key: String) {
            guard let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            (kind, id) = (String(key[..<colon]), String(key[key.utf8.index(after: colon)...]))
        }
    }

    package var owner: MerchantID
    package var id: TimeOrderedID
    package var type: EventType
    package var object: Subject
    /// Counts the object's events from 1, without gaps.
    package var sequence: Int64
    /// Never before that of the object's event before it.
    package var at: Timestamp
    /// A JSON object: what the server's interface said of the object when this had happened.
    package var data: [UInt8]

    /// The id as others know it, which is stable over all attempts to deliver.
    package var name: String { Self.name(of: id) }

    /// The name of an event's id.
    package static func name(of id: TimeOrderedID) -> String { prefix + id.description }

    /// The id of such a name; `nil` for a text that is none.
    package static func id(named name: String) -> TimeOrderedID? {
        name.hasPrefix(prefix) ? try? TimeOrderedID(text: name.dropFirst(prefix.count)) : nil
    }

    private static let prefix = "evt_"

    /// The event as JSON, as it is fetched and as it is sent: the same bytes whenever it is asked for.
    package var document: [UInt8] {
        get throws {
            struct Head: Encodable {
                struct Named: Encodable { var kind, id: String }
                var id: String
                var object: Named
                var sequence: Int64
                var timestamp: String
                var type: String
            }
            let head = try JSONDocument.encode(
                Head(
                    id: name, object: .init(kind: object.kind, id: object.id), sequence: sequence, timestamp: at.rfc3339,
                    type: type.rawValue))
            // The data is JSON already; its name comes first by the order of the bytes.
            return Array(#"{"data":"#.utf8) + (data.isEmpty ? Array("{}".utf8) : data) + Array(",".utf8) + head.dropFirst()
        }
    }
}

extension Timestamp {
    /// `2026-11-21T08:00:00.000Z`.
    package var rfc3339: String {
        Date(timeIntervalSince1970: TimeInterval(microseconds / 1_000) / 1_000).formatted(
            .iso8601.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: true).timeSeparator(.colon).timeZone(
                separator: .omitted))
    }
}
