import HTTPTypes
import Hummingbird

extension Response {
    /// Leads to another page once a form is done.
    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
    }
}
