import Foundation

/// Takes a message in the older form, with the format and the values of C: `%{public}@` is shown, `%@` and `%s` are not.
///
/// - Parameters:
///   - message: The format.
///   - log: The part of the program that says it.
///   - type: How grave it is.
///   - arguments: The values, in the format's order.
public func os_log(_ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ arguments: any CVarArg...) {
    SimulatedLog.take(FormattedMessage(message.description, arguments).shown, type, of: log)
}

/// Takes a message with its values in it.
///
/// - Parameters:
///   - type: How grave it is.
///   - log: The part of the program that says it.
///   - message: The message.
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    SimulatedLog.take(message.shown, type, of: log)
}

/// A lock around a value.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Box {
        let lock = NSLock()
        var state: State
        init(_ state: State) { self.state = state }
    }

    private let box: Box

    /// Makes a lock around a value.
    public init(initialState: State) where State: Sendable { box = Box(initialState) }
    /// Makes a lock around a value that may be used behind the lock alone.
    public init(uncheckedState: State) { box = Box(uncheckedState) }

    /// Does something with the value while nobody else can.
    public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
        try box.lock.withLock { try body(&box.state) }
    }

    /// Does something with the value while nobody else can, without the compiler's check.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try box.lock.withLock { try body(&box.state) }
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Makes a lock around nothing.
    public init() { self.init(uncheckedState: ()) }
    /// Waits for the lock, and takes it.
    public func lock() { box.lock.lock() }
    /// Gives the lock back.
    public func unlock() { box.lock.unlock() }
}

/// A format of C with its values, as a log shows it.
struct FormattedMessage {
    private(set) var shown = ""

    init(_ format: String, _ values: [any CVarArg]) {
        var (rest, values) = (Substring(format), values[...])
        while let percent = rest.firstIndex(of: "%") {
            shown += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                shown += "%"
                rest = rest.dropFirst()
                continue
            }
            var isPublic = false
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                isPublic = rest[..<end].contains("public")
                rest = rest[rest.index(after: end)...]
            }
            guard let letter = rest.firstIndex(where: { $0 == "@" || $0.isLetter && !"hlqztjL".contains($0) }) else { break }
            let (directive, kind) = ("%" + rest[...letter], rest[letter])
            rest = rest[rest.index(after: letter)...]
            guard let value = values.popFirst() else { continue }
            let isText = kind == "@" || kind == "s" || kind == "S"
            shown += isText && !isPublic ? "<private>" : isText ? "\(value)" : String(format: directive, value)
        }
        shown += rest
    }
}
