public import BillfoldDiagnosis

/// Something that the bank tells a customer.
public struct CustomerMessage: Sendable {
    /// Stable over all attempts, so that the receiver can drop a second copy.
    public var id: String
    public var customer: String
    /// The processor's name for the address, as the card's contacts have it.
    public var contact: String
    /// May hold a one-time code: it is never stored, logged or traced.
    public var text: Secret<String>

    package init(id: String, customer: String, contact: String, text: Secret<String>) {
        self.id = id
        self.customer = customer
        self.contact = contact
        self.text = text
    }
}

/// Brings messages to customers: text messages, e-mail, calls and the bank's app alike.
public protocol CustomerMessenger: Sendable {
    /// Returns once the message was taken over. Whoever takes the same id twice must not send twice.
    func send(_ message: CustomerMessage) async throws(MessageFailure)
}

/// Why a message was not taken over.
public struct MessageFailure: Error, Sendable, CustomStringConvertible {
    /// For operators; holds nothing of the message.
    public var reason: String
    /// Whether it may have been taken over all the same.
    public var mayHaveArrived: Bool
    /// Whether trying again can help.
    public var isTransient: Bool

    public init(reason: String, mayHaveArrived: Bool, isTransient: Bool) {
        self.reason = reason
        self.mayHaveArrived = mayHaveArrived
        self.isTransient = isTransient
    }

    public var description: String { reason }
}
