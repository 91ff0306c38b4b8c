import ArgumentParser
import Foundation
import PaymentCrypto

/// `keys list`: what the store holds, with a warning for each certificate that ends soon.
struct KeysList: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys of the store and warn of certificates that end.")

    @OptionGroup var options: KeysOptions

    func reply(now: Date) throws -> KeysReply {
        let keys = try options.keyStore.keys
        var rows = [["ID", "KIND", "PURPOSE", "STATE", "NOT AFTER", "DAYS LEFT"]]
        for key in keys {
            rows.append([
                key.id, key.kind.rawValue, key.purpose.rawValue, key.state.rawValue,
                key.notAfter.map { $0.ISO8601Format() } ?? "-",
                key.notAfter.map { "\(KeyExpiry.daysLeft(notAfter: $0, now: now))" } ?? "-",
            ])
        }
        return KeysReply(
            text: keys.isEmpty ? "no keys in \(options.store)" : Self.table(rows),
            object: ["keys": .list(keys.map { .object(Self.object($0, now: now)) })],
            warnings: keys.compactMap { Self.warning($0, now: now) })
    }

    static func object(_ key: StoredKey, now: Date) -> [String: KeysValue] {
        var object: [String: KeysValue] = [
            "id": .text(key.id), "kind": .text(key.kind.rawValue), "purpose": .text(key.purpose.rawValue),
            "state": .text(key.state.rawValue), "publicKeyHash": .text(key.publicKeyHash),
            "addedAt": .text(key.addedAt.ISO8601Format()),
        ]
        object["notBefore"] = key.notBefore.map { .text($0.ISO8601Format()) }
        object["notAfter"] = key.notAfter.map { .text($0.ISO8601Format()) }
        object["daysLeft"] = key.notAfter.map { .number(KeyExpiry.daysLeft(notAfter: $0, now: now)) }
        object["retiredAt"] = key.retiredAt.map { .text($0.ISO8601Format()) }
        return object
    }

    /// A warning for a key in use whose certificate has ended or ends within 60 days.
    static func warning(_ key: StoredKey, now: Date) -> String? {
        guard let notAfter = key.notAfter, key.state != .retired else { return nil }
        let end = notAfter.ISO8601Format()
        switch KeyExpiry(notAfter: notAfter, now: now) {
        case .far: return nil
        case .near(let days): return "the certificate of key \(key.id) ends at \(end), in less than \(days) days"
        case .ended: return "the certificate of key \(key.id) ended at \(end)"
        }
    }

    /// Rows in columns, the first row being their heads.
    static func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
