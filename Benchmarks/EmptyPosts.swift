import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Posts without a body by the HTTP client that the servers send with, set as they set it, as many under way at once as the outbox has.
enum EmptyPosts {
    private static let client = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    static func send(to url: String) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        let answer = try await client.execute(request, timeout: .seconds(15))
        _ = try await answer.body.collect(upTo: 1 << 20)
    }

    /// Returns the seconds it took.
    static func send(_ count: Int, to url: String) async throws -> Double {
        try await seconds {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for worker in 0..<64 {
                    tasks.addTask {
                        for _ in stride(from: worker, to: count, by: 64) {
                            try await send(to: url)
                        }
                    }
                }
                try await tasks.waitForAll()
            }
        }
    }
}
