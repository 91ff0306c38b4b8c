import BillfoldServer
import BillfoldStorage
import Foundation
import Logging
import ServiceLifecycle

/// How far the clock is ahead, in a file of the data folder: a SQLite store belongs to one process, and the folder to all processes
/// of an installation, whatever store the merchant's server uses.
struct FolderClockOffset: ClockOffset {
    let path: String

    init(_ folder: DataFolder) { path = folder.path("clock") }

    /// Everybody's clock, and the one by which owners may be ahead of it.
    static func clocks(in folder: DataFolder) async throws -> (everybodys: MovableClock, spaces: SpaceClock) {
        let everybodys = try await MovableClock(base: SystemClock(), offset: Self(folder))
        return (everybodys, try await SpaceClock(base: everybodys, book: FolderSpaces(folder.path)))
    }

    func read() async throws -> Int64 { try Self.locked(path, kind: LOCK_SH) { try Self.offset($0) } }

    func change(_ next: @escaping @Sendable (Int64) throws -> Int64) async throws -> Int64 {
        try Self.locked(path, kind: LOCK_EX) { descriptor in
            let changed = try next(Self.offset(descriptor))
            // One width for all numbers, so that a shorter one leaves nothing of a longer one behind.
            let text = Array(String(changed).utf8)
            let line = text + [UInt8](repeating: 0x20, count: 24 - text.count)
            guard pwrite(descriptor, line, line.count, 0) == line.count else { throw Self.unusable("cannot be written") }
            return changed
        }
    }

    private static func offset(_ descriptor: CInt) throws -> Int64 {
        var line = [UInt8](repeating: 0, count: 24)
        let count = pread(descriptor, &line, line.count, 0)
        guard count >= 0 else { throw unusable("cannot be read") }
        let text = String(decoding: line.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespaces)
        guard let offset = text.isEmpty ? 0 : Int64(text) else { throw unusable("holds no number") }
        return offset
    }

    private static func locked(_ path: String, kind: CInt, _ body: (CInt) throws -> Int64) throws -> Int64 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw unusable("cannot be opened") }
        defer { close(descriptor) }
        guard flock(descriptor, kind) == 0 else { throw unusable("cannot be locked") }
        return try body(descriptor)
    }

    private static func unusable(_ why: String) -> CommandFailure {
        CommandFailure(.refused, code: "data-folder-unusable", reason: "the clock's file \(why)")
    }
}

/// Follows what another process does to the clock, and to whoever is ahead of everybody.
struct ClockFollower: Service {
    let clock: MovableClock
    let spaces: SpaceClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await clock.refresh()
                    try await spaces.refresh()
                } catch {
                    logger.error("the clock cannot be read", metadata: ["error": "\(CommandFailure(error))"])
                }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
