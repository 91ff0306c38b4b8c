import Foundation

/// What the shop's server says of a payment. No answer is none of them.
enum ChargeResult: Sendable {
    case charged
    case declined
    case wrongAddress
}

/// The shop's server. It calls back on a queue of its own, as a session of URLs does.
protocol OrderService: AnyObject, Sendable {
    func charge(order: String, token: Data, completion: @escaping @Sendable (ChargeResult?) -> Void)
}

/// Remembers across starts which order's token was sent and not answered.
final class PendingOrders: @unchecked Sendable {
    static let shared = PendingOrders()
    private let lock = NSLock()
    private var numbers: Set<String> = []

    func begin(_ number: String) { lock.withLock { _ = numbers.insert(number) } }
    func end(_ number: String) { lock.withLock { _ = numbers.remove(number) } }
    var open: Set<String> { lock.withLock { numbers } }
}
