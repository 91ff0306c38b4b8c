import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
import HTTPTypes
import Hummingbird
import NIOCore

/// Turns errors into refusals, in one place for every route.
///
/// A server adds a rule for its own error struct; what no rule knows becomes `internal` with status 500, so that nothing of
/// an unforeseen error reaches a caller.
public struct ErrorMapping: Sendable {
    public typealias Rule = @Sendable (any Error) -> Refusal?

    private var rules: [Rule]

    public init(_ rules: [Rule] = []) { self.rules = rules }

    /// Takes a rule behind those that are there. The first that knows an error decides; what is known without rules comes last.
    public mutating func add(_ rule: @escaping Rule) { rules.append(rule) }

    /// The refusal for an error, or `nil` where the error is our fault.
    package func refusal(for error: any Error) -> Refusal? {
        for rule in rules {
            if let refusal = rule(error) { return refusal }
        }
        switch error {
        case let error as ServerError: return Refusal(error)
        case let error as HTTPError: return Self.refusal(for: error)
        case let error as StorageError: return Self.refusal(for: error)
        case let error as PaymentsError where error.code == .tooManyNotices:
            return Refusal(
                status: .serviceUnavailable, code: "unavailable", reason: "nothing was stored; send it again later",
                headers: [.retryAfter: "60"])
        case let error as PaymentsError where error.code == .contended:
            return Refusal(
                status: .serviceUnavailable, code: "unavailable", reason: "too many requests about one thing; nothing was changed",
                headers: [.retryAfter: "1"])
        case let error as PaymentsError where error.code == .malformedIdentifier:
            return Refusal(status: .badRequest, code: "malformed-request", reason: error.reason)
        case is NIOTooManyBytesError:
            return Refusal(status: .contentTooLarge, code: "body-too-large", reason: "the body is larger than this operation takes")
        case is DecodingError:
            return Refusal(status: .badRequest, code: "malformed-request", reason: "the body is not what this operation takes")
        default: return nil
        }
    }

    /// What a log line may say of an error: its type and its code, and a reason where it is made for logs.
    package static func logDescription(of error: any Error) -> String {
        switch error {
        case let error as ServerError: return "ServerError \(error) at \(error.file):\(error.line)"
        case let error as StorageError: return "StorageError \(error) at \(error.file):\(error.line)"
        case let error as any DisclosableError: return "\(type(of: error)) \(error.disclosure)"
        // A reason may repeat what another party sent.
        case let error as any CodedError: return "\(type(of: error)) \(error.code)"
        default: return String(describing: type(of: error))
        }
    }

    private static func refusal(for error: HTTPError) -> Refusal {
        let code: String
        switch error.status {
        case .notFound: code = "not-found"
        case .contentTooLarge: code = "body-too-large"
        case .unauthorized: code = "sign-in-required"
        case .tooManyRequests: code = "rate-limited"
        case .serviceUnavailable: code = "unavailable"
        default: code = error.status.code < 500 ? "malformed-request" : "internal"
        }
        // The framework's messages name coding keys and types, never values.
        return Refusal(status: error.status, code: code, reason: error.body ?? error.status.reasonPhrase, headers: error.headers)
    }

    private static func refusal(for error: StorageError) -> Refusal? {
        switch error.code {
        case .unavailable, .serializationFailure:
            Refusal(
                status: .serviceUnavailable, code: "unavailable", reason: "the store cannot take this now; nothing was changed",
                headers: [.retryAfter: "1"])
        case .storeIll:
            // It tries once a second to be well again; a disk takes longer.
            Refusal(
                status: .serviceUnavailable, code: "unavailable", reason: "the store takes no writes now; nothing was changed",
                headers: [.retryAfter: "5"])
        case .commitUnknown:
            Refusal(
                status: .serviceUnavailable, code: "outcome-unknown",
                reason: "the write may or may not be there; ask again with the same idempotency key", headers: [.retryAfter: "1"])
        default: nil
        }
    }
}

/// An error whose description is made for logs: it holds no secret, no card number and no counterparty's text.
public protocol DisclosableError: Error {
    /// What a log line says of the error, behind its type.
    var disclosure: String { get }
}
