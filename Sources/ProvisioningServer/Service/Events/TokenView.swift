import BillfoldStorage

/// A token as the bank's back end is told of it.
struct TokenView: Encodable {
    var tokenReference: String
    var card: String?
    var primaryAccountIdentifier: String
    var state: TokenState
    var suspendedBy: [String]
    /// Why the bank holds it suspended; `nil` where it does not.
    var heldFor: [String]?
    var sequence: Int64
    var deviceAccountSuffix: String?
    var secureElement: String?

    init(_ token: StoredToken, heldFor causes: Set<SuspensionCause>) {
        tokenReference = token.reference
        card = token.card
        primaryAccountIdentifier = token.primaryAccountIdentifier
        state = token.snapshot.state
        suspendedBy = token.snapshot.suspendedBy.map(\.rawValue).sorted()
        heldFor = causes.isEmpty ? nil : causes.map(\.rawValue).sorted()
        sequence = token.snapshot.sequence
        deviceAccountSuffix = token.deviceAccountSuffix
        secureElement = token.device?.secureElement
    }
}

/// A review as the bank's back end is told of it: not who decided, and not why.
struct ReviewView: Encodable {
    var id: String
    var network: String
    var requestId: String
    var card: String
    var tokenReference: String
    var state: StoredReview.State

    init(_ review: StoredReview) {
        id = review.id.description
        network = review.network.rawValue
        requestId = review.requestID
        card = review.card
        tokenReference = review.token
        state = review.state
    }
}
