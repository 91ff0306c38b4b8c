import BillfoldStorage

/// Why a round trip to the server failed, before it is known what that means for the transaction.
enum PostgreSQLFailure: Error {
    /// The server refused with a SQLSTATE (PostgreSQL manual, appendix A).
    case server(state: String, message: String)
    /// The connection is gone, or was never made.
    case connectionLost(String)
    /// The client's own deadline ended while it waited for an answer.
    case deadline
    /// Our own refusal, raised before anything was sent.
    case refused(StorageError)

    /// The session is over or about to be: class 08, and the server shutting down, crashing or starting up.
    var losesConnection: Bool {
        switch self {
        case .server(let state, _): state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(state)
        case .connectionLost, .deadline: true
        case .refused: false
        }
    }

    /// Nothing was applied and the body may run again on the same connection.
    var isSerializationFailure: Bool {
        guard case .server(let state, _) = self else { return false }
        return ["40001", "40P01", "55P03"].contains(state)
    }

    /// The server's prepared statements are not those we think: another schema, or a pooler between us.
    var isStaleStatement: Bool {
        guard case .server(let state, let message) = self else { return false }
        return state == "26000" || state == "42P05" || (state == "0A000" && message.contains("cached plan"))
    }

    /// As an answer to `COMMIT`: nothing was applied, for certain. A constraint checked at the commit (class 23), a serialisation
    /// failure or a deadlock.
    ///
    /// Every other state leaves it open, whatever its text says: a proxy, a pooler or the coordinator of a distributed engine answers
    /// in its own name when it lost the node that commits, Citus with XX000; a cancelled (57014) or starved (53xxx, 58030) commit may
    /// have written its record before.
    var isCertainAbort: Bool {
        guard case .server(let state, _) = self else { return false }
        return state.hasPrefix("23") || state == "40001" || state == "40P01"
    }

    /// For a failure that is final.
    var storageError: StorageError {
        switch self {
        case .server(let state, let message):
            StorageError(code: Self.classify(state), reason: "\(message) (SQLSTATE \(state))", engineCode: state)
        case .connectionLost(let reason):
            StorageError(code: .unavailable, reason: reason)
        case .deadline:
            StorageError(code: .unavailable, reason: "the deadline ended before the server answered")
        case .refused(let error):
            error
        }
    }

    private static func classify(_ state: String) -> StorageError.Code {
        switch state {
        case "23505": .uniqueViolation
        case "40001", "40P01", "55P03": .serializationFailure
        case "40003": .commitUnknown
        // Disk full, input/output error, read-only server, damaged data or index.
        case "53100", "58030", "25006", "XX001", "XX002": .storeIll
        default:
            switch state.prefix(2) {
            case "23": .constraintViolation
            case "22": .unexpectedValue
            case "08", "53", "57", "58": .unavailable
            default: .invalidStatement
            }
        }
    }
}
