import AsyncHTTPClient
import BillfoldJSON
import Foundation
import NIOCore
import NIOHTTP1

/// A stream of events, opened again where it left off whenever it ends.
struct EventFollowing {
    private static let longestWait = Duration.seconds(10)

    private let url: String
    private let key: String
    private let client: HTTPClient
    /// Of the last event that was handed out.
    private var last: String?
    private var waiting: [EventStreamReader.Event] = []
    private var body: HTTPClientResponse.Body.AsyncIterator?
    private var reader = EventStreamReader()
    private var wait = Duration.milliseconds(250)
    private var isFirst = true

    /// - Parameter last: The cursor after which it begins; `nil` from now on.
    init(url: String, key: String, client: HTTPClient, last: String?) {
        (self.url, self.key, self.client, self.last) = (url, key, client, last)
    }

    /// The next event, however long that takes. Throws what the server refuses.
    mutating func next() async throws -> EventStreamReader.Event? {
        while true {
            if !waiting.isEmpty {
                let event = waiting.removeFirst()
                last = event.id
                return event
            }
            if body == nil { try await open() }
            do {
                if let bytes = try await body?.next() {
                    waiting += try reader.read(bytes.readableBytesView)
                    wait = .milliseconds(250)
                    continue
                }
            } catch let error as CommandFailure {
                throw error
            } catch {
                try Task.checkCancellation()
            }
            (body, reader) = (nil, EventStreamReader())
            try await pause()
        }
    }

    private mutating func pause() async throws {
        try await Task.sleep(for: wait)
        wait = min(wait * 2, Self.longestWait)
    }

    /// Opens the stream. Throws what the server refuses, and the first time that nobody answers.
    mutating func open() async throws {
        var request = HTTPClientRequest(url: url)
        request.headers = ["Authorization": "Bearer \(key)", "Accept": "text/event-stream"]
        if let last { request.headers.add(name: "Last-Event-ID", value: last) }
        while true {
            let response: HTTPClientResponse
            do {
                response = try await client.execute(request, deadline: .distantFuture)
            } catch {
                try Task.checkCancellation()
                guard !isFirst else {
                    throw CommandFailure(.refused, code: "server-unreachable", reason: "nobody answers at \(url): is the server running?")
                }
                try await pause()
                continue
            }
            if response.status == .ok {
                (body, isFirst) = (response.body.makeAsyncIterator(), false)
                return
            }
            let said = (try? await response.body.collect(upTo: 65_536)).map { Array($0.readableBytesView) } ?? []
            // A server that is about to stop, or too busy, is asked again.
            if response.status.code >= 500 || response.status == .tooManyRequests, !isFirst {
                try await pause()
                continue
            }
            _ = try LocalClient.Answer(status: Int(response.status.code), headers: response.headers, body: said).object()
        }
    }
}
