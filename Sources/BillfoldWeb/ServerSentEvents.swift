/// Values as server-sent events, for a page's `EventSource`, with a comment now and then that keeps the connection alive
/// (HTML Living Standard, 9.2 "Server-sent events").
package struct ServerSentEvents<Value: Sendable>: Sendable {
    private enum Event: Sendable {
        case value(Value)
        case heartbeat
    }

    private let values: AsyncStream<Value>
    private let heartbeat: Duration
    private let retryMilliseconds: Int
    private let message: @Sendable (Value) throws -> Message
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// One event. Neither its id, its name nor its data has a line break.
    package struct Message: Sendable {
        package var id: String
        package var event: String
        package var data: [UInt8]

        package init(id: String, event: String, data: [UInt8]) {
            self.id = id
            self.event = event
            self.data = data
        }
    }

    /// - Parameters:
    ///   - milliseconds: How long a browser waits before it comes again after the end.
    ///   - backlog: How many values wait for a slow reader; beyond that the oldest are lost.
    package init(
        _ values: AsyncStream<Value>, heartbeat: Duration, retry milliseconds: Int, backlog: Int,
        message: @escaping @Sendable (Value) throws -> Message
    ) {
        self.values = values
        self.heartbeat = heartbeat
        retryMilliseconds = milliseconds
        self.message = message
        (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(backlog))
    }

    /// Writes until the values end, ``end()`` is called or a write fails.
    package func write(to write: ([UInt8]) async throws -> Void) async throws {
        // The first bytes tell the browser that the stream is open.
        try await write(Array("retry: \(retryMilliseconds)\n\n".utf8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await value in values { continuation.yield(.value(value)) }
                continuation.finish()
            }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: heartbeat)
                    continuation.yield(.heartbeat)
                }
            }
            defer { group.cancelAll() }
            for await event in events { try await write(bytes(event)) }
        }
    }

    /// Ends the stream, for a server that stops.
    package func end() { continuation.finish() }

    private func bytes(_ event: Event) throws -> [UInt8] {
        guard case .value(let value) = event else { return Array(": alive\n\n".utf8) }
        let message = try message(value)
        return Array("id: \(message.id)\nevent: \(message.event)\ndata: ".utf8) + message.data + Array("\n\n".utf8)
    }
}
