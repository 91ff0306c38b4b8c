extension DeliveryRecords {
    /// What a reply that is no acknowledgement looks like, as the end of a sentence about it; nil where it looks like nothing known.
    package static func likeness(of reply: [UInt8]) -> String? {
        if reply.isEmpty { return "it has no body" }
        if reply.starts(with: [0xEF, 0xBB, 0xBF]) { return "it begins with a byte order mark" }
        let text = String(decoding: reply.prefix(64), as: UTF8.self).drop { $0.isWhitespace }.lowercased()
        if text.hasPrefix("<") { return "it is a page, such as that of a login or of a proxy in front of the receiver" }
        if text.hasPrefix("success") { return "it is the word that another protocol asks for" }
        return nil
    }

    /// Why a status is no acknowledgement, where 200 is due, or what is said.
    package static func complaint(aboutStatus status: Int, due: String = "200") -> String {
        let rest =
            switch status {
            case 201...299: ": \(due) is due"
            case 300...399: ": \(due) is due, and redirections are not followed"
            case 401, 403, 407, 419: ": somebody in front of the receiver asks who is there, and a notification has no login"
            default: ""
            }
        return "the status is \(status)" + rest
    }
}
