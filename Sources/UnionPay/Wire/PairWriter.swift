import PaymentCrypto

/// Writes `name=value` pairs, with `&` between them, into memory that holds them all.
struct PairWriter {
    let memory: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

    mutating func addPair(_ name: String, value: (inout PairWriter) -> Void) {
        if count > 0 { add(UInt8(ascii: "&")) }
        add(name)
        add(UInt8(ascii: "="))
        value(&self)
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            _ = memory[count...].update(fromContentsOf: bytes)
            count += bytes.count
        }
    }

    /// Adds bytes as ``FormBody`` escapes them: at most three for each.
    mutating func addEscaped(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            count += PercentEncoding.encode(bytes, into: UnsafeMutableBufferPointer(rebasing: memory[count...]), plain: "*")
        }
    }

    private mutating func add(_ byte: UInt8) {
        memory[count] = byte
        count += 1
    }
}

extension [UInt8] {
    /// The bytes that `body` writes, at most `capacity`.
    static func written(capacity: Int, _ body: (inout PairWriter) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
            var writer = PairWriter(memory: memory)
            body(&writer)
            count = writer.count
        }
    }
}
