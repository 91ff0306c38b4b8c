import Synchronization

#if canImport(Darwin)
    public import Darwin
#else
    public import Glibc
#endif

/// A program started by a test: no descriptor but the three standard ones, no blocked signal.
///
/// Foundation's `Process` notices the end of a child by a socket that children started at the same time inherit; a server
/// among them then keeps everybody waiting.
public final class ChildProcess: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    public let identifier: pid_t
    /// Write end of the child's standard input and read end of its standard output; -1 where there is none.
    private let input: Mutex<CInt>
    private let output: CInt

    /// - Parameters:
    ///   - environment: Added to this process's own.
    ///   - hasInput: Keeps a pipe to the child's standard input open until ``closeInput()``, or until this process ends.
    ///   - readsOutput: Keeps a pipe from its standard output for ``read()``. What the child says otherwise goes nowhere.
    public init(_ command: [String], environment: [String: String] = [:], hasInput: Bool = false, readsOutput: Bool = false) throws {
        var inputs: [CInt] = [-1, -1]
        var outputs: [CInt] = [-1, -1]
        if hasInput { try Self.pipe(&inputs) }
        if readsOutput { try Self.pipe(&outputs) }
        defer {
            if hasInput { close(inputs[0]) }
            if readsOutput { close(outputs[1]) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if hasInput {
            posix_spawn_file_actions_adddup2(&actions, inputs[0], 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if readsOutput {
            posix_spawn_file_actions_adddup2(&actions, outputs[1], 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        _ = addCloseFrom(&actions, 3)
        _ = addChangeDirectory(&actions, "/")
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = Self.environment(adding: environment)
        let arguments = command.map { strdup($0) } + [nil]
        let settings = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + settings { free(text) } }
        var identifier = pid_t()
        let code = posix_spawn(&identifier, command[0], &actions, &attributes, arguments, settings)
        guard code == 0 else {
            if hasInput { close(inputs[1]) }
            if readsOutput { close(outputs[0]) }
            throw Failure(description: "\(command[0]) cannot be started: \(String(cString: strerror(code)))")
        }
        self.identifier = identifier
        input = Mutex(inputs[1])
        output = outputs[0]
    }

    deinit {
        closeInput()
        if output >= 0 { close(output) }
    }

    /// The next bytes of its standard output, waiting for them; `nil` after the last.
    public func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Array(buffer.prefix(count)) : nil
        }
    }

    public func closeInput() {
        input.withLock { descriptor in
            guard descriptor >= 0 else { return }
            close(descriptor)
            descriptor = -1
        }
    }

    public func signal(_ number: CInt) { kill(identifier, number) }

    /// Waits for its end. To be called once.
    ///
    /// - Returns: The exit code, or 128 and the number of the signal that ended it.
    @discardableResult
    public func wait() -> Int {
        var status: CInt = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
    }

    /// Runs a program to its end.
    public static func succeeds(_ command: [String]) -> Bool { (try? ChildProcess(command))?.wait() == 0 }

    private static func pipe(_ ends: inout [CInt]) throws {
        guard makePipe(&ends, O_CLOEXEC) == 0 else { throw Failure(description: "no pipe: \(String(cString: strerror(errno)))") }
    }

    private static func environment(adding added: [String: String]) -> [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if added[String(text.prefix { $0 != "=" })] == nil { variables.append(text) }
            next += 1
        }
        return variables + added.map { "\($0)=\($1)" }
    }
}

// The C library has these, but shows them to Swift only with its GNU extensions switched on.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: CInt) -> CInt
@_silgen_name("posix_spawn_file_actions_addchdir_np")
private func addChangeDirectory(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>) -> CInt
@_silgen_name("pipe2")
private func makePipe(_ ends: UnsafeMutablePointer<CInt>, _ flags: CInt) -> CInt
