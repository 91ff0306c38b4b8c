/// How grave a message is.
public struct OSLogType: Sendable, Hashable {
    /// The number that stands for it in the system's log.
    public var rawValue: UInt8

    /// Makes the type of a number.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
    /// Makes the type of a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What may help to find a fault.
    public static let `default` = OSLogType(0)
    /// What may be of use.
    public static let info = OSLogType(1)
    /// What is of use while one writes the code.
    public static let debug = OSLogType(2)
    /// What went wrong.
    public static let error = OSLogType(16)
    /// What must not be.
    public static let fault = OSLogType(17)
}

/// A part of a program whose messages belong together.
public final class OSLog: Sendable {
    /// Of programs that name no part.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// Drops what it is told.
    public static let disabled = OSLog(subsystem: "", category: "", drops: true)

    let subsystem: String
    let category: String
    let drops: Bool

    /// Names a part: by the program's identifier, and by what the messages are about.
    public convenience init(subsystem: String, category: String) { self.init(subsystem: subsystem, category: category, drops: false) }

    private init(subsystem: String, category: String, drops: Bool) {
        (self.subsystem, self.category, self.drops) = (subsystem, category, drops)
    }
}

/// Takes the messages of a part of a program.
public struct Logger: Sendable {
    private let log: OSLog

    /// Names no part.
    public init() { log = .default }
    /// Names a part: by the program's identifier, and by what the messages are about.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    /// Takes the messages of a part that is named already.
    public init(_ logObj: OSLog) { log = logObj }

    /// Takes a message of a gravity.
    public func log(level: OSLogType, _ message: OSLogMessage) { SimulatedLog.take(message.shown, level, of: log) }
    /// Takes a message that may help to find a fault.
    public func log(_ message: OSLogMessage) { log(level: .default, message) }
    /// Takes a message that may help to find a fault.
    public func notice(_ message: OSLogMessage) { log(level: .default, message) }
    /// Takes a message that may be of use.
    public func info(_ message: OSLogMessage) { log(level: .info, message) }
    /// Takes a message for who writes the code.
    public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Takes a message for who writes the code.
    public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
    /// Takes a message of what went wrong.
    public func warning(_ message: OSLogMessage) { log(level: .error, message) }
    /// Takes a message of what went wrong.
    public func error(_ message: OSLogMessage) { log(level: .error, message) }
    /// Takes a message of what must not be.
    public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
    /// Takes a message of what must not be.
    public func fault(_ message: OSLogMessage) { log(level: .fault, message) }
}
