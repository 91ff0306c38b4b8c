import HTTPTypes

extension ProvisioningError.Code {
    /// The request id, or the event id, was used for another message.
    package static let requestReused = Self("request-reused", .conflict)
    /// No part of such an import was taken: it begins at its beginning.
    package static let importNotFound = Self("import-not-found", .notFound)
    /// The operation needs the caller's name for what it wants.
    package static let idempotencyKeyMissing = Self("idempotency-key-missing", .badRequest)
    /// Something happened later than now: a clock is wrong, here or at the caller's.
    package static let instantAhead = Self("instant-ahead", .unprocessableContent)
    /// The token's reference belongs to another card, or to another network's token.
    package static let tokenReferenceTaken = Self("token-reference-taken", .conflict)
    /// The account that the network sent does not open with our keys, or is none.
    package static let accountUnreadable = Self("account-unreadable", .unprocessableContent)
    /// The network, the customer or the card has no such token.
    package static let tokenNotFound = Self("token-not-found", .notFound)
    /// The customer has no such way to be verified.
    package static let methodNotFound = Self("method-not-found", .notFound)
    /// A person of the fraud team decides; no code and no app does.
    package static let reviewRequired = Self("review-required", .conflict)
    package static let tokenDeclined = Self("token-declined", .conflict)
    /// The token is not active yet: there is nothing to suspend or to resume.
    package static let tokenNotActive = Self("token-not-active", .conflict)
    /// The token waits for its customer's verification, or for a review.
    package static let needsVerification = Self("needs-verification", .conflict)
    /// A review of the token waits; its end resumes or deletes it.
    package static let reviewWaiting = Self("review-waiting", .conflict)
    /// There is nothing left to do.
    package static let alreadyDone = Self("already-done", .conflict)
    package static let tokenDeleted = Self("token-deleted", .conflict)
    /// The token is suspended; verifying the customer does not change that.
    package static let tokenSuspended = Self("token-suspended", .conflict)
    /// The token is active: nothing is to be proved.
    package static let tokenActive = Self("token-active", .conflict)
    /// Too many codes were sent for the card lately, whatever its tokens.
    package static let codeCardLimit = Self("code-card-limit", .conflict)
    /// Too many codes were sent for the token lately.
    package static let codeResendLimit = Self("code-resend-limit", .conflict)
    /// The code's time was over before it could be delivered.
    package static let codeExpired = Self("code-expired", .unprocessableContent)
    /// The code did not reach the customer, or nobody knows whether it did: ask again under the same request id.
    package static let codeNotDelivered = Self("code-not-delivered", .badGateway)
    /// The network did not answer, or its answer cannot be read.
    package static let networkUnavailable = Self("network-unavailable", .badGateway)
}
