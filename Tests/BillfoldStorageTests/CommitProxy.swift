import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Stands before a PostgreSQL server and answers `COMMIT` in its own name, as a pooler does, or the coordinator of a distributed engine
/// that lost the node behind it.
///
/// It reads the frontend/backend protocol (PostgreSQL manual, chapter 55) no further than it must: a client sends messages up to a Sync,
/// the server answers up to a ReadyForQuery.
final class CommitProxy: Sendable {
    struct Fault: Sendable {
        enum Fate: Sendable {
            case applied
            case rolledBack
            /// The client is answered at once, the server asked so much later.
            case appliedAfter(Duration)
        }
        enum Answer: Sendable {
            case state(String)
            case tag(String)
        }
        var fate: Fate
        var answer: Answer
    }

    let port: Int
    private let target: Int
    private let listener: CInt
    /// For the next transactions that may write, first to first.
    private let faults = Mutex<[Fault]>([])

    init(before target: Int) throws {
        self.target = target
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { self.serve(client) }
            }
        }
    }

    func close() {
        shutdown(listener, CInt(SHUT_RDWR))
        _ = Glibc.close(listener)
    }

    func expect(_ fault: Fault) { faults.withLock { $0.append(fault) } }

    /// Faults that met no commit.
    var unused: Int { faults.withLock { $0.count } }

    /// Without TLS: the proxy reads what passes.
    var connection: String { "host=127.0.0.1 port=\(port) user=billfold dbname=postgres sslmode=disable gssencmode=disable" }

    private func serve(_ client: CInt) {
        let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer {
            _ = Glibc.close(client)
            _ = Glibc.close(server)
        }
        var address = Self.loopback(port: target)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connected, let startup = Wire.packet(client, typed: false), Wire.send(startup, server) else { return }
        guard let welcome = Wire.until(UInt8(ascii: "Z"), server), Wire.send(welcome, client) else { return }
        var mayWrite = false
        while let batch = Wire.until(UInt8(ascii: "S"), client) {
            let text = String(decoding: batch, as: UTF8.self)
            if text.contains("BEGIN ISOLATION") { mayWrite = !text.contains("READ ONLY") }
            if mayWrite, text.contains("COMMIT\0"), let fault = next() {
                guard answer(fault, batch, client, server) else { return }
            } else {
                guard Wire.send(batch, server), let reply = Wire.until(UInt8(ascii: "Z"), server), Wire.send(reply, client) else { return }
            }
        }
    }

    private func next() -> Fault? { faults.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    private func answer(_ fault: Fault, _ commit: [UInt8], _ client: CInt, _ server: CInt) -> Bool {
        func ask(_ message: [UInt8]) -> Bool { Wire.send(message, server) && Wire.until(UInt8(ascii: "Z"), server) != nil }
        let reply = Wire.reply(fault.answer)
        switch fault.fate {
        case .applied: return ask(commit) && Wire.send(reply, client)
        case .rolledBack: return ask(Wire.message("Q", Array("ROLLBACK\0".utf8))) && Wire.send(reply, client)
        case .appliedAfter(let pause):
            guard Wire.send(reply, client) else { return false }
            Thread.sleep(forTimeInterval: pause / .seconds(1))
            return ask(commit)
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }
}

/// Messages of the protocol over a blocking socket.
private enum Wire {
    static func send(_ bytes: [UInt8], _ socket: CInt) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// One message; `nil` at the end of the stream.
    static func packet(_ socket: CInt, typed: Bool) -> [UInt8]? {
        let head = typed ? 5 : 4
        guard var bytes = receive(head, socket) else { return nil }
        let length = bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length >= 4, let rest = receive(length - 4, socket) else { return nil }
        bytes += rest
        return bytes
    }

    /// All messages up to the first of a type.
    static func until(_ type: UInt8, _ socket: CInt) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let next = packet(socket, typed: true) {
            bytes += next
            if next[0] == type { return bytes }
        }
        return nil
    }

    static func message(_ type: Character, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count + 4)
        return Array(String(type).utf8) + withUnsafeBytes(of: length.bigEndian) { Array($0) } + body
    }

    static func reply(_ answer: CommitProxy.Fault.Answer) -> [UInt8] {
        let ready = message("Z", Array("I".utf8))
        switch answer {
        case .state(let state): return message("E", Array("SERROR\0VERROR\0C\(state)\0Mthe node did not answer\0\0".utf8)) + ready
        case .tag(let tag): return message("1", []) + message("2", []) + message("n", []) + message("C", Array("\(tag)\0".utf8)) + ready
        }
    }

    private static func receive(_ count: Int, _ socket: CInt) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let read = bytes[got...].withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            guard read > 0 else { return nil }
            got += read
        }
        return bytes
    }
}
