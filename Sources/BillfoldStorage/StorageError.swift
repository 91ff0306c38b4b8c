public import BillfoldDiagnosis

/// What a store refuses or cannot do.
public struct StorageError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// A unique constraint or primary key refused the row: somebody was here before.
        public static let uniqueViolation = Self("unique-violation")
        /// A check, not-null or foreign-key constraint refused the row.
        public static let constraintViolation = Self("constraint-violation")
        /// Serialisation failure, deadlock or busy: certainly not applied, safe to run again. Adapters retry these themselves.
        public static let serializationFailure = Self("serialization-failure")
        /// The commit's answer was lost and could not be resolved: the write may or may not be there.
        public static let commitUnknown = Self("commit-unknown")
        /// The store cannot be reached, or the deadline ended before the write began.
        public static let unavailable = Self("unavailable")
        /// Disk full, input/output error, read-only, damaged, or a file that is gone: nothing was changed, and the store acknowledges
        /// nothing until it takes writes again. It finds that out by itself: see ``Database/probe()``.
        public static let storeIll = Self("store-ill")
        /// A durability setting is not what it must be; the store refuses to start.
        public static let unsafeSettings = Self("unsafe-settings")
        /// The schema is newer than this program, or a migration that ran was changed afterwards.
        public static let schemaMismatch = Self("schema-mismatch")
        /// The store was made in the other mode (test or production); a mode never changes.
        public static let modeMismatch = Self("mode-mismatch")
        /// Another process has the file open.
        public static let inUse = Self("in-use")
        /// The statement is not portable SQL, or the engine refuses its text.
        public static let invalidStatement = Self("invalid-statement")
        /// A value has another type than the code expects, or one that not every engine can hold.
        public static let unexpectedValue = Self("unexpected-value")
    }

    public var code: Code
    /// For operators; holds no bound values.
    public var reason: String
    /// The engine's own code, where it gave one: a SQLSTATE, or SQLite's extended result code in decimal digits.
    public var engineCode: String?
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, engineCode: String? = nil, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.engineCode = engineCode
        self.file = file
        self.line = line
    }

    /// Whether the store has told of this error itself, once: workers that meet it at each look need not.
    public static func isTold(_ error: any Error) -> Bool { (error as? StorageError)?.code == .storeIll }
}
