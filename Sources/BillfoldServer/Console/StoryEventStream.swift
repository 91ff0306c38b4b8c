import BillfoldTrace
import Foundation
import Hummingbird
import ServiceLifecycle

/// A story's new entries as server-sent events: `id` is the store's sequence, `event` is `entry`, `data` is the entry's JSON.
///
/// Ends when the reader goes (the next write fails) and when the server is asked to stop, so that no page holds up a restart.
struct StoryEventStream: Sendable {
    private enum Event: Sendable {
        case arrival(TraceStory.Arrival)
        case heartbeat
    }

    let arrivals: AsyncStream<TraceStory.Arrival>
    let heartbeat: Duration

    func write(to writer: inout any ResponseBodyWriter) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(2_048))
        // The first bytes tell the browser that the stream is open.
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [arrivals] in
                    for await arrival in arrivals { continuation.yield(.arrival(arrival)) }
                }
                group.addTask { [heartbeat] in
                    while !Task.isCancelled {
                        try await Task.sleep(for: heartbeat)
                        continuation.yield(.heartbeat)
                    }
                }
                defer { group.cancelAll() }
                for await event in events { try await writer.write(ByteBuffer(bytes: Self.bytes(event))) }
            }
        } onGracefulShutdown: {
            continuation.finish()
        }
        try await writer.finish(nil)
    }

    private static func bytes(_ event: Event) throws -> [UInt8] {
        switch event {
        case .heartbeat: return Array(": alive\n\n".utf8)
        case .arrival(let arrival):
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // JSON without pretty printing holds no line break, so one data line is enough.
            return try Array("id: \(arrival.sequence)\nevent: entry\ndata: ".utf8) + encoder.encode(arrival.entry) + Array("\n\n".utf8)
        }
    }
}
