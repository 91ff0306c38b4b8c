import NIOCore
import NIOPosix

/// A connection that a test writes bytes to, as slowly and as wrongly as it likes.
struct RawConnection: Sendable {
    let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    static func open(port: Int) async throws -> RawConnection {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel) }
            }
        return RawConnection(channel: channel)
    }

    /// Writes the pieces with a pause after each, until the peer closes, and returns what it sent.
    static func exchange(port: Int, pieces: [String], pause: Duration = .zero) async throws -> String {
        let connection = try await open(port: port)
        return try await connection.channel.executeThenClose { inbound, outbound in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for piece in pieces {
                        // The peer may have closed: what it said is what the test looks at.
                        guard (try? await outbound.write(ByteBuffer(string: piece))) != nil else { return }
                        if pause > .zero { try await Task.sleep(for: pause) }
                    }
                }
                var received = ""
                do {
                    for try await buffer in inbound { received += String(buffer: buffer) }
                } catch is IOError {}
                group.cancelAll()
                return received
            }
        }
    }
}
