import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Posts without a body by the HTTP client that the servers send with, as many under way at once as the outbox has.
enum EmptyPosts {
    /// Returns the seconds it took.
    static func send(_ count: Int, to url: String) async throws -> Double {
        try await seconds {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for worker in 0..<64 {
                    tasks.addTask {
                        for _ in stride(from: worker, to: count, by: 64) {
                            var request = HTTPClientRequest(url: url)
                            request.method = .POST
                            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(15))
                            _ = try await answer.body.collect(upTo: 1 << 20)
                        }
                    }
                }
                try await tasks.waitForAll()
            }
        }
    }
}
