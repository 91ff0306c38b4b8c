#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a statement's texts and blobs lie while it runs, so that SQLite need not take memory for a copy of each.
///
/// One for each connection, whose statements run one after the other. What a statement bound is overwritten when it is done.
final class BindingBuffer {
    /// A buffer that grew beyond this is given back after the statement.
    private static let kept = 65_536

    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0

    deinit {
        clear()
        memory.deallocate()
    }

    /// Makes room for all values of one statement; from here on nothing moves until ``clear()``.
    func reserve(_ count: Int) {
        guard count > memory.count else { return }
        clear()
        memory.deallocate()
        memory = .allocate(byteCount: max(count, 4_096), alignment: 16)
    }

    /// Copies a value. It stays until ``clear()``.
    func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let place = UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + bytes.count])
        place.copyMemory(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(place)
    }

    /// Overwrites what was copied.
    func clear() {
        if let start = memory.baseAddress, used > 0 { memset(start, 0, used) }
        used = 0
        guard memory.count > Self.kept else { return }
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
}
