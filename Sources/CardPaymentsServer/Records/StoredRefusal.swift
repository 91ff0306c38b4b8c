import BillfoldPayments

/// A business refusal as it is stored under its idempotency key: the same request gets the same answer for ever.
struct StoredRefusal: Codable, Sendable, Hashable {
    var refusal: String
    var reason: String

    private static let final: [CardPaymentsError.Code] = [.wrongState, .exceedsCaptured, .voidTooLate, .invalidAmount]

    /// Nil where the error is no decision about the request.
    init?(_ error: any Error) {
        switch error {
        case let error as CardPaymentsError where Self.final.contains(error.code):
            (refusal, reason) = (error.code.description, error.reason)
        case let error as PaymentsError:
            guard let code = CardPaymentsError.Code(error.code), Self.final.contains(code) else { return nil }
            (refusal, reason) = (code.description, error.reason)
        default: return nil
        }
    }

    var error: CardPaymentsError {
        CardPaymentsError(code: Self.final.first { $0.description == refusal } ?? .wrongState, reason: reason)
    }
}
