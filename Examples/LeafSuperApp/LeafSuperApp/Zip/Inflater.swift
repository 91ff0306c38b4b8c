/// Unpacks deflated bytes (RFC 1951).
struct Inflater {
    private enum Fault: Error {
        case malformed
    }

    /// How many codes there are of each length, and their symbols in the order of the codes.
    private struct Codes {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: some Collection<Int>) {
            for length in lengths { counts[length] += 1 }
            symbols = lengths.enumerated().filter { $0.element > 0 }.sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(
                \.offset)
            counts[0] = 0
        }
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
    ]
    private static let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073, 4_097, 6_145, 8_193,
        12_289, 16_385, 24_577,
    ]
    private static let fixedLengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private let input: ArraySlice<UInt8>
    private let limit: Int
    private var place: Int
    /// Bits that were read and not used, the next one lowest.
    private var held = 0
    private var heldCount = 0
    private var output: [UInt8] = []

    private init(_ input: ArraySlice<UInt8>, limit: Int) {
        self.input = input
        self.limit = limit
        place = input.startIndex
        output.reserveCapacity(limit)
    }

    /// Nil for what is not deflated, and for more than `size` bytes.
    static func inflate(_ input: ArraySlice<UInt8>, to size: Int) -> [UInt8]? {
        var inflater = Inflater(input, limit: size)
        do { try inflater.run() } catch { return nil }
        return inflater.output
    }

    private mutating func run() throws {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try stored()
            case 1: try coded(Codes(Self.fixedLengths), Codes([Int](repeating: 5, count: 30)))
            case 2:
                let (lengths, distances) = try codes()
                try coded(lengths, distances)
            default: throw Fault.malformed
            }
        }
    }

    private mutating func bits(_ count: Int) throws -> Int {
        while heldCount < count {
            guard place < input.endIndex else { throw Fault.malformed }
            held |= Int(input[place]) << heldCount
            place += 1
            heldCount += 8
        }
        defer {
            held >>= count
            heldCount -= count
        }
        return held & (1 << count - 1)
    }

    private mutating func symbol(_ codes: Codes) throws -> Int {
        var (code, first, index) = (0, 0, 0)
        for length in 1..<16 {
            code |= try bits(1)
            let count = codes.counts[length]
            if code - count < first { return codes.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw Fault.malformed
    }

    private mutating func put(_ byte: UInt8) throws {
        guard output.count < limit else { throw Fault.malformed }
        output.append(byte)
    }

    private mutating func stored() throws {
        (held, heldCount) = (0, 0)
        let (length, check) = (try bits(16), try bits(16))
        guard length == ~check & 0xFFFF else { throw Fault.malformed }
        for _ in 0..<length { try put(UInt8(try bits(8))) }
    }

    private mutating func codes() throws -> (lengths: Codes, distances: Codes) {
        let (literals, distances, count) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<count { lengths[Self.lengthOrder[index]] = try bits(3) }
        let order = Codes(lengths)
        var all: [Int] = []
        while all.count < literals + distances {
            switch try symbol(order) {
            case 16:
                guard let last = all.last else { throw Fault.malformed }
                all += [Int](repeating: last, count: 3 + (try bits(2)))
            case 17: all += [Int](repeating: 0, count: 3 + (try bits(3)))
            case 18: all += [Int](repeating: 0, count: 11 + (try bits(7)))
            case let length: all.append(length)
            }
        }
        guard all.count == literals + distances else { throw Fault.malformed }
        return (Codes(all[..<literals]), Codes(all[literals...]))
    }

    private mutating func coded(_ lengths: Codes, _ distances: Codes) throws {
        while true {
            let symbol = try symbol(lengths)
            if symbol == 256 { return }
            if symbol < 256 {
                try put(UInt8(symbol))
                continue
            }
            guard symbol - 257 < Self.lengthBases.count else { throw Fault.malformed }
            let length = Self.lengthBases[symbol - 257] + (try bits(Self.lengthBits[symbol - 257]))
            let index = try self.symbol(distances)
            guard index < Self.distanceBases.count else { throw Fault.malformed }
            let distance = Self.distanceBases[index] + (try bits(index < 4 ? 0 : index / 2 - 1))
            guard distance <= output.count else { throw Fault.malformed }
            for _ in 0..<length { try put(output[output.count - distance]) }
        }
    }
}
