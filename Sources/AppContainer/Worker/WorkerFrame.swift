import BillfoldJSON
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What host and worker say to each other: four bytes of length, most significant first, then one JSON object.
///
/// From the host: `start`, `input`, `answer` (to a `sync`), `end`. From the worker: `sandbox` (at its start, unasked), `ready`, `output`, `sync`,
/// `turn` (one is done).
struct WorkerFrame: Sendable {
    static let byteLimit = 50_331_648

    var kind: String
    var body: JSONValue

    init(_ kind: String, _ body: JSONValue = .null) {
        self.kind = kind
        self.body = body
    }

    var bytes: [UInt8] {
        let text = JSONWriter.write(JSONObject([.init("kind", .string(kind)), .init("body", body)]))
        let count = UInt32(text.count)
        return [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)] + text
    }
}

/// One end of a socket that carries frames. Reading and writing may happen on two threads; each on one at a time.
struct FrameSocket: Sendable {
    let descriptor: Int32

    /// - Returns: False where the other end is gone or did not take the bytes in time.
    func write(_ frame: WorkerFrame) -> Bool {
        let bytes = frame.bytes
        return bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Self.noSignal)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    #if canImport(Glibc)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let noSignal: Int32 = 0
    #endif

    /// The next frame; nil at the end.
    /// - Throws: `malformed-frame`, after which nothing more is read.
    func read() throws(AppContainerError) -> WorkerFrame? {
        guard let head = bytes(4) else { return nil }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard count <= WorkerFrame.byteLimit else {
            throw AppContainerError(code: .malformedFrame, reason: "a frame of \(count) bytes")
        }
        guard let text = bytes(count) else { return nil }
        guard let object = try? JSONReader.readObject(text, maximumBytes: WorkerFrame.byteLimit, maximumDepth: 160),
            let kind = object["kind"]?.string, let body = object["body"]
        else { throw AppContainerError(code: .malformedFrame, reason: "a frame that is no message") }
        return WorkerFrame(kind, body)
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(max(count, 1), 65_536))
        while result.count < count {
            let got = recv(descriptor, &buffer, min(buffer.count, count - result.count), 0)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            result += buffer[..<got]
        }
        return result
    }
}
