public import BillfoldDiagnosis
public import Foundation

/// An attempt to pay that was begun: enough to ask for its outcome after the app was killed.
public struct PaymentAttempt: Sendable {
    public var access: OrderAccess
    public var key: IdempotencyKey
    /// The order's payments that were known to have failed when this attempt began: evidence about them is none about it.
    public var failedBefore: Set<String>

    public init(access: OrderAccess, key: IdempotencyKey, failedBefore: Set<String> = []) {
        self.access = access
        self.key = key
        self.failedBefore = failedBefore
    }

    /// The form for a protected store, such as the keychain. Holds the client secret.
    public func protectedForm() -> Secret<Data> {
        let stored = Stored(orderID: access.orderID, clientSecret: access.clientSecret.reveal(), key: key, failedBefore: failedBefore)
        return Secret((try? JSONEncoder().encode(stored)) ?? Data())
    }

    /// Nil when the bytes are not of this form.
    public init?(protectedForm: Secret<Data>) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: protectedForm.reveal()) else { return nil }
        self.init(
            access: OrderAccess(orderID: stored.orderID, clientSecret: Secret(stored.clientSecret)), key: stored.key,
            failedBefore: stored.failedBefore)
    }

    private struct Stored: Codable {
        var orderID: String
        var clientSecret: String
        var key: IdempotencyKey
        var failedBefore: Set<String>
    }
}

/// Keeps the attempt across the app's death. Written before the first request leaves, erased when the outcome is certain.
public protocol CheckoutMemory: Sendable {
    /// The attempt that was kept; nil where there is none.
    func load() async -> PaymentAttempt?
    /// Replaces what was kept; nil erases it.
    func save(_ attempt: PaymentAttempt?) async
}

/// For tests and simulated phones: lasts as long as the process.
public actor VolatileCheckoutMemory: CheckoutMemory {
    private var attempt: PaymentAttempt?

    public init() {}

    public func load() -> PaymentAttempt? { attempt }
    public func save(_ attempt: PaymentAttempt?) { self.attempt = attempt }
}
