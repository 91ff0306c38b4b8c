package import BillfoldWeb
import HTTPTypes

/// What the console shows of one server's events, and does about them: endpoints of back ends, what was told, and every attempt.
package protocol EventOffice: Sendable {
    /// What addresses call it, for example `merchants`: another one than the others of the console.
    var name: String { get }
    /// The endpoints of everybody who has a back end here.
    func books() async throws -> [WebhookBook]
    /// Some of an owner's events; `nil` where the server knows nobody of that name. Refuses with `malformed-request` an endpoint's name that
    /// is none.
    func events(of owner: String, _ wish: EventWish) async throws -> WebhookEventList?
    /// One event with all that was sent of it; `nil` where the owner has none of that name.
    func event(_ name: String, of owner: String) async throws -> WebhookEventView?
    /// Tells an endpoint of an event once more, and writes who asked to the trail.
    ///
    /// - Throws: `event-not-found`, `endpoint-not-found`, `endpoint-disabled`, and `under-way` where it is being told already.
    func resend(_ event: String, of owner: String, to endpoint: String, because reason: String, by person: String) async throws
}

/// Which events somebody looks for: the latest where it says nothing.
package struct EventWish: Sendable, Hashable {
    /// Those that an endpoint was not told yet, or was not told at all.
    package struct Untold: Sendable, Hashable {
        package enum Standing: String, Sendable, Hashable {
            case waiting
            case givenUp = "given-up"
        }

        package var endpoint: String
        package var standing: Standing

        package init(by endpoint: String, _ standing: Standing) { (self.endpoint, self.standing) = (endpoint, standing) }
    }

    package var untold: Untold?
    /// Those of an object with this id.
    package var object: String?
    /// Those before this place in the feed.
    package var before: Int64?

    package init(untold: Untold? = nil, object: String? = nil, before: Int64? = nil) {
        (self.untold, self.object, self.before) = (untold, object, before)
    }

    /// Reads a query. Refuses with 400 `malformed-request` what no event can be.
    init(_ query: [String: String]) throws(ServerError) {
        let query = query.filter { !$0.value.isEmpty }
        object = query["object"]
        guard object.map({ $0.utf8.count <= 128 && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) ?? true else {
            throw Self.malformed("object is no object's id")
        }
        switch (query["endpoint"], query["state"].map(Untold.Standing.init)) {
        case (nil, nil): break
        case (let endpoint?, let standing??): untold = Untold(by: endpoint, standing)
        default: throw Self.malformed("an endpoint comes with state, waiting or given-up")
        }
        before = try query["before"].map { text throws(ServerError) in
            guard let place = Int64(text), place > 0 else { throw Self.malformed("before is a place in the feed") }
            return place
        }
    }

    private static func malformed(_ reason: String) -> ServerError {
        ServerError(code: .malformedRequest, reason: reason, status: .badRequest)
    }
}
