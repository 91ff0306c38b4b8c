public import Foundation

/// What a content network answered.
public struct OptionAnswer: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    public var body: [UInt8]

    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Fetches published files. On Apple's systems `URLSession` is one; elsewhere ``ClosureTransport`` wraps any HTTP client.
public protocol OptionTransport: Sendable {
    /// Sends one GET. Throws when no answer comes: the caller is told 1002 then. The caller's time-out cancels the task.
    func get(_ address: URL) async throws -> OptionAnswer
}

/// A transport that is a closure.
public struct ClosureTransport: OptionTransport {
    private let send: @Sendable (URL) async throws -> OptionAnswer

    public init(_ send: @escaping @Sendable (URL) async throws -> OptionAnswer) { self.send = send }

    public func get(_ address: URL) async throws -> OptionAnswer { try await send(address) }
}
