import BillfoldJSON
import BillfoldPayments

/// What stays under a payment request's idempotency key: its answer, or a refusal that is final.
enum FinalAnswer: Sendable {
    case answer(PaymentAnswer)
    case refusal(CardPaymentsError)

    private struct Refusal: Codable {
        var refused: String
        var reason: String
    }

    /// The refusals that are judgements of the request itself. Others depend on what else is going on, and may be asked again.
    private static let codes: [CardPaymentsError.Code] = [.tokenRefused, .cardNotSupported]

    /// `nil` where the refusal is not final.
    init?(_ error: CardPaymentsError) {
        guard Self.codes.contains(error.code) else { return nil }
        self = .refusal(error)
    }

    init(_ stored: [UInt8]) throws {
        if let refusal = try? JSONDocument.decode(Refusal.self, stored),
            let code = Self.codes.first(where: { $0.description == refusal.refused })
        {
            self = .refusal(CardPaymentsError(code: code, reason: refusal.reason))
        } else {
            self = .answer(try JSONDocument.decode(PaymentAnswer.self, stored))
        }
    }

    func encoded() throws -> [UInt8] {
        switch self {
        case .answer(let answer): try JSONDocument.encode(answer)
        case .refusal(let error): try JSONDocument.encode(Refusal(refused: error.code.description, reason: error.reason))
        }
    }

    /// The answer.
    ///
    /// - Parameter isReplayed: Whether it is given again; told of a refusal, which is thrown.
    func answer(isReplayed: Bool) throws -> PaymentAnswer {
        switch self {
        case .answer(let answer): return answer
        case .refusal(let error): throw isReplayed ? error.replayed : error
        }
    }
}
