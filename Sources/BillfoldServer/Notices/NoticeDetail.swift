import BillfoldJSON
import HTTPTypes

/// The detail of an approval that settles a notice, read strictly.
struct NoticeDetail: Sendable {
    private struct Malformed: RequestRefusal {
        var reason: String
        static func malformed(_ reason: String) -> Self { Self(reason: reason) }
    }

    var way: String
    /// The summary as the person who asks has seen it.
    var shown: String
    var belongsTo: String?
    var reason: String

    init(_ text: String) throws(ServerError) {
        do throws(Malformed) {
            let body = try ClosedObjectReader<Malformed>(Array(text.utf8), allowing: ["way", "shown", "belongsTo", "reason"])
            way = try body.text("way", maximum: 64)
            shown = try body.text("shown", maximum: 2_048)
            belongsTo = try body.optionalText("belongsTo", maximum: 128)
            reason = try body.text("reason", maximum: 500)
        } catch {
            throw ServerError(code: .malformedRequest, reason: error.reason, status: .unprocessableContent)
        }
    }
}
