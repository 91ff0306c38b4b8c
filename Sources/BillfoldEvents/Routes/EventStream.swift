import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import ServiceLifecycle

/// An owner's events as server-sent events: `id` is the cursor, `event` the type, `data` the event (HTML Living Standard, 9.2).
///
/// It reads from the feed what its reader has room for, so that a slow one loses nothing and holds no memory. It ends when the reader goes,
/// and when the server is asked to stop; the reader comes again with the last cursor.
struct EventStream: Sendable {
    private static let page = 100
    /// How often it looks for what other processes stored.
    private static let look = Duration.seconds(1)

    let context: EventContext
    let listener: EventNews.Listener
    let owner: MerchantID
    let filter: EventRecords.Filter
    let start: Int64

    func write(to write: ([UInt8]) async throws -> Void) async throws {
        try await withGracefulShutdownHandler {
            try await loop(write)
        } onGracefulShutdown: {
            listener.end()
        }
    }

    private func loop(_ write: ([UInt8]) async throws -> Void) async throws {
        // The first bytes tell the reader that the stream is open.
        try await write(Array("retry: 2000\n\n".utf8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    listener.look()
                    try await Task.sleep(for: min(Self.look, context.configuration.heartbeat))
                }
            }
            defer { group.cancelAll() }
            var (place, spoken) = (start, ContinuousClock.now)
            for await _ in listener.signals {
                var hasMore = true
                while hasMore {
                    let from = place
                    let page = try await context.database.read { tx in
                        try EventRecords.page(of: owner, after: from, filter: filter, limit: Self.page, in: tx)
                    }
                    // Whoever comes again is told why.
                    guard case .success(let part) = page else { return }
                    for event in part.events { try await write(Self.bytes(event)) }
                    if !part.events.isEmpty { spoken = .now }
                    (place, hasMore) = (part.next, part.hasMore)
                }
                if ContinuousClock.now - spoken >= context.configuration.heartbeat {
                    try await write(Array(": alive\n\n".utf8))
                    spoken = .now
                }
            }
        }
    }

    private static func bytes(_ placed: EventRecords.Placed) throws -> [UInt8] {
        Array("id: \(EventCursor(placed.position))\nevent: \(placed.event.type)\ndata: ".utf8) + (try placed.event.document)
            + Array("\n\n".utf8)
    }
}
