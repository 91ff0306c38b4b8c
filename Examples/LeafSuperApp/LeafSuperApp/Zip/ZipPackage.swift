import MiniPrograms

/// Reads the archives of packages: files that are stored or deflated, without encryption, in one part. An app that has a library for zip
/// archives uses that instead.
///
/// The container has compared the archive's hash with the signed metadata before, and compares each file's afterwards.
struct ZipPackage: PackageArchives {
    func contents(of archive: [UInt8], limits: PackageLimits) throws(MiniProgramError) -> [String: [UInt8]] {
        let reader = ByteReader(archive)
        guard let end = reader.lastIndex(of: 0x0605_4B50) else { throw Self.malformed("has no end") }
        var place = Int(try reader.number(4, at: end + 16))
        let count = Int(try reader.number(2, at: end + 10))
        guard count <= limits.entries else { throw MiniProgramError(code: .tooLarge, reason: "the archive has too many files") }
        var files: [String: [UInt8]] = [:]
        var total = 0
        for _ in 0..<count {
            guard try reader.number(4, at: place) == 0x0201_4B50 else { throw Self.malformed("has a broken list") }
            let method = try reader.number(2, at: place + 10)
            let (packed, size) = (Int(try reader.number(4, at: place + 20)), Int(try reader.number(4, at: place + 24)))
            let lengths = try (0..<3).map { index throws(MiniProgramError) in Int(try reader.number(2, at: place + 28 + 2 * index)) }
            let name = String(decoding: try reader.bytes(lengths[0], at: place + 46), as: UTF8.self)
            let local = Int(try reader.number(4, at: place + 42))
            place += 46 + lengths.reduce(0, +)
            total += size
            guard size <= limits.fileBytes, total <= limits.totalBytes else {
                throw MiniProgramError(code: .tooLarge, reason: "the archive's files are too large")
            }
            guard !name.hasSuffix("/") else { continue }
            let start = local + 30 + Int(try reader.number(2, at: local + 26)) + Int(try reader.number(2, at: local + 28))
            let bytes = try reader.bytes(packed, at: start)
            let file: [UInt8]?
            switch method {
            case 0: file = Array(bytes)
            case 8: file = Inflater.inflate(bytes, to: size)
            default: throw Self.malformed("packs \(name) in another way")
            }
            guard let file, file.count == size, files.updateValue(file, forKey: name) == nil else {
                throw Self.malformed("does not hold \(name)")
            }
        }
        return files
    }

    fileprivate static func malformed(_ problem: String) -> MiniProgramError {
        MiniProgramError(code: .malformedArchive, reason: "the archive \(problem)")
    }
}

/// Numbers with the lowest byte first.
private struct ByteReader {
    private let all: [UInt8]

    init(_ all: [UInt8]) { self.all = all }

    func bytes(_ count: Int, at place: Int) throws(MiniProgramError) -> ArraySlice<UInt8> {
        guard place >= 0, count >= 0, place <= all.count - count else { throw ZipPackage.malformed("ends too early") }
        return all[place..<place + count]
    }

    func number(_ count: Int, at place: Int) throws(MiniProgramError) -> UInt32 {
        try bytes(count, at: place).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Where a record of this mark begins, looked for from the end.
    func lastIndex(of mark: UInt32) -> Int? {
        stride(from: all.count - 22, through: max(0, all.count - 65_557), by: -1).first { (try? number(4, at: $0)) == mark }
    }
}
