import BillfoldDiagnosis
import CLibpq

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A libpq connection that is waited for with a deadline of our own.
///
/// `statement_timeout` does not end a wait for a synchronous standby, so the server's limits cannot be relied on.
final class PostgreSQLSocket {
    let handle: OpaquePointer

    init(_ connection: Secret<String>) throws(PostgreSQLFailure) {
        // What stands before `dbname` can be overridden by the connection string, what stands after cannot.
        let settings: [(String, String)] = [
            ("connect_timeout", "5"), ("target_session_attrs", "read-write"), ("application_name", "billfold"),
            ("dbname", connection.reveal()), ("client_encoding", "UTF8"),
        ]
        let made = withCStrings(settings.map(\.0)) { keywords in
            withCStrings(settings.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let made else { throw .connectionLost("out of memory") }
        handle = made
        guard PQstatus(made) == CONNECTION_OK else { throw lost() }
        guard PQsetnonblocking(made, 1) == 0, PQenterPipelineMode(made) == 1 else { throw lost() }
    }

    deinit { PQfinish(handle) }

    /// The connection's own account of why it is gone.
    func lost() -> PostgreSQLFailure {
        .connectionLost(PQerrorMessage(handle).map { trimmed(String(cString: $0)) } ?? "the connection was lost")
    }

    /// The next result, or `nil` after the last one of a command.
    func nextResult(deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLResult? {
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            if PQisBusy(handle) == 0 { break }
            try wait(forWriting: unsent == 1, deadline: deadline)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        guard let result = PQgetResult(handle) else {
            // A broken connection would hand out its absence for ever.
            guard PQstatus(handle) == CONNECTION_OK else { throw lost() }
            return nil
        }
        return PostgreSQLResult(result)
    }

    private func wait(forWriting: Bool, deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw .deadline }
        let (seconds, attoseconds) = left.components
        let milliseconds = min(seconds, 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN | (forWriting ? POLLOUT : 0)), revents: 0)
        // An interrupted or timed-out wait is looked at again by the caller's loop.
        if poll(&descriptor, 1, CInt(milliseconds)) < 0, errno != EINTR { throw .connectionLost(String(cString: strerror(errno))) }
    }
}

/// A null-terminated array of C strings, as libpq takes keywords and values.
private func withCStrings<Value>(_ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
}
