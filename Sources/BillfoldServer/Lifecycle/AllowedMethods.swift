import HTTPTypes
import Hummingbird

extension Router {
    private static var methods: [HTTPRequest.Method] {
        [.get, .head, .post, .put, .delete, .patch, .options, .trace, .connect] + [HTTPRequest.Method(rawValue: "QUERY")].compactMap(\.self)
    }

    /// Answers a method that a route does not have with 405 `method-not-allowed` and `Allow`, instead of the framework's 404.
    ///
    /// Call it when every route is there, before a responder is built.
    func refuseOtherMethods() {
        let routes = Dictionary(grouping: routes, by: \.path.description).values
        for known in routes {
            guard let path = known.first?.path else { continue }
            var allowed = Set(known.map(\.method))
            // The router answers HEAD wherever there is a GET.
            if allowed.contains(.get) { allowed.insert(.head) }
            let allow = allowed.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.methods where !allowed.contains(method) {
                on(path, method: method) { _, _ -> Response in
                    throw ServerError(
                        code: .methodNotAllowed, reason: "this resource takes \(allow)", status: .methodNotAllowed, headers: [.allow: allow]
                    )
                }
            }
        }
    }
}
