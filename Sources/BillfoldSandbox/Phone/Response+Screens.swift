import BillfoldJSON
import BillfoldWeb
import Hummingbird
import NIOCore
import ServiceLifecycle

extension Response {
    /// A device's screens as server-sent events: `id` is the revision, `event` is `screen`, `data` is the screen's JSON.
    ///
    /// They end when the reader goes, when the session is closed, and when the server is asked to stop.
    static func events(of screens: AsyncStream<some DeviceScreen>, heartbeat: Duration) -> Response {
        let events = ServerSentEvents(screens, heartbeat: heartbeat, retry: 1_000, backlog: 256) {
            .init(id: "\($0.revision)", event: "screen", data: try JSONDocument.encode($0))
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await withGracefulShutdownHandler {
                    try await events.write { try await writer.write(ByteBuffer(bytes: $0)) }
                } onGracefulShutdown: {
                    events.end()
                }
                try await writer.finish(nil)
            })
    }
}
