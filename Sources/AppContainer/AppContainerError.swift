public import BillfoldDiagnosis

/// What the container refuses. Equality looks at the code alone.
public struct AppContainerError: CodedError, Equatable {
    /// A stable code; new ones are added without breaking callers, none is renamed or reused.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        // The program's files.
        /// The folder or package is no mini program: no `app.json`, or one that cannot be read.
        public static let malformedProgram = Self("malformed-program")
        /// A page that `app.json` lists has no script in the package.
        public static let missingPage = Self("missing-page")
        /// A script that is no JavaScript; the reason names file, line and column.
        public static let syntaxError = Self("syntax-error")
        /// A module asked for one that is not in the package.
        public static let moduleNotFound = Self("module-not-found")
        /// A module path that leaves the package.
        public static let moduleOutsidePackage = Self("module-outside-package")
        /// ES modules and no packer to turn them into CommonJS, or a packer that failed; the reason quotes it.
        public static let packingFailed = Self("packing-failed")
        /// A source map that breaks its format.
        public static let malformedSourceMap = Self("malformed-source-map")

        /// Nothing of the mini program is on the device, and the platform gives no answer.
        public static let programUnavailable = Self("program-unavailable")

        // A run.
        /// The engine could not be started.
        public static let engineUnavailable = Self("engine-unavailable")
        /// The program threw, or a promise was rejected and nobody listened.
        public static let scriptError = Self("script-error")
        /// One turn ran longer than its budget and was ended.
        public static let turnTimeExceeded = Self("turn-time-exceeded")
        /// Turns were ended too often, so the program was.
        public static let programStopped = Self("program-stopped")
        /// A page that `app.json` does not list.
        public static let unknownPage = Self("unknown-page")
        /// A step of a run names no method of the page on top, or of the component; the reason lists those that there are.
        public static let unknownHandler = Self("unknown-handler")

        // Workers, traces and scripts.
        /// The worker program could not be started.
        public static let workerUnavailable = Self("worker-unavailable")
        /// A worker that has to have a sandbox, and was refused one by the system; the reason names what is missing. No script was run.
        public static let workerUnsandboxed = Self("worker-unsandboxed")
        /// A frame that breaks the protocol between host and worker.
        public static let malformedFrame = Self("malformed-frame")
        /// The worker ended by itself: a full heap, or a crash of the engine.
        public static let workerEnded = Self("worker-ended")
        /// The worker did not end a turn in time and was killed.
        public static let workerUnresponsive = Self("worker-unresponsive")
        /// The worker's memory went beyond its budget and it was killed.
        public static let memoryExceeded = Self("memory-exceeded")
        /// A trace that breaks its format, or of another program.
        public static let malformedTrace = Self("malformed-trace")
        /// A script of host answers that breaks its format; the reason names the place.
        public static let malformedScript = Self("malformed-script")
        /// A store that cannot be read or written.
        public static let storageFailed = Self("storage-failed")
    }

    public var code: Code
    /// For people; holds no secret and no value of a program's longer than 256 characters.
    public var reason: String
    public var file: String
    public var line: Int
    public var isDefect: Bool { code == .engineUnavailable }

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A program's own text, short enough for a reason and without control characters.
    static func quoted(_ text: String, limit: Int = 256) -> String { "\"\(shown(text, limit: limit))\"" }

    /// The same without the marks.
    static func shown(_ text: String, limit: Int = 256) -> String {
        let shown = text.unicodeScalars.prefix(limit).map { $0.value >= 0x20 && $0.value != 0x7f ? String($0) : "?" }.joined()
        return shown + (text.unicodeScalars.count > limit ? "…" : "")
    }
}
