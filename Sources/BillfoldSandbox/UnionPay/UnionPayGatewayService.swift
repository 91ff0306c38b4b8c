import BillfoldMoney
import BillfoldStorage
import UnionPay

/// Answers messages: one write each, then the answer from what was committed.
struct UnionPayGatewayService: Sendable {
    /// An answer, and what the order's plan does to it on the way.
    struct Answer: Sendable {
        /// Signed; absent when the request was lost.
        var fields: UnionPayFields?
        var plan = FaultPlan()
        /// Whether something was booked, so that a notification can go out before the answer.
        var isBooked = false
        /// Why the message was refused, for the trace.
        var problem: String?
    }

    let database: any Database
    let clock: any WallClock
    let authority: UnionPayGatewayAuthority
    let random: @Sendable () -> UInt64
    let servesOpenDays: Bool

    /// Fields that a reply repeats from the request.
    private static let repeated = [
        "version", "encoding", "txnType", "txnSubType", "bizType", "accessType", "merId", "orderId", "txnTime", "txnAmt",
        "currencyCode", "reqReserved", "settleDate", "fileType",
    ]

    /// Takes a message whose form was read and whose signature was not checked yet.
    ///
    /// - Parameter isPush: Whether it came to the address that takes orders for the client on the phone.
    func answer(_ message: UnionPayFields, allowed: Set<TransactionType>, isPush: Bool = false) async throws -> Answer {
        let verified: VerifiedFields
        do { verified = try await verify(message) } catch let error as UnionPayError {
            return try refuse(message, with: .refuse("11", "验证签名失败", reason: "9100004"), problem: "\(error)")
        }
        do {
            guard let type = TransactionType(rawValue: try verified.fields.required("txnType")), allowed.contains(type) else {
                return try refuse(
                    message, with: .refuse("10", "交易类型与接口不符", reason: "9100010"), problem: "this address does not take this txnType")
            }
            switch type {
            case .consume where isPush: return try await push(verified, message)
            case .query: return try await query(QueryRequest(verified), message)
            case .fileTransfer: return try await file(FileTransferRequest(verified), message)
            case .consume, .refund, .void, .reversal: return try await money(order(type, verified), message)
            }
        } catch let error as UnionPayError {
            let code = error.code == .missingField ? "13" : "10"
            return try refuse(message, with: .refuse(code, "报文格式错误", reason: "9100013"), problem: "\(error)")
        }
    }

    private func verify(_ message: UnionPayFields) async throws -> VerifiedFields {
        let merchant = try MerchantID(message.required("merId"))
        let keys = try await database.read { try UnionPayGatewayMerchantRecords.keys(of: merchant, in: $0) }
        let verified = try MerchantSignatureVerifier(keys).verified(message)
        OwnTime.enter(merchant.description)
        return verified
    }

    /// The answer to a body that is no list of fields.
    func unreadable(_ error: UnionPayError) throws -> Answer {
        try refuse(["version": "5.1.0", "encoding": "UTF-8"], with: .refuse("10", "报文格式错误", reason: "9100010"), problem: "\(error)")
    }

    /// - Parameter problem: What is wrong with the message; `nil` where nothing is.
    func refuse(_ message: UnionPayFields, with decision: UnionPayGatewayDecision, problem: String?) throws -> Answer {
        Answer(fields: try reply(message, decision), problem: problem)
    }

    // MARK: Money

    private func order(_ type: TransactionType, _ verified: VerifiedFields) throws -> UnionPayGatewayOrder {
        let now = clock.now()
        let queryID = try newQueryID(now)
        let trace = digits(6)
        func make(_ key: TransactionKey, amount: Amount, original: OriginalReference? = nil, backURL: String? = nil) -> UnionPayGatewayOrder
        {
            UnionPayGatewayOrder(
                key: key, type: type, amount: amount, original: original, backURL: backURL, echo: echo(verified.fields).dictionary,
                queryID: queryID, traceNumber: trace, now: now)
        }
        switch type {
        case .consume:
            let request = try ConsumeRequest(verified)
            return make(request.key, amount: request.amount, backURL: request.backURL)
        case .refund:
            let request = try RefundRequest(verified)
            return make(request.key, amount: request.amount, original: request.original, backURL: request.backURL)
        case .void:
            let request = try VoidRequest(verified)
            return make(request.key, amount: request.amount, original: request.original, backURL: request.backURL)
        default:
            let request = try ReversalRequest(verified)
            return make(request.key, amount: request.amount)
        }
    }

    private func money(_ order: UnionPayGatewayOrder, _ message: UnionPayFields) async throws -> Answer {
        var generator = InjectedGenerator(draw: random)
        let ids = (0...20).map { _ in TimeOrderedID(at: order.now, using: &generator).bytes }
        let (decision, plan) = try await database.write { transaction in try Self.decide(order, ids, in: transaction) }
        guard let decision else { return Answer(fields: nil, plan: plan, problem: "the request was lost on the way (fault plan)") }
        var fields = try reply(message, decision, queryID: decision.booking?.queryID)
        if plan.corruptReplySignature { fields = UnionPayGatewayFault.corruptingSignature(fields) }
        return Answer(fields: fields, plan: plan, isBooked: decision.booking != nil)
    }

    /// Decides and books. No decision means that the request is lost.
    private static func decide(
        _ order: UnionPayGatewayOrder, _ notificationIDs: [[UInt8]], in transaction: any Transaction
    ) throws -> (UnionPayGatewayDecision?, FaultPlan) {
        let merchant = order.key.merchant
        if order.type == .reversal {
            let original = try UnionPayGatewayRecords.find(order.key, in: transaction)
            let undoing = try original.map { try UnionPayGatewayRecords.undoing($0.queryID, of: merchant, in: transaction) } ?? []
            let decision = UnionPayGatewayRules.reversal(order, of: original, undoing: undoing)
            if let (key, standing) = decision.standing {
                try UnionPayGatewayRecords.set(standing, of: key, in: transaction)
                try UnionPayGatewayNotificationRecords.cancel(of: key, in: transaction)
            }
            return (decision, FaultPlan())
        }
        let day = BeijingTime(order.now).settlementDay.description
        let isKnown = try UnionPayGatewayRecords.find(order.key, in: transaction) != nil
        // So is the number of an order that waits for its customer in the client: it would be paid twice.
        let isUsed =
            try isKnown || UnionPayGatewayRecords.isUsed(order.key.order, on: day, by: merchant, in: transaction)
            || UnionPayPushRecords.isUsed(order.key.order, by: merchant, in: transaction)
        let original =
            switch order.original {
            case .queryID(let number)?: try UnionPayGatewayRecords.find(number, of: merchant, in: transaction)
            case .key(let key)?: try UnionPayGatewayRecords.find(key, in: transaction)
            case nil: nil as UnionPayGatewayTransaction?
            }
        let shopOrder = order.echo["reqReserved"] ?? original?.echo["reqReserved"]
        let plan = isUsed ? FaultPlan() : try UnionPayGatewayRecords.plan(for: order.key.order, of: shopOrder, in: transaction)
        if plan.loss == .request { return (nil, plan) }
        var decision: UnionPayGatewayDecision
        if order.type == .consume {
            decision = UnionPayGatewayRules.consume(order, isUsed: isUsed, plan: plan)
        } else {
            let undoing = try original.map { try UnionPayGatewayRecords.undoing($0.queryID, of: merchant, in: transaction) } ?? []
            decision =
                order.type == .void
                ? UnionPayGatewayRules.void(order, of: original, undoing: undoing, isUsed: isUsed)
                : UnionPayGatewayRules.refund(order, of: original, undoing: undoing, isUsed: isUsed, plan: plan)
        }
        if let booking = decision.booking {
            guard try UnionPayGatewayRecords.insert(booking, in: transaction) else {
                decision = .refuse("12", "重复交易", reason: "9100012")
                return (decision, plan)
            }
            if let (key, standing) = decision.standing { try UnionPayGatewayRecords.set(standing, of: key, in: transaction) }
            for notification in UnionPayGatewayReplies.notifications(of: booking, ids: notificationIDs) {
                try UnionPayGatewayNotificationRecords.insert(notification, in: transaction)
            }
        }
        return (decision, plan)
    }

    // MARK: Query and file

    private func query(_ request: QueryRequest, _ message: UnionPayFields) async throws -> Answer {
        let now = clock.now()
        let (row, pushed) = try await database.write { transaction -> (UnionPayGatewayTransaction?, UnionPayPushedOrder?) in
            let row = try UnionPayGatewayRecords.find(request.key, in: transaction)
            if let row { try UnionPayGatewayRecords.countQuery(of: row.key, in: transaction) }
            return (row, try row == nil ? UnionPayPushRecords.find(request.key, in: transaction) : nil)
        }
        guard let row else {
            // Who asks about an order that waits for its customer does nothing wrong.
            let waits = pushed.map { !$0.isOver(at: now) } ?? false
            return try refuse(
                message, with: .refuse("34", "查无此交易", reason: "9100034"), problem: waits ? nil : "no transaction has this triple")
        }
        let code = UnionPayGatewayRules.queryCode(row, at: now)
        if code == "34" {
            return try refuse(message, with: .refuse("34", "查无此交易", reason: "9100034"), problem: "not there yet (fault plan)")
        }
        var fields = echo(message)
        for (name, value) in UnionPayGatewayReplies.settlement(of: row) { fields[name] = value }
        fields["origRespCode"] = code
        fields["origRespMsg"] = UnionPayGatewayReplies.text(code)
        fields["txnAmt"] = String(row.amount)
        fields["currencyCode"] = row.currency
        fields["issuerIdentifyMode"] = "0"
        fields["respCode"] = "00"
        fields["respMsg"] = "成功[0000000]"
        return Answer(fields: try authority.signer.signed(fields))
    }

    private func file(_ request: FileTransferRequest, _ message: UnionPayFields) async throws -> Answer {
        let now = clock.now()
        let day = request.settlementDay.description
        let isOpen = BeijingTime(now).settlementDay.description == day
        let rows = try await database.read { try UnionPayGatewayRecords.list(request.merchant, day: day, in: $0) }
        let settled = UnionPayGatewayFile.settled(rows, at: now)
        guard request.fileType == "00", !settled.isEmpty, servesOpenDays || !isOpen else {
            return try refuse(
                message, with: .refuse("98", "文件不存在", reason: "9100098"), problem: "there is no file for this day, or not yet")
        }
        var fields = echo(message)
        let (name, content) = try UnionPayGatewayFile.packed(settled, merchant: request.merchant, at: now)
        fields["fileName"] = name
        fields["fileContent"] = content
        fields["respCode"] = "00"
        fields["respMsg"] = "成功[0000000]"
        return Answer(fields: try authority.signer.signed(fields))
    }

    // MARK: Parts

    func reply(_ message: UnionPayFields, _ decision: UnionPayGatewayDecision, queryID: QueryID? = nil) throws -> UnionPayFields {
        var fields = echo(message)
        fields["queryId"] = queryID?.description
        fields["respCode"] = decision.code
        fields["respMsg"] = decision.message
        fields["respTime"] = BeijingTime(clock.now()).description
        return try authority.signer.signed(fields)
    }

    func echo(_ message: UnionPayFields) -> UnionPayFields {
        var fields = UnionPayFields()
        for name in Self.repeated where message.optional(name) != nil {
            // What a stranger sent must not break the reply's own form.
            let value = message[name] ?? ""
            if !value.contains(where: { "&={}[]".contains($0) }) { fields[name] = value }
        }
        fields["version"] = "5.1.0"
        fields["encoding"] = "UTF-8"
        return fields
    }

    /// Fourteen digits of the time and seven at random; a clash breaks a unique index, and the write is refused.
    func newQueryID(_ now: Timestamp) throws -> QueryID { try QueryID(BeijingTime(now).description + digits(7)) }

    func digits(_ count: Int) -> String {
        var generator = InjectedGenerator(draw: random)
        return (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }
}

/// Randomness that the composition hands in.
struct InjectedGenerator: RandomNumberGenerator {
    let draw: @Sendable () -> UInt64
    mutating func next() -> UInt64 { draw() }
}
