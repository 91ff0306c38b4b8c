import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// A device's screens as server-sent events: `id` is the revision, `event` is `screen`, `data` is the screen's JSON.
///
/// Ends when the reader goes, when the session is closed, and when the server is asked to stop.
struct ScreenEventStream<Screen: DeviceScreen>: Sendable {
    private enum Event: Sendable {
        case screen(Screen)
        case heartbeat
    }

    let screens: AsyncStream<Screen>
    let heartbeat: Duration

    /// The stream as the answer to a request.
    var response: Response {
        Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await write(to: &writer)
                try await writer.finish(nil)
            })
    }

    func write(to writer: inout any ResponseBodyWriter) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [screens] in
                    for await screen in screens { continuation.yield(.screen(screen)) }
                    continuation.finish()
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
    }

    private static func bytes(_ event: Event) throws -> [UInt8] {
        switch event {
        case .heartbeat: Array(": alive\n\n".utf8)
        case .screen(let screen):
            try Array("id: \(screen.revision)\nevent: screen\ndata: ".utf8) + SandboxBody.encode(screen) + Array("\n\n".utf8)
        }
    }
}
