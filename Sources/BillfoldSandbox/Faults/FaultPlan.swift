/// What goes wrong with one order, on purpose. The plan that is made without arguments does nothing.
///
/// As JSON, every key may be left out; an unknown key is refused, so that a misspelt fault is not taken for none.
package struct FaultPlan: Sendable, Hashable, Codable {
    /// What is lost between the caller and the party.
    package enum Loss: String, Sendable, Hashable, Codable, CaseIterable {
        case nothing
        /// The request never arrives: nothing is booked, and there is no answer.
        case request
        /// It is booked, and the answer is lost.
        case reply
    }

    /// How the notification differs from the truth.
    package enum Notification: String, Sendable, Hashable, Codable, CaseIterable {
        case correct
        case never
        /// Its signature does not fit.
        case corruptSignature
        /// It states another amount, rightly signed: see ``FaultPlan/amountOffset``.
        case wrongAmount
    }

    /// How the settlement file differs from the truth.
    package enum FileDifference: String, Sendable, Hashable, Codable, CaseIterable {
        case none
        case omitted
        case amount
        case fee
    }

    package var loss = Loss.nothing
    /// How long the synchronous answer waits, in milliseconds of real time.
    package var replyDelayMilliseconds = 0
    package var corruptReplySignature = false
    package var notification = Notification.correct
    /// Seconds, on the store's clock, between the success and its notification.
    package var notificationDelaySeconds = 0
    /// How many more times the same notification is sent although it was acknowledged.
    package var duplicateNotifications = 0
    /// Sends the notification before the synchronous answer.
    package var notificationBeforeReply = false
    /// Minor units that a wrong amount is off by, in the notification and in the file.
    package var amountOffset: Int64 = 1
    /// The synchronous code, for example `03` or `64`; absent means accepted. A declining code declines.
    package var replyCode: String?
    /// The codes of successive queries, before the truth is told; `34` is about the query, others about the original.
    package var queryCodes: [String] = []
    /// Seconds, on the store's clock, after which the transaction succeeds whatever was said before.
    package var lateSuccessSeconds: Int?
    package var fileDifference = FileDifference.none

    package init() {}

    /// Draws a plan from a seed and an order's name; the same two give the same plan. About half of all orders have none.
    package static func drawn(seed: UInt64, for name: String) -> FaultPlan {
        var draw = FaultDraw(seed: seed, for: name)
        var plan = FaultPlan()
        switch draw.next(below: 24) {
        case 0: plan.loss = .request
        case 1: plan.loss = .reply
        case 2: plan.replyDelayMilliseconds = 50 + draw.next(below: 400)
        case 3: plan.corruptReplySignature = true
        case 4: plan.notification = .never
        case 5: plan.notification = .corruptSignature
        case 6:
            plan.notification = .wrongAmount
            plan.amountOffset = 1 + Int64(draw.next(below: 100))
        case 7: plan.notificationDelaySeconds = 1 + draw.next(below: 120)
        case 8: plan.duplicateNotifications = 1 + draw.next(below: 3)
        case 9: plan.notificationBeforeReply = true
        case 10:
            plan.replyCode = ["03", "04", "05"][draw.next(below: 3)]
            plan.queryCodes = ["34", "05", "05"]
        case 11: plan.replyCode = ["61", "64", "65"][draw.next(below: 3)]
        case 12:
            plan.replyCode = "05"
            plan.lateSuccessSeconds = 30 + draw.next(below: 600)
        default: break
        }
        return plan
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case loss, replyDelayMilliseconds, corruptReplySignature, notification, notificationDelaySeconds, duplicateNotifications
        case notificationBeforeReply, amountOffset, replyCode, queryCodes, lateSuccessSeconds, fileDifference
    }

    package init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a fault plan")
        let container = try decoder.container(keyedBy: CodingKeys.self)
        loss = try container.decodeIfPresent(Loss.self, forKey: .loss) ?? .nothing
        replyDelayMilliseconds = try container.decodeIfPresent(Int.self, forKey: .replyDelayMilliseconds) ?? 0
        corruptReplySignature = try container.decodeIfPresent(Bool.self, forKey: .corruptReplySignature) ?? false
        notification = try container.decodeIfPresent(Notification.self, forKey: .notification) ?? .correct
        notificationDelaySeconds = try container.decodeIfPresent(Int.self, forKey: .notificationDelaySeconds) ?? 0
        duplicateNotifications = try container.decodeIfPresent(Int.self, forKey: .duplicateNotifications) ?? 0
        notificationBeforeReply = try container.decodeIfPresent(Bool.self, forKey: .notificationBeforeReply) ?? false
        amountOffset = try container.decodeIfPresent(Int64.self, forKey: .amountOffset) ?? 1
        replyCode = try container.decodeIfPresent(String.self, forKey: .replyCode)
        queryCodes = try container.decodeIfPresent([String].self, forKey: .queryCodes) ?? []
        lateSuccessSeconds = try container.decodeIfPresent(Int.self, forKey: .lateSuccessSeconds)
        fileDifference = try container.decodeIfPresent(FileDifference.self, forKey: .fileDifference) ?? .none
        let bounded =
            (0...600_000).contains(replyDelayMilliseconds) && (0...31_536_000).contains(notificationDelaySeconds)
            && (0...20).contains(duplicateNotifications) && (-1_000_000...1_000_000).contains(amountOffset)
            && (0...31_536_000).contains(lateSuccessSeconds ?? 0) && queryCodes.count <= 100
        guard bounded else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a number of the fault plan is out of its range"))
        }
    }
}
