import BillfoldServer
import BillfoldStorage

/// What a command asks of the installation's main store, whoever has it open.
enum StoreRequest: Codable, Sendable {
    case operators
    case addOperator(name: String, password: String, roles: [OperatorRole])
    case disableOperator(name: String)
    case resetOperator(name: String, password: String)
    case makeAPIKey(merchant: String, label: String)
    case endAPIKeys(merchant: String, label: String)
}

/// What came of it. A command writes its lines from it.
enum StoreAnswer: Codable, Sendable {
    case done
    case operators([Operator])
    case madeAPIKey(String)
    case endedAPIKeys(Int)

    /// An operator as lists show one.
    struct Operator: Codable, Sendable {
        var name: String
        var roles: [String]
        /// Microseconds since 1970.
        var addedAt: Int64
        var disabledAt: Int64?
    }
}

/// What goes through the control socket: a request, and the store that it is for.
struct ControlMessage: Codable, Sendable {
    /// The store's file, without links in its path: a server that has another one refuses.
    var store: String
    var request: StoreRequest
}

extension StoreRequest {
    static func words(_ roles: Set<OperatorRole>) -> [String] { roles.map(\.rawValue).sorted() }
}
