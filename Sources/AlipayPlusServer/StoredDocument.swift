import BillfoldPayments
import Foundation

/// A typed value as a row keeps it: JSON with sorted keys, so that equal values have equal bytes.
enum StoredDocument {
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw PaymentsError(code: .corruptRecord, reason: "a stored \(type) does not read back")
        }
    }
}
