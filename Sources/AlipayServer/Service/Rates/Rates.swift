import BillfoldStorage

/// Publishes the day's rates.
package struct Rates: Sendable {
    let database: any Database

    /// The newest rate of each currency, however old.
    func newest(at now: Timestamp) async throws -> [RateFile.Quote] {
        try await database.read { try RateRecords.all(at: now, in: $0) }
    }

    /// Makes the file's rates hold from their instants on. Doing it again changes nothing.
    package func publish(_ file: RateFile) async throws {
        try await database.writeRepeatably { tx in
            for quote in file.quotes { try RateRecords.publish(quote, in: tx) }
        }
    }
}
