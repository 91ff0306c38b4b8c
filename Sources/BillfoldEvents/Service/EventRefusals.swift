import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What the routes of events and endpoints refuse. The codes are stable.
enum EventRefusals {
    static var eventNotFound: ServerError { refusal(.notFound, code: "event-not-found", "the owner has no such event") }
    static var endpointNotFound: ServerError { refusal(.notFound, code: "endpoint-not-found", "the owner has no such endpoint") }
    static var endpointExists: ServerError { refusal(.conflict, code: "endpoint-exists", "the owner has an endpoint at this address") }
    static var endpointStopped: ServerError {
        refusal(.conflict, code: "endpoint-disabled", "nothing is sent to this endpoint; enable it first")
    }
    static var underWay: ServerError { refusal(.conflict, code: "under-way", "the endpoint is being told of this event already") }
    static func tooManyEndpoints(_ most: Int) -> ServerError {
        refusal(.conflict, code: "endpoint-limit", "an owner has at most \(most) endpoints; delete one first")
    }
    static func rotationRunning(until end: Timestamp) -> ServerError {
        refusal(
            .conflict, code: "rotation-running",
            "two keys sign until \(end.rfc3339); wait, or rotate with an overlap of 0, which ends both of them at once")
    }
    static func addressRefused(_ problem: String) -> ServerError {
        refusal(.unprocessableContent, code: "address-refused", "the address cannot be an endpoint: \(problem)")
    }
    static func tooManyStreams(_ most: Int) -> ServerError {
        var error = refusal(.tooManyRequests, code: "stream-limit", "an owner has at most \(most) open streams; end one first")
        error.headers[.retryAfter] = "5"
        return error
    }
    /// What followed the cursor is not there: the reader has to look at the objects themselves, and begin anew.
    static func gap(_ gap: FeedGap) -> ServerError {
        switch gap {
        case .forgotten: refusal(.gone, code: "cursor-expired", "events behind this cursor are forgotten; begin anew without one")
        case .unknown: refusal(.gone, code: "cursor-unknown", "this feed never came so far; begin anew without a cursor")
        }
    }

    private static func refusal(_ status: HTTPResponse.Status, code: String, _ reason: String) -> ServerError {
        ServerError(Refusal(status: status, code: code, reason: reason))
    }
}
