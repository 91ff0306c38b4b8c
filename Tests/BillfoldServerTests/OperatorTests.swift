import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import HTTPTypes
import Logging
import Synchronization
import Testing

@Suite(.serialized) struct OperatorTests {
    @Test func aPasswordMatchesItsHashAndNoOther() throws {
        let hash = try PasswordHash(Secret("correct horse battery"), cost: OperatorFixture.cost, salt: Array(repeating: 7, count: 16))
        #expect(hash.matches(Secret("correct horse battery")))
        #expect(!hash.matches(Secret("correct horse batterz")))
        let stored = try #require(PasswordHash(stored: hash.text))
        #expect(stored.matches(Secret("correct horse battery")))
        #expect(!hash.text.contains("horse"))
    }

    /// RFC 7914, section 12, third vector, cut to the 32 bytes that are kept.
    @Test func theHashIsScryptAsTheRFCDefinesIt() throws {
        let stored = try #require(
            PasswordHash(
                stored: "scrypt$14$8$1$536f6469756d43686c6f72696465$7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"))
        #expect(stored.matches(Secret("pleaseletmein")))
        #expect(!stored.matches(Secret("pleaseletmeout")))
    }

    @Test(arguments: ["", "scrypt$5$8$1$00$00", "bcrypt$5$8$1$00$00", "scrypt$99$8$1$00112233445566778899aabbccddeeff$00"])
    func otherTextIsNoHash(text: String) { #expect(PasswordHash(stored: text) == nil) }

    @Test(arguments: ["elevenchars", "aaaaaaaaaaaaaaaa", "abcdabcdabcdabcd"])
    func aWeakPasswordIsRefused(password: String) {
        let error = #expect(throws: ServerError.self) { try PasswordHash(Secret(password), salt: Array(repeating: 0, count: 16)) }
        #expect(error?.code == .weakPassword)
    }

    @Test(arguments: StoreEngine.available)
    func aNewPasswordEndsSessionsAndTheOldOne(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let old = OperatorFixture.password
            let token = try await fixture.directory.signIn("ann", password: Secret(old), from: "x").token
            let weak = await #expect(throws: ServerError.self) {
                try await fixture.directory.reset("ann", password: Secret("short"), by: "account:root")
            }
            #expect(weak?.code == .weakPassword)
            #expect(try await fixture.directory.session(token: token) != nil)

            try await fixture.directory.reset("ann", password: Secret("battery staple horse"), by: "account:root")
            #expect(try await fixture.directory.session(token: token) == nil)
            let refused = await #expect(throws: ServerError.self) {
                try await fixture.directory.signIn("ann", password: Secret(old), from: "x")
            }
            #expect(refused?.code == .signInRefused)
            _ = try await fixture.directory.signIn("ann", password: Secret("battery staple horse"), from: "x")
            #expect(try await TableAudit.lines(in: fixture.database).contains("account:root operator.reset done"))

            let nobody = await #expect(throws: ServerError.self) {
                try await fixture.directory.reset("nobody", password: Secret("battery staple horse"), by: "account:root")
            }
            #expect(nobody?.code == .notFound)
            #expect(try await TableAudit.lines(in: fixture.database).last == "account:root operator.reset refused: no such operator")
        }
    }

    @Test(arguments: StoreEngine.available)
    func everybodyIsListedAndWhoeverWasDisabledComesBackWithANewPassword(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            try await fixture.directory.disable("bob", by: "ann")
            let listed = try await fixture.directory.operators()
            #expect(listed.map(\.name) == ["ann", "bob", "eve"])
            #expect(listed.map(\.roles) == [[.viewer, .operator, .approver], [.viewer, .approver], [.viewer]])
            #expect(listed.map(\.disabledAt) == [nil, fixture.clock.now(), nil])
            try await fixture.directory.reset("bob", password: Secret("battery staple horse"), by: "ann")
            #expect(try await fixture.directory.operators().allSatisfy { $0.disabledAt == nil })
            _ = try await fixture.directory.signIn("bob", password: Secret("battery staple horse"), from: "x")
        }
    }

    @Test(arguments: StoreEngine.available)
    func whoSignsInHasASessionUntilTheySignOut(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let (session, token) = try await fixture.directory.signIn("ann", password: Secret(OperatorFixture.password), from: "10.0.0.1")
            #expect(session.roles == [.viewer, .operator, .approver])
            #expect(try await fixture.directory.session(token: token)?.name == "ann")
            #expect(try await fixture.directory.session(token: String(token.reversed())) == nil)
            try await fixture.directory.signOut(session)
            #expect(try await fixture.directory.session(token: token) == nil)
            #expect(try await TableAudit.lines(in: fixture.database).suffix(2) == ["ann sign-in done", "ann sign-out done"])
        }
    }

    @Test(arguments: StoreEngine.available)
    func aWrongNameAndAWrongPasswordLookTheSame(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            var reasons: [String] = []
            for (name, password) in [("ann", "wrong wrong wrong"), ("nobody", OperatorFixture.password)] {
                let error = await #expect(throws: ServerError.self) {
                    try await fixture.directory.signIn(name, password: Secret(password), from: "10.0.0.1")
                }
                #expect(error?.code == .signInRefused)
                reasons.append(error?.reason ?? "")
            }
            #expect(reasons[0] == reasons[1])
            // A stranger's made-up names would let him write the trail.
            let lines = try await TableAudit.lines(in: fixture.database)
            #expect(lines.last == "ann sign-in refused")
        }
    }

    @Test(arguments: StoreEngine.available)
    func guessingIsSlowedDown(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            func attempt(_ password: String) async -> ServerError.Code? {
                do {
                    _ = try await fixture.directory.signIn("ann", password: Secret(password), from: "10.0.0.1")
                    return nil
                } catch { return (error as? ServerError)?.code }
            }
            for _ in 0..<5 { #expect(await attempt("wrong wrong wrong") == .signInRefused) }
            #expect(await attempt(OperatorFixture.password) == .rateLimited)
            fixture.uptime.advance(by: .seconds(10))
            #expect(await attempt(OperatorFixture.password) == nil)
        }
    }

    @Test func aStrangerLocksNobodyOutFromElsewhere() async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            for _ in 0..<20 {
                _ = try? await fixture.directory.signIn("ann", password: Secret("wrong wrong wrong"), from: "203.0.113.9")
            }
            let (session, _) = try await fixture.directory.signIn("ann", password: Secret(OperatorFixture.password), from: "10.0.0.1")
            #expect(session.name == "ann")
        }
    }

    @Test func oneAddressDoesNotTryManyNames() async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            var codes: [ServerError.Code] = []
            for number in 0..<40 {
                let error = await #expect(throws: ServerError.self) {
                    try await fixture.directory.signIn("name\(number)", password: Secret("wrong wrong wrong"), from: "203.0.113.9")
                }
                if let error { codes.append(error.code) }
            }
            #expect(codes == Array(repeating: .signInRefused, count: 20) + Array(repeating: .rateLimited, count: 20))
        }
    }

    @Test func aCrowdIsTurnedAwayBeforeAnyWork() async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            let codes = await withTaskGroup(of: ServerError.Code?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            _ = try await fixture.directory.signIn("ann", password: Secret("wrong wrong wrong"), from: "10.0.1.\(number)")
                            return nil
                        } catch { return (error as? ServerError)?.code }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // Whoever is let in is refused for the password; nobody waits in a queue without an end.
            #expect(codes.count == 200)
            #expect(codes.allSatisfy { [.signInRefused, .unavailable, .rateLimited].contains($0) })
        }
    }

    @Test(arguments: ["", "al\u{0}ice", "é", "a b", String(repeating: "a", count: 65)])
    func whatCannotBeANameIsRefusedLikeAWrongPassword(name: String) async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            let error = await #expect(throws: ServerError.self) {
                try await fixture.directory.signIn(name, password: Secret(OperatorFixture.password), from: "10.0.0.1")
            }
            #expect(error?.code == .signInRefused)
        }
    }

    @Test(arguments: StoreEngine.available)
    func aSessionEndsWithDisuseAndWithTime(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let unused = try await fixture.directory.signIn("ann", password: Secret(OperatorFixture.password), from: "x").token
            fixture.clock.advance(by: .seconds(1801))
            #expect(try await fixture.directory.session(token: unused) == nil)
            let used = try await fixture.directory.signIn("ann", password: Secret(OperatorFixture.password), from: "x").token
            for _ in 0..<28 {
                fixture.clock.advance(by: .seconds(1500))
                #expect(try await fixture.directory.session(token: used) != nil)
            }
            fixture.clock.advance(by: .seconds(1500))
            #expect(try await fixture.directory.session(token: used) == nil)
        }
    }

    @Test(arguments: StoreEngine.available)
    func aDisabledOperatorIsOutAtOnce(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let token = try await fixture.directory.signIn("ann", password: Secret(OperatorFixture.password), from: "x").token
            try await fixture.directory.disable("ann", by: "bob")
            #expect(try await fixture.directory.session(token: token) == nil)
            let error = await #expect(throws: ServerError.self) {
                try await fixture.directory.signIn("ann", password: Secret(OperatorFixture.password), from: "x")
            }
            #expect(error?.code == .signInRefused)
        }
    }

    @Test(arguments: StoreEngine.available)
    func neitherPasswordsNorTokensAreStored(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let token = try await fixture.directory.signIn("ann", password: Secret(OperatorFixture.password), from: "x").token
            let texts = try await fixture.database.read { tx in
                try tx.query("SELECT password FROM operators").map { try $0.text(0) }
                    + tx.query("SELECT operator, csrf_token FROM operator_sessions").flatMap { [try $0.text(0), try $0.text(1)] }
                    + tx.query("SELECT actor, object, result FROM test_audit").flatMap { [try $0.text(0), try $0.text(1), try $0.text(2)] }
            }
            #expect(!texts.contains { $0.contains(OperatorFixture.password) || $0.contains(token) })
        }
    }
}

@Suite(.serialized) struct OperatorAuditTests {
    @Test(arguments: StoreEngine.available)
    func operatorActionsAreChainedAndAChangedRowShows(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let clock = StandingClock()
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            try await MigrationRunner(PaymentsSchema.migrations + OperatorRecords.migrations, clock: clock, logger: logger).run(
                on: database)
            let audit = ChainedOperatorAudit(links: AuditChain(key: SymmetricKey(size: .bits256)), owner: try MerchantID("installation"))
            let directory = try OperatorDirectory(
                database: database, clock: clock, uptime: { .zero }, random: countingRandomness(), audit: audit, cost: OperatorFixture.cost)
            try await directory.add("ann", password: Secret(OperatorFixture.password), roles: [.viewer], by: "setup")
            _ = try await directory.signIn("ann", password: Secret(OperatorFixture.password), from: "10.0.0.1")
            guard case .intact(let head) = try await audit.verify(in: database) else {
                Issue.record("the chain is broken before anybody touched it")
                return
            }
            #expect(head.sequence == 2)
            _ = try await database.write { try $0.execute("UPDATE audit_rows SET actor = 'eve' WHERE sequence = 2", []) }
            let verdict = try await audit.verify(in: database)
            #expect(verdict == .broken(sequence: 2))
        }
    }
}

@Suite(.serialized) struct ApprovalTests {
    /// Readers of one language take the first of two equal keys, of another the last: whoever approves must not see the one and run the other.
    @Test(arguments: [
        #"{"amount":{"amount":"1.00","currency":"CNY"},"amount":{"amount":"9000.00","currency":"CNY"}}"#,
        #"{"amount":{"amount":"1.00","amount":"9000.00","currency":"CNY"}}"#,
        #"{"amount":{"amount":"1.00","currency":"CNY","\u0061mount":"9000.00"}}"#, #"{"amount":{"amount":"1.00"}}"#, #"{"amount":"1.00"}"#,
        #"{"amount":{"amount":"1.0","currency":"CNY"}}"#, #"{"amount":{"amount":1.00,"currency":"CNY"}}"#,
        "{\"amount\":{\"amount\":\"1.00\",\"currency\":\"P\u{212A}R\"}}", #"{"remark":"a","remarks":"b"}"#, #"{"remark":"a\u0000b"}"#,
        #"{"remark":""}"#, "[]", "", "{", #"{"remark":"a"} {"remark":"b"}"#,
    ])
    func whatCanBeReadTwoWaysIsRefusedWhenItIsAskedFor(detail: String) async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            let queue = try fixture.queue()
            let refusal = await #expect(throws: ServerError.self) {
                try await queue.request(kind: "refund", subject: "payment-1", detail: detail, by: .ann)
            }
            #expect(refusal?.code == .malformedRequest)
            #expect(try await queue.requests().isEmpty)
        }
    }

    @Test(arguments: StoreEngine.available)
    func whatIsStoredShownAndRunIsTheOneFormThatWasRead(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let run = Mutex<[String]>([])
            let queue = try fixture.queue(actions: [
                "refund": { request in
                    run.withLock { $0.append(request.detail) }
                    return "refunded"
                }
            ])
            let asked = try await queue.request(
                kind: "refund", subject: "payment-1",
                detail: " { \"remark\" : \"l\\u0061te\",\n\"amount\" : {\"currency\":\"CNY\", \"amount\":\"12.50\"} } ", by: .ann)
            let canonical = #"{"amount":{"amount":"12.50","currency":"CNY"},"remark":"late"}"#
            let stored = try #require(try await queue.requests().first)
            #expect(asked.detail == canonical && stored.detail == canonical)
            #expect(stored.lines == [.init("Refund of", "payment-1"), .init("Amount", "12.50 CNY")])
            #expect(try await queue.approve(asked.id, by: .bob).state == .done)
            #expect(run.withLock { $0 } == [canonical])
        }
    }

    @Test(arguments: StoreEngine.available)
    func anActionWaitsForASecondPersonAndRunsOnce(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let runs = Mutex<[String]>([])
            let queue = try fixture.queue(actions: [
                "refund": { request in
                    runs.withLock { $0.append(request.subject) }
                    return "refunded"
                }
            ])
            let request = try await queue.request(kind: "refund", subject: "payment-1", detail: #"{"remark":"twice"}"#, by: .ann)
            #expect(request.state == .waiting)
            #expect(runs.withLock { $0 }.isEmpty)

            let own = await #expect(throws: ServerError.self) { try await queue.approve(request.id, by: .ann) }
            #expect(own?.code == .samePerson)
            let powerless = await #expect(throws: ServerError.self) { try await queue.approve(request.id, by: .eve) }
            #expect(powerless?.code == .roleRequired)
            #expect(runs.withLock { $0 }.isEmpty)

            let done = try await queue.approve(request.id, by: .bob)
            #expect(done.state == .done)
            #expect(done.decidedBy == "bob")
            #expect(done.outcome == "refunded")
            let again = await #expect(throws: ServerError.self) { try await queue.approve(request.id, by: .bob) }
            #expect(again?.code == .approvalDecided)
            #expect(runs.withLock { $0 } == ["payment-1"])
            let trail = try await TableAudit.lines(in: fixture.database).suffix(8).map { $0.split(separator: " ") }
            // A hash of what was asked for.
            #expect(trail[1].last?.count == 64)
            #expect(
                trail.map { $0.prefix($0[1] == "approval.sealed" ? 2 : 3).joined(separator: " ") }
                    == [
                        "ann approval.request.refund \(request.id)", "ann approval.sealed", "ann approval.approved refused:",
                        "eve approval.approved refused:", "bob approval.approved done", "system approval.run.refund refunded",
                        "system approval.done refunded", "bob approval.approved refused:",
                    ])
        }
    }

    @Test(arguments: StoreEngine.available)
    func whoeverDidNotSignInIsNoneOfTheTwo(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let queue = try fixture.queue()
            for stranger in [OperatorIdentity.local, .onlooker] {
                let asking = await #expect(throws: ServerError.self) {
                    try await queue.request(kind: "refund", subject: "p", detail: "{}", by: stranger)
                }
                #expect(asking?.code == .signInRequired)
            }
            let request = try await queue.request(kind: "refund", subject: "p", detail: "{}", by: .ann)
            for stranger in [OperatorIdentity.local, .onlooker] {
                let approving = await #expect(throws: ServerError.self) { try await queue.approve(request.id, by: stranger) }
                #expect(approving?.code == .signInRequired)
            }
            #expect(try await queue.requests().map(\.id) == [request.id])
        }
    }

    @Test(arguments: StoreEngine.available)
    func manyApprovalsAtOnceRunTheActionOnce(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let runs = Mutex(0)
            let queue = try fixture.queue(actions: [
                "refund": { _ in
                    runs.withLock { $0 += 1 }
                    return "done"
                }
            ])
            let request = try await queue.request(kind: "refund", subject: "p", detail: "{}", by: .ann)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { _ = try? await queue.approve(request.id, by: .bob) } }
            }
            #expect(runs.withLock { $0 } == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func whatIsRejectedNeverRuns(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let queue = try fixture.queue()
            let request = try await queue.request(kind: "refund", subject: "p", detail: "{}", by: .ann)
            #expect(try await queue.reject(request.id, by: .ann).state == .rejected)
            await #expect(throws: ServerError.self) { try await queue.approve(request.id, by: .bob) }
            #expect(try await queue.requests(in: .done).isEmpty)
        }
    }

    @Test(arguments: StoreEngine.available)
    func whatNobodyDecidesExpires(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let queue = try fixture.queue()
            let request = try await queue.request(kind: "refund", subject: "p", detail: "{}", by: .ann)
            fixture.clock.advance(by: .seconds(24 * 3600))
            let error = await #expect(throws: ServerError.self) { try await queue.approve(request.id, by: .bob) }
            #expect(error?.code == .approvalExpired)
            #expect(try await queue.requests(in: .expired).map(\.id) == [request.id])
        }
    }

    @Test(arguments: StoreEngine.available)
    func whatWasApprovedBeforeACrashRunsAfterIt(engine: StoreEngine) async throws {
        struct Crash: Error {}
        try await OperatorFixture.with(engine) { fixture in
            let crashing = try fixture.queue(actions: ["refund": { _ in throw Crash() }])
            let request = try await crashing.request(kind: "refund", subject: "p", detail: "{}", by: .ann)
            await #expect(throws: Crash.self) { try await crashing.approve(request.id, by: .bob) }
            #expect(try await crashing.requests(in: .approved).map(\.id) == [request.id])
            let restarted = try fixture.queue()
            try await restarted.resume()
            #expect(try await restarted.requests(in: .done).map(\.id) == [request.id])
            #expect(try await restarted.requests(in: .done).first?.decidedBy == "bob")
        }
    }

    @Test(arguments: StoreEngine.available)
    func anActionThatIsRefusedIsAFailureWithItsReason(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let queue = try fixture.queue(actions: [
                "refund": { _ in throw ServerError(code: .conflict, reason: "more than was paid", status: .conflict) }
            ])
            let request = try await queue.request(kind: "refund", subject: "p", detail: "{}", by: .ann)
            let decided = try await queue.approve(request.id, by: .bob)
            #expect(decided.state == .failed)
            #expect(decided.outcome == "conflict: more than was paid")
        }
    }

    @Test(arguments: StoreEngine.available)
    func onePersonIsEnoughInTestModeOnlyAndOnlyWhenSaidSo(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            let queue = try fixture.queue(mode: .test, policy: .onePerson)
            let request = try await queue.request(kind: "refund", subject: "p", detail: "{}", by: .ann)
            #expect(try await queue.approve(request.id, by: .ann).state == .done)
            let error = #expect(throws: ServerError.self) { _ = try fixture.queue(mode: .production, policy: .onePerson) }
            #expect(error?.code == .configurationInvalid)
        }
    }
}
