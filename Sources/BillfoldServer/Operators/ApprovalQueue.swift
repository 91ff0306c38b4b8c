import BillfoldJSON
package import BillfoldStorage
import HTTPTypes
package import Logging
import ServiceLifecycle

/// How many people an action takes.
package enum ApprovalPolicy: Sendable, Hashable {
    case twoPersons
    /// The person who asks may also approve: for a sandbox on one machine, refused in production mode.
    case onePerson
}

/// Requests for actions that move money or trust, each waiting for somebody else's approval.
///
/// Approving commits before the action runs, and the action runs under the request's id as idempotency key: after a crash
/// ``resume()`` runs it again, and it must not happen twice.
package struct ApprovalQueue: Service {
    private let database: any Database
    private let clock: any WallClock
    private let random: RandomBytes
    private let audit: any OperatorAudit
    package let policy: ApprovalPolicy
    private let lifetime: Duration
    private let actions: [String: ApprovalAction]
    private let logger: Logger

    package init(
        database: any Database, clock: any WallClock, random: RandomBytes, audit: any OperatorAudit, mode: ServerMode,
        policy: ApprovalPolicy = .twoPersons, lifetime: Duration = .seconds(24 * 3600), actions: [String: ApprovalAction], logger: Logger
    ) throws(ServerError) {
        guard mode == .test || policy == .twoPersons else {
            throw ServerError(
                code: .configurationInvalid, reason: "in production mode actions take two persons", status: .internalServerError)
        }
        self.database = database
        self.clock = clock
        self.random = random
        self.audit = audit
        self.policy = policy
        self.lifetime = lifetime
        self.actions = actions
        self.logger = logger
    }

    /// Asks for an action. Takes the role `operator` and, under ``ApprovalPolicy/twoPersons``, somebody who signed in.
    ///
    /// - Parameter detail: JSON for the action. It is read strictly, refused with `malformed-request` or by the action's own rules, and
    ///   kept as ``ApprovalRequest/detail`` in one form.
    package func request(kind: String, subject: String, detail: String, by person: OperatorIdentity) async throws -> ApprovalRequest {
        try requireSignedIn(person)
        try person.require(.operator)
        guard let action = actions[kind] else {
            throw ServerError(code: .unknownAction, reason: "no action of that kind", status: .unprocessableContent)
        }
        guard (1...256).contains(subject.utf8.count), detail.utf8.count <= Self.longestDetail else { throw Self.tooLong }
        let wish = try await read(detail, of: subject, by: action)
        // What is written anew may be longer than what came.
        let canonical = JSONValue.object(wish.detail).text
        guard canonical.utf8.count <= Self.longestDetail else { throw Self.tooLong }
        let now = clock.now()
        let request = ApprovalRequest(
            id: ApprovalRequest.ID(bytes: random.bytes(16)), kind: kind, subject: subject, detail: canonical, lines: wish.lines,
            requestedBy: person.name, requestedAt: now, expiresAt: now.advanced(by: lifetime), state: .waiting,
            decidedBy: nil, decidedAt: nil, outcome: nil)
        let audit = audit
        try await database.write { tx in
            try OperatorRecords.insertApproval(request, in: tx)
            try audit.append(
                OperatorAction(at: now, actor: person.name, action: "approval.request.\(kind)", object: subject, result: "\(request.id)"),
                in: tx)
            try audit.append(
                OperatorAction(at: now, actor: person.name, action: "approval.sealed", object: "\(request.id)", result: request.seal),
                in: tx)
        }
        return request
    }

    /// The request itself could be read: what its detail lacks is unprocessable, whatever status a server's own reader has for it.
    private func read(_ detail: String, of subject: String, by action: ApprovalAction) async throws -> ApprovalAction.Wish {
        do {
            return try await action.read(subject, Array(detail.utf8))
        } catch var error as ServerError where error.status == .badRequest {
            error.status = .unprocessableContent
            throw error
        }
    }

    /// Approves and runs an action. Takes the role `approver` and, under ``ApprovalPolicy/twoPersons``, another person than the
    /// one who asked (`same-person`).
    package func approve(_ id: ApprovalRequest.ID, by person: OperatorIdentity) async throws -> ApprovalRequest {
        let request = try await decide(id, by: person, to: .approved)
        return try await run(request)
    }

    /// Refuses an action for good. Whoever asked for it may take it back.
    package func reject(_ id: ApprovalRequest.ID, by person: OperatorIdentity) async throws -> ApprovalRequest {
        try await decide(id, by: person, to: .rejected)
    }

    package func requests(in state: ApprovalRequest.State = .waiting, limit: Int = 100) async throws -> [ApprovalRequest] {
        try await database.read { try OperatorRecords.approvals(in: state, limit: limit, in: $0) }
    }

    /// Runs what was approved before the process ended, then waits for the end: one of the process's workers.
    package func run() async throws {
        do { try await resume() } catch {
            logger.error("approved actions could not be read", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
        }
        try? await gracefulShutdown()
    }

    /// Runs what was approved before the process ended. Call it when the server starts.
    package func resume() async throws {
        for request in try await requests(in: .approved, limit: 1_000) {
            do { _ = try await run(request) } catch {
                logger.error(
                    "approved action failed", metadata: ["approval": "\(request.id)", "error": "\(ErrorMapping.logDescription(of: error))"])
            }
        }
    }

    private func decide(_ id: ApprovalRequest.ID, by person: OperatorIdentity, to state: ApprovalRequest.State) async throws
        -> ApprovalRequest
    {
        try requireSignedIn(person)
        let now = clock.now()
        let audit = audit
        let policy = policy
        let decided: Result<ApprovalRequest, ServerError> = try await database.write { tx in
            guard let request = try OperatorRecords.approval(id, in: tx) else {
                return .failure(ServerError(code: .notFound, reason: "no such request", status: .notFound))
            }
            let refusal = Self.refusal(of: request, by: person, to: state, policy: policy, now: now)
            if refusal?.code == .approvalExpired {
                _ = try OperatorRecords.move(id, from: .waiting, to: .expired, by: nil, at: now, in: tx)
            }
            let isMoved = try refusal == nil && OperatorRecords.move(id, from: .waiting, to: state, by: person.name, at: now, in: tx)
            try audit.append(
                OperatorAction(
                    at: now, actor: person.name, action: "approval.\(state.rawValue)", object: "\(id)",
                    result: isMoved ? "done" : "refused: \(refusal?.code.description ?? "approval-decided")"), in: tx)
            guard isMoved, let moved = try OperatorRecords.approval(id, in: tx) else { return .failure(refusal ?? Self.alreadyDecided) }
            return .success(moved)
        }
        return try decided.get()
    }

    /// Two persons can be told apart only where they signed in.
    private func requireSignedIn(_ person: OperatorIdentity) throws(ServerError) {
        guard policy == .onePerson || person.isSignedIn else { throw .signInFirst }
    }

    private static let longestDetail = 8_192

    private static var tooLong: ServerError { .malformed("the subject is empty or too long, or the detail is too long") }

    private static var alreadyDecided: ServerError {
        ServerError(code: .approvalDecided, reason: "the request has been decided", status: .conflict)
    }

    private static func refusal(
        of request: ApprovalRequest, by person: OperatorIdentity, to state: ApprovalRequest.State, policy: ApprovalPolicy, now: Timestamp
    ) -> ServerError? {
        let takesItBack = state == .rejected && request.requestedBy == person.name
        if !takesItBack, !person.roles.contains(.approver) {
            return ServerError(code: .roleRequired, reason: "this takes the role 'approver'", status: .forbidden)
        }
        if request.state != .waiting { return alreadyDecided }
        if now >= request.expiresAt {
            return ServerError(code: .approvalExpired, reason: "the request has expired; ask again", status: .conflict)
        }
        if state == .approved, policy == .twoPersons, request.requestedBy == person.name {
            return ServerError(code: .samePerson, reason: "somebody else has to approve this", status: .forbidden)
        }
        return nil
    }

    private func run(_ request: ApprovalRequest) async throws -> ApprovalRequest {
        guard let action = actions[request.kind] else {
            throw ServerError(code: .unknownAction, reason: "no action of that kind", status: .unprocessableContent)
        }
        let state: ApprovalRequest.State
        let outcome: String
        do {
            outcome = try await action.run(request)
            state = .done
        } catch let error as ServerError {
            outcome = "\(error)"
            state = .failed
        }
        let now = clock.now()
        let audit = audit
        return try await database.write { tx in
            let isMoved = try OperatorRecords.move(
                request.id, from: .approved, to: state, by: nil, at: now, outcome: outcome, in: tx)
            try audit.append(
                OperatorAction(at: now, actor: "system", action: "approval.run.\(request.kind)", object: request.subject, result: outcome),
                in: tx)
            // That row is about the subject. This one is about the request, as its approval's is, and tells how it ended.
            if isMoved {
                try audit.append(
                    OperatorAction(
                        at: now, actor: "system", action: "approval.\(state.rawValue)", object: "\(request.id)", result: outcome), in: tx)
            }
            return try OperatorRecords.approval(request.id, in: tx) ?? request
        }
    }
}
