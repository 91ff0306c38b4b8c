import Foundation
import NIOCore
import Testing

/// Connections that a stranger opens and leaves alone, from an address of its own of the loopback network.
final class IdleSockets {
    private var sockets: [CInt] = []

    /// - Parameters:
    ///   - address: Where they come from.
    ///   - saying: What each sends before it falls silent.
    init(_ count: Int, to port: Int, from address: String = "127.0.0.1", saying text: String = "") throws {
        try open(count, to: port, from: address, saying: text)
    }

    deinit { for descriptor in sockets { close(descriptor) } }

    func open(_ count: Int, to port: Int, from address: String = "127.0.0.1", saying text: String = "") throws {
        for _ in 0..<count {
            let descriptor = socket(AF_INET, stream, 0)
            try #require(descriptor >= 0, "no socket: \(errno)")
            sockets.append(descriptor)
            let near = try SocketAddress(ipAddress: address, port: 0)
            let far = try SocketAddress(ipAddress: "127.0.0.1", port: port)
            try #require(near.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0, "\(address) cannot be bound: \(errno)")
            try #require(far.withSockAddr { connect(descriptor, $0, socklen_t($1)) } == 0, "not connected: \(errno)")
            if !text.isEmpty { _ = text.withCString { send(descriptor, $0, strlen($0), 0) } }
        }
    }

    /// Each sends more. Waits until the server has taken it.
    func say(_ text: String) throws {
        for descriptor in sockets {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, withoutSignal) }
                try #require(count > 0, "not sent: \(errno)")
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Which of them the server has ended, by the order in which they were opened. What it told them before is dropped.
    var ended: [Int] {
        sockets.indices.filter { index in
            var heard = [UInt8](repeating: 0, count: 4_096)
            var count = 1
            while count > 0 { count = recv(sockets[index], &heard, heard.count, CInt(MSG_DONTWAIT.rawValue32)) }
            return count == 0 || errno != EAGAIN
        }
    }

    /// Waits until the server has told each of them something.
    func haveHeard(within patience: Duration = .seconds(10)) async throws -> Bool {
        let end = ContinuousClock.now.advanced(by: patience)
        var byte: UInt8 = 0
        for descriptor in sockets {
            while recv(descriptor, &byte, 1, CInt(MSG_PEEK.rawValue32 | MSG_DONTWAIT.rawValue32)) <= 0 {
                guard ContinuousClock.now < end else { return false }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        return true
    }

    /// Reads all that the server tells a connection, until the server ends it, and returns how many bytes that were. `nil` where it does not end.
    func countUntilEnd(of index: Int, within patience: Duration = .seconds(60)) async throws -> Int? {
        let end = ContinuousClock.now.advanced(by: patience)
        var (count, heard) = (0, [UInt8](repeating: 0, count: 1 << 16))
        while ContinuousClock.now < end {
            let more = recv(sockets[index], &heard, heard.count, CInt(MSG_DONTWAIT.rawValue32))
            if more > 0 { count += more }
            if more == 0 || (more < 0 && errno != EAGAIN) { return count }
            if more < 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
        return nil
    }

    /// Each says that it sends no more.
    func finish() { for descriptor in sockets { shutdown(descriptor, CInt(SHUT_WR)) } }

    /// As the initialiser, and waits: several event loops take connections in, and this says which of them were first.
    func openFirst(_ count: Int, to port: Int, from address: String, saying text: String = "") async throws {
        try open(count, to: port, from: address, saying: text)
        try await Task.sleep(for: .milliseconds(300))
    }

    /// Waits until so many are ended.
    func haveEnded(_ count: Int, within patience: Duration = .seconds(5)) async throws -> Bool {
        let end = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < end, ended.count < count { try await Task.sleep(for: .milliseconds(20)) }
        return ended.count == count
    }

    /// Waits until these are ended, and no others.
    func haveEnded(_ expected: [Int], within patience: Duration = .seconds(5)) async throws -> Bool {
        let end = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < end, ended != expected { try await Task.sleep(for: .milliseconds(20)) }
        // One more that is ended wrongly would be so a moment later.
        try await Task.sleep(for: .milliseconds(50))
        return ended == expected
    }
}

#if canImport(Glibc)
    private let stream = CInt(SOCK_STREAM.rawValue)
    private let withoutSignal = CInt(MSG_NOSIGNAL.rawValue32)
#else
    private let stream = SOCK_STREAM
    private let withoutSignal: CInt = 0
#endif

// The flags are numbers on one system and an enumeration on another.
extension BinaryInteger { fileprivate var rawValue32: UInt32 { UInt32(self) } }
extension RawRepresentable where RawValue == UInt32 { fileprivate var rawValue32: UInt32 { rawValue } }
