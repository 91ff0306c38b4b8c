public import BillfoldDiagnosis
public import HTTPTypes

/// A request to another party.
public struct OutgoingRequest: Sendable {
    /// Who chose the address.
    public enum Destination: Sendable, Hashable {
        /// The operator, in the configuration: it may be anywhere.
        case configured
        /// A counterparty, in a message (notify, return and image addresses): it must be public, or a registered origin in test mode.
        case namedByCounterparty
    }

    public var method: HTTPRequest.Method
    public var url: String
    public var headers: HTTPFields
    public var body: [UInt8]
    public var destination: Destination
    /// From now to the answer's last byte.
    public var timeout: Duration
    public var maximumAnswerBytes: Int

    public init(
        method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: [UInt8] = [], destination: Destination,
        timeout: Duration = .seconds(15), maximumAnswerBytes: Int = 1_048_576
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.destination = destination
        self.timeout = timeout
        self.maximumAnswerBytes = maximumAnswerBytes
    }
}

/// What the other party answered. A redirect is an answer: nothing follows it.
public struct OutgoingAnswer: Sendable, Hashable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no answer.
public struct SendFailure: CodedError {
    /// Where it failed. Stable; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        public static let malformedAddress = Self("malformed-address")
        /// The address names this machine or a private network, and nobody registered it.
        public static let addressRefused = Self("address-refused")
        public static let nameUnknown = Self("name-unknown")
        /// The name's servers did not answer in time.
        public static let nameUnanswered = Self("name-unanswered")
        /// Too many names are being looked up.
        public static let lookUpsBusy = Self("look-ups-busy")
        /// The sender was stopped before anything was sent.
        public static let notBegun = Self("not-begun")
        public static let notConnected = Self("not-connected")
        public static let timedOut = Self("timed-out")
        public static let connectionLost = Self("connection-lost")
        public static let answerTooLarge = Self("answer-too-large")
    }

    public var code: Code
    /// Names the host at most: an address may carry a secret in its path or query.
    public var reason: String
    /// Whether the other party may have received the request. `false` is certain; after `true` the outcome is unknown and has
    /// to be asked for.
    public var mayHaveArrived: Bool

    public init(code: Code, reason: String, mayHaveArrived: Bool) {
        self.code = code
        self.reason = reason
        self.mayHaveArrived = mayHaveArrived
    }
}

/// Sends one request and returns the answer. Never follows a redirect and never tries again.
public protocol HTTPSender: Sendable {
    /// Throws only where there is no answer; an answer of any status is returned.
    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer
}
