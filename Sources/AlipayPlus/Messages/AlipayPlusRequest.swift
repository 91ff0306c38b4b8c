/// A request or a notification, which is answered.
public protocol AlipayPlusRequest: WireMessage {
    /// What the receiver sends back.
    associatedtype Answer: AlipayPlusAnswer
    /// The API's name behind the version in the path, such as `payments/pay`. What is sent to an address of the receiver's own
    /// choice, as notifications are, is named the same here.
    static var api: String { get }
    /// What the request breaks of the rules of its own; those of single members are looked at for every message.
    var ownViolations: [RequestViolation] { get }
}

extension AlipayPlusRequest {
    /// The path on Alipay+, `/aps/api/v1/payments/pay`.
    public static var path: String { AlipayPlusPath.base + api }
    public var ownViolations: [RequestViolation] { [] }
}

/// Where the APIs lie.
public enum AlipayPlusPath {
    public static let base = "/aps/api/v1/"
}

/// An answer. Whatever else it holds, the result says whether the call worked.
public protocol AlipayPlusAnswer: WireMessage {
    /// Whether the call worked; of a payment the other members may say more.
    var result: AlipayPlusResult { get set }
    /// An answer that says nothing but its result.
    init(result: AlipayPlusResult)
}

/// The answer that is a result and no more, as to notifications.
public struct PlainAnswer: AlipayPlusAnswer {
    public var result: AlipayPlusResult

    public init(result: AlipayPlusResult) { self.result = result }
}
