import BillfoldJSON
package import BillfoldPayments
package import BillfoldStorage
package import BillfoldWeb
import HTTPTypes

/// The open notices of one server's store: shown on the console, and settled by two persons.
///
/// A settlement is one transaction: what it books, the notice's end and the row in the owner's chain of operators' actions. It runs under
/// the approval's id, so that running it twice does nothing more.
package struct UnmatchedNoticeOffice: UnmatchedNoticeDesk {
    /// A way to settle a notice.
    package struct Way: Sendable, Hashable {
        package var name: String
        /// What people read of it.
        package var title: String

        package init(_ name: String, _ title: String) {
            self.name = name
            self.title = title
        }
    }

    /// What two persons have decided about a notice.
    package struct Decision: Sendable {
        package var notice: UnmatchedNotice
        package var way: String
        /// What of ours they say it belongs to, for example an order's id; nil where they leave it to what the notice names.
        package var belongsTo: String?
        package var reason: String
        package var people: String
        package var at: Timestamp
    }

    /// What a decision has come to, in the transaction.
    package struct Effect: Sendable {
        /// One line for people.
        package var outcome: String
        /// Tells it to others. Runs after the commit.
        package var committed: (@Sendable () -> Void)?

        package init(_ outcome: String, committed: (@Sendable () -> Void)? = nil) {
            self.outcome = outcome
            self.committed = committed
        }
    }

    /// What people read of the place that a notice is to be booked to. Throws for a place that there is not.
    /// What it belongs to is told as they name it: nil where they leave it to what the notice names.
    package typealias Place =
        @Sendable (
            _ notice: UnmatchedNotice, _ way: String, _ belongsTo: String?, _ tx: any Transaction
        ) throws -> [ApprovalAction.Line]

    /// So many of the oldest and of the newest of every source.
    private static let mostShown = 100

    /// The kind of the action that settles a notice, for example `card-settle-notice`. Its subject is the notice's id; its detail
    /// `{"way","shown","belongsTo","reason"}`, where `shown` repeats `UnmatchedNotice.summary`.
    package let action: String
    private let database: any Database
    private let owners: @Sendable () -> [MerchantID]
    private let clock: any WallClock
    private let links: AuditChain
    private let errors: ErrorMapping
    private let ways: @Sendable (UnmatchedNotice) -> [Way]
    private let place: Place?
    private let book: @Sendable (Decision, any Transaction) throws -> Effect

    /// - Parameters:
    ///   - errors: Knows what the server refuses: a refusal means that nothing was booked.
    ///   - ways: How a notice may be settled, beside `UnmatchedNotice.closed`.
    ///   - place: Where it would be booked to; nil where a bare name tells people enough.
    ///   - book: Books a decision for one of those ways. It may run several times with its transaction.
    package init(
        action: String, database: any Database, owners: @escaping @Sendable () -> [MerchantID], clock: any WallClock, links: AuditChain,
        errors: ErrorMapping, ways: @escaping @Sendable (UnmatchedNotice) -> [Way], place: Place? = nil,
        book: @escaping @Sendable (Decision, any Transaction) throws -> Effect
    ) {
        self.action = action
        self.database = database
        self.owners = owners
        self.clock = clock
        self.links = links
        self.errors = errors
        self.ways = ways
        self.place = place
        self.book = book
    }

    /// The action for an ``ApprovalQueue``, by its kind.
    package var actions: [String: ApprovalAction] { [action: ApprovalAction(read: read, run: run)] }

    package func unmatchedNotices() async throws -> [UnmatchedNoticeView] {
        let owners = owners()
        let open = try await database.read { tx in
            try owners.flatMap { try UnmatchedNoticeRecords.shown($0, most: Self.mostShown, in: tx) }
        }
        return open.map { notice in
            UnmatchedNoticeView(
                id: notice.id.description, action: action, summary: notice.summary, about: notice.about,
                evidence: String(decoding: notice.evidence, as: UTF8.self), note: notice.note, receivedAt: notice.receivedAt.microseconds,
                ways: offered(notice).map { .init(name: $0.name, title: $0.title) })
        }
    }

    package func openUnmatchedNotices() async throws -> Int64 {
        let owners = owners()
        return try await database.read { tx in try owners.reduce(0) { try $0 + UnmatchedNoticeRecords.countOpen($1, in: tx) } }
    }

    private func offered(_ notice: UnmatchedNotice) -> [Way] {
        ways(notice) + [Way(UnmatchedNotice.closed, "Book nothing: the books of both sides agree without it")]
    }

    @Sendable private func read(_ subject: String, _ bytes: [UInt8]) async throws -> ApprovalAction.Wish {
        let (detail, owners) = (try NoticeDetail(bytes), owners())
        let found = try await database.read { tx -> UnmatchedNotice? in
            guard let id = try? TimeOrderedID(text: subject) else { return nil }
            for owner in owners {
                if let notice = try UnmatchedNoticeRecords.find(id, owner: owner, in: tx) { return notice }
            }
            return nil
        }
        guard let found else { throw Self.missing }
        let way = try way(of: detail, for: found)
        var lines: [ApprovalAction.Line] = [
            .init("Settle", found.summary), .init("Way", way.title), .init("Owner", found.owner.description),
        ]
        if let belongsTo = detail.belongsTo { lines.append(.init("Belongs to", belongsTo)) }
        if way.name != UnmatchedNotice.closed { lines += try await shown(found, way: way, belongsTo: detail.belongsTo) }
        return ApprovalAction.Wish(detail: detail.json, lines: lines + [.init("Reason", detail.reason)])
    }

    private func shown(_ notice: UnmatchedNotice, way: Way, belongsTo: String?) async throws -> [ApprovalAction.Line] {
        guard let place else { return [] }
        do {
            return try await database.read { tx in try place(notice, way.name, belongsTo, tx) }
        } catch {
            guard let refusal = errors.refusal(for: error), refusal.status.kind == .clientError else { throw error }
            throw ServerError(refusal)
        }
    }

    /// Refuses a detail about something else than the notice says, and a way by which it cannot be settled.
    private func way(of detail: NoticeDetail, for notice: UnmatchedNotice) throws(ServerError) -> Way {
        guard ExactText.equal(detail.shown, notice.summary) else {
            throw ServerError(code: .conflict, reason: "the notice says something else than what was shown", status: .conflict)
        }
        guard let way = offered(notice).first(where: { ExactText.equal($0.name, detail.way) }) else {
            throw .malformed("a notice of this kind is not settled so")
        }
        return way
    }

    @Sendable private func run(_ request: ApprovalRequest) async throws -> String {
        let detail = try NoticeDetail(Array(request.detail.utf8))
        guard let id = try? TimeOrderedID(text: request.subject) else { throw Self.missing }
        let (now, owners) = (clock.now(), owners())
        do {
            let effect = try await database.writeRepeatably { tx in
                for owner in owners {
                    guard let notice = try UnmatchedNoticeRecords.find(id, owner: owner, in: tx) else { continue }
                    return try settle(notice, detail: detail, request: request, at: now, in: tx)
                }
                throw Self.missing
            }
            effect.committed?()
            return effect.outcome
        } catch let error as ServerError {
            throw error
        } catch {
            // What is refused before anything was booked becomes the approval's outcome; anything else leaves it approved, to be run again.
            guard let refusal = errors.refusal(for: error), refusal.status.kind == .clientError else { throw error }
            throw ServerError(refusal)
        }
    }

    private func settle(
        _ notice: UnmatchedNotice, detail: NoticeDetail, request: ApprovalRequest, at now: Timestamp, in tx: any Transaction
    ) throws -> Effect {
        if let done = notice.settlement {
            guard done.request == request.id.description else {
                throw ServerError(code: .conflict, reason: "the notice was settled before: \(done.outcome)", status: .conflict)
            }
            return Effect(done.outcome)
        }
        let way = try way(of: detail, for: notice)
        let people = request.people
        let effect =
            way.name == UnmatchedNotice.closed
            ? Effect("closed: nothing was booked")
            : try book(
                Decision(
                    notice: notice, way: way.name, belongsTo: detail.belongsTo, reason: detail.reason, people: people, at: now), tx)
        let settlement = UnmatchedNotice.Settlement(
            way: way.name, remark: detail.reason, outcome: effect.outcome, people: people, request: request.id.description, at: now)
        guard try UnmatchedNoticeRecords.settle(notice.id, owner: notice.owner, as: settlement, linking: links, in: tx) else {
            throw PaymentsError(code: .contended, reason: "the notice is being settled")
        }
        try AuditRecords.append(
            to: ChainedOperatorAudit.chain, by: people, action: "notice.\(way.name)", object: "notice:\(notice.id)",
            result: "\(notice.summary): \(effect.outcome): \(EventDetail.storable(detail.reason))", at: now, merchant: notice.owner,
            linking: links, in: tx)
        return effect
    }

    private static var missing: ServerError {
        ServerError(code: .notFound, reason: "there is no such notice", status: .notFound)
    }
}
