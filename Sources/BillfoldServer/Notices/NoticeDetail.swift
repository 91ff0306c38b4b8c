import BillfoldJSON

/// The detail of an approval that settles a notice, read strictly.
struct NoticeDetail: Sendable {
    var way: String
    /// The summary as the person who asks has seen it.
    var shown: String
    var belongsTo: String?
    var reason: String

    init(_ bytes: [UInt8]) throws(ServerError) {
        let body = try ApprovalReader(bytes, allowing: ["way", "shown", "belongsTo", "reason"])
        way = try body.text("way", maximum: 64)
        shown = try body.text("shown", maximum: 2_048)
        belongsTo = try body.optionalText("belongsTo", maximum: 128)
        reason = try body.reason()
    }

    var json: JSONObject {
        JSONObject(ordered: [
            "way": .string(way), "shown": .string(shown), "belongsTo": belongsTo.map { .string($0) }, "reason": .string(reason),
        ])
    }
}
