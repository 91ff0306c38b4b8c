import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import BillfoldWeb
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.serialized) struct ConsoleTests {
    private func entry(_ id: String, order: String) -> TraceEntry {
        TraceEntry(id: id, at: 1, from: "phone", to: "merchant", kind: .request, title: "pay", correlation: ["order": order])
    }

    private func console(_ store: TraceStore, heartbeat: Duration = .seconds(15)) -> Console {
        Console(
            store: store, pages: PlainPages(),
            assets: ["app.css": WebAsset(contentType: "text/css", bytes: Array("a{}".utf8))], heartbeat: heartbeat)
    }

    private static let production = ServerConfiguration(
        mode: .production, roles: [.console], consoleListener: .init(name: "console", address: ListenAddress(port: 0)))

    @Test func whatIsReportedBecomesAStory() async throws {
        let store = TraceStore()
        try await RunningServer.serve(console(store)) { server in
            let body = try String(decoding: TraceCodec().encode([entry("a", order: "1"), entry("b", order: "1")]), as: UTF8.self)
            let taken = try await Answer.send("POST", server.url("console", "/trace"), body: body)
            #expect(taken.status == 202)
            #expect(taken.body == #"{"taken":2}"#)
            #expect(try await Answer.send("POST", server.url("console", "/trace"), body: body).body == #"{"taken":0}"#)
            #expect(try await Answer.get(server.url("console", "/api/stories")).body.contains(#""entries":2"#))
            let story = try await Answer.get(server.url("console", "/api/stories/order%3A1"))
            #expect(story.body.contains(#""id":"a""#) && story.body.contains(#""id":"b""#))
            #expect(try await Answer.get(server.url("console", "/api/stories/2")).errorCode == "not-found")
            #expect(try await Answer.get(server.url("console", "/")).body == #"home test ["a"]"#)
            #expect(try await Answer.get(server.url("console", "/stories/1")).body == #"story ["a", "b"] /api/stories/a/events?after=2"#)
            let bad = try await Answer.send("POST", server.url("console", "/trace"), body: "[{}]")
            #expect(bad.status == 422)
            #expect(bad.errorCode == "malformed-request")
        }
    }

    @Test func anOpenPageHearsOfANewEntryAndResumesWhereItStopped() async throws {
        let store = TraceStore()
        store.ingest([entry("a", order: "1"), entry("x", order: "2")])
        try await RunningServer.serve(console(store, heartbeat: .milliseconds(50))) { server in
            var request = HTTPClientRequest(url: server.url("console", "/api/stories/1/events"))
            request.headers.add(name: "Last-Event-ID", value: "0")
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
            #expect(response.headers.first(name: "content-type") == "text/event-stream; charset=utf-8")
            var text = ""
            var isReported = false
            for try await buffer in response.body {
                text += String(buffer: buffer)
                if text.contains(#""id":"a""#), !isReported {
                    isReported = true
                    store.ingest([entry("y", order: "2"), entry("b", order: "1")])
                }
                if text.contains(#""id":"b""#), text.contains(": alive") { break }
            }
            #expect(text.contains("id: 1\nevent: entry\ndata: {"))
            #expect(text.contains("id: 4\nevent: entry\ndata: {"))
            #expect(!text.contains(#""id":"y""#) && !text.contains(#""id":"x""#))

            var again = HTTPClientRequest(url: server.url("console", "/api/stories/1/events"))
            again.headers.add(name: "Last-Event-ID", value: "1")
            let resumed = try await HTTPClient.shared.execute(again, timeout: .seconds(20))
            var rest = ""
            for try await buffer in resumed.body {
                rest += String(buffer: buffer)
                if rest.contains("id: 4\n") { break }
            }
            #expect(!rest.contains("id: 1\n"))
        }
    }

    @Test func anOpenPageDoesNotHoldUpAStop() async throws {
        let store = TraceStore()
        store.ingest([entry("a", order: "1")])
        try await RunningServer.serve(console(store, heartbeat: .seconds(600))) { server in
            let response = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: server.url("console", "/api/stories/1/events")), timeout: .seconds(20))
            var chunks = response.body.makeAsyncIterator()
            _ = try await chunks.next()
            await server.group.triggerGracefulShutdown()
            // The stream ends by itself: a page that held up the stop would make this wait for ever.
            while try await chunks.next() != nil {}
        }
    }

    @Test func assetsAreTaggedAndNothingElseIsServed() async throws {
        try await RunningServer.serve(console(TraceStore())) { server in
            let first = try await Answer.get(server.url("console", "/assets/app.css"))
            #expect(first.body == "a{}")
            #expect(first.headers["content-type"] == "text/css")
            let tag = try #require(first.headers["etag"])
            let second = try await Answer.get(server.url("console", "/assets/app.css"), headers: [("If-None-Match", tag)])
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            for path in ["/assets/../Package.swift", "/assets/..%2f..%2fetc/passwd", "/assets/", "/assets/none.css"] {
                #expect(try await Answer.get(server.url("console", path)).status == 404)
            }
        }
    }

    private struct Orders: ConsoleDesk {
        func subject(_ id: String, knownBy name: String, for reader: ConsoleReader) async throws -> StorySubject? {
            guard name == "order", id == "1" || id == "22222222" else { return nil }
            return StorySubject(
                id: id, name: "R", label: "M", standing: StateWord("open"), template: "console/order", values: "nothing")
        }
    }

    /// A server's desk with one alarm, until it is cleared.
    private final class Desk: ConsoleDesk {
        let raisesAlarms = true
        let cleared = Mutex<[String]>([])

        func alarms(for reader: ConsoleReader) async throws -> [AlarmSection] {
            cleared.withLock { $0.isEmpty } ? [AlarmSection("console/desk-alarms", "nothing")] : []
        }
        func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool {
            cleared.withLock { cleared in
                guard alarm == "contradiction", cleared.isEmpty else { return false }
                cleared.append("\(payment) \(remark) \(person)")
                return true
            }
        }
    }

    /// What was told of one thing that no books know.
    private struct Notices: UnmatchedNoticeDesk {
        func unmatchedNotices() async throws -> [UnmatchedNoticeView] {
            [UnmatchedNoticeView(id: "n", action: "settle", summary: "s", about: "", evidence: "e", receivedAt: 0, ways: [])]
        }
        func openUnmatchedNotices() async throws -> Int64 { 1 }
    }

    @Test func anOperatorClearsAnAlarmWithARemark() async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            let desk = Desk()
            var console = console(TraceStore())
            console.desks = [desk]
            console.directory = fixture.directory
            try await RunningServer.serve(console, configuration: .networkConsole) { server in
                let url = server.url("console", "/api/alarms/clearances")
                func body(_ alarm: String = "contradiction", remark: String = " spoken to the bank ") -> String {
                    #"{"payment":"p","alarm":"\#(alarm)","remark":"\#(remark)"}"#
                }
                let (ann, eve) = (try await server.signIn("ann"), try await server.signIn("eve"))
                #expect(try await Answer.send("POST", url, body: body()).errorCode == "sign-in-required")
                #expect(try await Answer.send("POST", url, headers: eve, body: body()).errorCode == "role-required")
                #expect(try await Answer.send("POST", url, headers: [ann[0]], body: body()).errorCode == "csrf-token-missing")
                for remark in ["", "  ", String(repeating: "a", count: 501)] {
                    #expect(try await Answer.send("POST", url, headers: ann, body: body(remark: remark)).errorCode == "malformed-request")
                }
                #expect(try await Answer.send("POST", url, headers: ann, body: #"{"payment":"p"}"#).errorCode == "malformed-request")
                #expect(try await Answer.send("POST", url, headers: ann, body: body("disputed")).errorCode == "not-found")
                #expect(desk.cleared.withLock { $0 }.isEmpty)
                #expect(try await Answer.send("POST", url, headers: ann, body: body()).status == 204)
                #expect(desk.cleared.withLock { $0 } == ["p spoken to the bank ann"])
                #expect(try await Answer.send("POST", url, headers: ann, body: body()).status == 404)
            }
        }
    }

    /// A gateway's control interface with one plan, for the next order, unless another was put.
    private final class Gateway: HTTPSender {
        let plans = Mutex(["next": #"{"loss":"reply"}"#])
        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            let name = String(request.url.trimmingPrefix("http://sandbox/gateway/plans/"))
            if request.method == .put {
                plans.withLock { $0[name] = String(decoding: request.body, as: UTF8.self) }
                return OutgoingAnswer(status: .noContent, headers: [:], body: [])
            }
            guard let plan = plans.withLock({ $0[name] }) else { return OutgoingAnswer(status: .notFound, headers: [:], body: []) }
            return OutgoingAnswer(status: .ok, headers: [:], body: Array(plan.utf8))
        }
    }

    @Test func anOrderHasItsPageBeforeAnythingIsReported() async throws {
        let store = TraceStore()
        store.ingest([entry("a", order: "1")])
        var console = console(store)
        console.desks = [Orders()]
        try await RunningServer.serve(console) { (server: RunningServer) async throws in
            #expect(
                try await Answer.get(server.url("console", "/orders/1")).body
                    == #"story ["a"] order 1 open /api/stories/a/events?after=1"#)
            #expect(
                try await Answer.get(server.url("console", "/stories/a")).body
                    == #"story ["a"] order 1 open /api/stories/a/events?after=1"#)
            #expect(
                try await Answer.get(server.url("console", "/orders/22222222")).body
                    == "story [] order 22222222 open /api/stories/order%3A22222222/events?after=0")
            #expect(try await Answer.get(server.url("console", "/orders/3")).status == 404)
        }
    }

    @Test func plansAreSetForAnOrderOrTheNextAndShown() async throws {
        let store = TraceStore()
        store.ingest([entry("a", order: "22222222"), entry("x", order: "3")])
        store.ingest([
            TraceEntry(
                id: "p", at: 1, from: "bank-app", to: "issuer", kind: .request, title: "cards",
                correlation: ["provisioning.session": "s"])
        ])
        var console = console(store)
        console.desks = [Orders()]
        let gateway = Gateway()
        let menu = FaultMenu(
            party: "gateway", path: "/api/sandbox/plans", control: "/gateway/plans",
            choices: [
                .init("request-lost", title: "Drop it", effect: "", plan: #"{"loss":"request"}"#),
                .init("reply-lost", title: "Lose the reply", effect: "", plan: #"{"loss":"reply"}"#),
            ])
        console.faultPlans = [FaultPlanRoutes(menu, of: "known", at: "http://sandbox", sender: gateway)]
        try await RunningServer.serve(console) { (server: RunningServer) async throws in
            #expect(try await Answer.get(server.url("console", "/journeys/known")).body == #"journey plan next ["reply-lost"]"#)
            #expect(try await Answer.get(server.url("console", "/stories/x")).body.contains(#"plan next ["reply-lost"]"#))
            #expect(try await !Answer.get(server.url("console", "/stories/p")).body.contains("plan"))
            #expect(try await Answer.get(server.url("console", "/orders/22222222")).body.contains("plan 22222222 []"))
            for scope in ["22222222", "next"] {
                let path = server.url("console", "/api/sandbox/plans/\(scope)")
                #expect(try await Answer.send("POST", path, body: #"{"loss":"request"}"#).status == 204)
            }
            #expect(try await Answer.get(server.url("console", "/orders/22222222")).body.contains(#"plan 22222222 ["request-lost"]"#))
            #expect(try await Answer.get(server.url("console", "/journeys/known")).body == #"journey plan next ["request-lost"]"#)
            for (scope, body) in [("default", "{}"), ("a-b-c-d-e", "{}"), ("next", "[]")] {
                let path = server.url("console", "/api/sandbox/plans/\(scope)")
                #expect(try await Answer.send("POST", path, body: body).errorCode == "malformed-request")
            }
        }
        let test = console
        try await OperatorFixture.with(.sqlite) { fixture in
            var console = test
            console.directory = fixture.directory
            try await RunningServer.serve(console, configuration: Self.production) { (server: RunningServer) async throws in
                let ann = try await server.signIn("ann")
                #expect(try await Answer.get(server.url("console", "/journeys/known"), headers: ann).body == "journey")
                let plans = server.url("console", "/api/sandbox/plans/next")
                #expect(try await Answer.send("POST", plans, headers: ann, body: "{}").status == 404)
            }
        }
    }

    @Test func theDoctorExaminesWhatIsHandedOverAndKeepsNothing() async throws {
        var console = console(TraceStore())
        console.doctor = { artifacts, _ in
            Diagnosis(identified: artifacts.map { .init(artifact: $0.name, kind: "k", summary: "\($0.bytes.count) bytes") })
        }
        let log = MemoryLog()
        try await RunningServer.serve(console, surroundings: RunningServer.surroundings(log: log)) { (server: RunningServer) async throws in
            let url = server.url("console", "/doctor")
            #expect(try await Answer.get(url).body == "doctor form")
            let secret = Data("-----BEGIN PRIVATE KEY-----".utf8).base64EncodedString()
            let found = try await Answer.send("POST", url, body: #"{"artifacts":[{"name":"a.pem","bytes":"\#(secret)"}]}"#)
            #expect(found.status == 200 && found.body == #"doctor ["27 bytes"]"#)
            let large = Data(repeating: 0, count: 262_145).base64EncodedString()
            let many = Array(repeating: #"{"name":"a","bytes":""}"#, count: 13).joined(separator: ",")
            for wrong in [
                #"{"artifacts":[]}"#, #"{"artifacts":[{"name":"","bytes":""}]}"#, #"{"artifacts":[{"name":"a","bytes":"%"}]}"#,
                #"{"artifacts":[{"name":"a","bytes":"\#(large)"}]}"#, #"{"artifacts":[\#(many)]}"#, "{}", "no JSON",
                #"{"artifacts":[{"name":"a","bytes":"","kind":"k"}]}"#, #"{"artifacts":[{"name":"a","bytes":""}],"more":1}"#,
                #"{"artifacts":[],"artifacts":[{"name":"a","bytes":""}]}"#,
            ] {
                let answer = try await Answer.send("POST", url, body: wrong)
                #expect(answer.errorCode == "malformed-request")
                #expect(!answer.body.contains(large.prefix(100)))
            }
            let form = try await Answer.send("POST", url, headers: [("Content-Type", "text/plain")], body: #"{"artifacts":[]}"#)
            #expect(form.errorCode == "unsupported-media-type")
            let flood = String(repeating: " ", count: 1_100_000)
            #expect(try await Answer.send("POST", url, body: flood).errorCode == "body-too-large")
        }
        #expect(!log.lines.isEmpty && !log.lines.contains { $0.contains("a.pem") || $0.contains("PRIVATE KEY") })
    }

    /// A diagnosis ends with its request, and leaves its thread to others.
    @Test(.timeLimit(.minutes(5))) func aDiagnosisEndsWhenItsReaderHasGone() async throws {
        var console = console(TraceStore())
        console.diagnosisPool = WorkPool("diagnosis", WorkPool.Limits(threads: 1, queue: 8))
        let pool = console.diagnosisPool
        console.doctor = { artifacts, budget in
            while artifacts[0].name == "slow", !budget.isOver { usleep(500) }
            return Diagnosis()
        }
        try await RunningServer.serve(console) { (server: RunningServer) async throws in
            let url = server.url("console", "/doctor")
            let asking = Task { try await Answer.send("POST", url, body: #"{"artifacts":[{"name":"slow","bytes":""}]}"#) }
            try await eventually { pool.running.count == 1 }
            asking.cancel()
            try await eventually { pool.running.isEmpty }
            let next = try await Answer.send("POST", url, body: #"{"artifacts":[{"name":"quick","bytes":""}]}"#)
            #expect(next.status == 200)
        }
    }

    /// A diagnosis ends with its time, and one caller's keep nobody from what else goes on.
    @Test(.timeLimit(.minutes(5))) func aDiagnosisEndsWithItsTime() async throws {
        let ended = Mutex(0)
        var console = console(TraceStore())
        console.diagnosisPool = WorkPool(
            "diagnosis", WorkPool.Limits(threads: 2, queue: 8, threadsPerCaller: 1, placesPerCaller: 3))
        console.diagnosisLimit = .seconds(2)
        let pool = console.diagnosisPool
        console.doctor = { artifacts, budget in
            guard artifacts[0].name == "slow" else { return Diagnosis() }
            while !budget.isOver { usleep(500) }
            ended.withLock { $0 += 1 }
            return Diagnosis()
        }
        let slow = #"{"artifacts":[{"name":"slow","bytes":""}]}"#
        try await RunningServer.serve(console) { (server: RunningServer) async throws in
            let url = server.url("console", "/doctor")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let answer = try await Answer.send("POST", url, body: slow)
                        #expect(answer.errorCode == "deadline-exceeded")
                    }
                }
                try await eventually { pool.waiting == 2 && pool.running.count == 1 }
                let fourth = try await Answer.send("POST", url, body: slow)
                #expect(fourth.status == 429 && fourth.errorCode == "rate-limited" && fourth.headers["retry-after"] != nil)
                // Other callers have a thread, and what else blocks has threads of its own.
                #expect(try await pool.run(for: "somebody else") { _ in true })
                #expect(try await SystemNameResolver().addresses(of: "127.0.0.1").count == 1)
                try await group.waitForAll()
                try await eventually { pool.waiting == 0 && pool.running.isEmpty }
            }
            // Each that was begun has ended; those behind it may have been begun just before their own time was over.
            #expect((1...3).contains(ended.withLock { $0 }))
            #expect(try await Answer.send("POST", url, body: slow.replacing("slow", with: "quick")).status == 200)
        }
    }

    @Test func aConsoleShowsTheSectionsThatItHas() async throws {
        let plain = console(TraceStore())
        #expect(plain.links == PageFrame.consoleLinks)
        try await RunningServer.serve(plain) { (server: RunningServer) async throws in
            for path in ["/alarms", "/approvals", "/audit", "/doctor"] {
                #expect(try await Answer.get(server.url("console", path)).status == 404)
            }
        }
        try await OperatorFixture.with(.sqlite) { fixture in
            var console = plain
            console.desks = [Desk()]
            console.notices = [Notices()]
            console.approvals = try fixture.queue(mode: .test, policy: .onePerson)
            #expect(console.links == PageFrame.consoleLinks + [PageFrame.alarmsLink, PageFrame.approvalsLink])
            try await RunningServer.serve(console) { (server: RunningServer) async throws in
                #expect(
                    try await Answer.get(server.url("console", "/alarms")).body
                        == #"alarms ["console/unmatched-notices", "console/desk-alarms"] true"#)
                #expect(try await Answer.get(server.url("console", "/approvals")).body == "approvals 0 onePerson")
                let asked = try await Answer.send(
                    "POST", server.url("console", "/api/approvals"), body: #"{"kind":"refund","subject":"p"}"#)
                #expect(asked.status == 202)
                let id = try #require(asked.body.firstMatch(of: /"id":"([0-9a-f]{32})"/)?.output.1)
                let done = try await Answer.send("POST", server.url("console", "/api/approvals/\(id)/approval"))
                #expect(done.status == 200 && done.body.contains(#""state":"done""#))
                #expect(try await Answer.get(server.url("console", "/approvals")).body == "approvals 1 onePerson")
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func everyAuditChainIsShownAndChecked(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let clock = StandingClock()
            try await MigrationRunner(
                PaymentsSchema.migrations, clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ).run(on: database)
            let links = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
            let (house, shop) = (try MerchantID("installation"), try MerchantID("shop"))
            let payments = (10..<40).map { "payment:\($0)" }
            try await database.write { tx in
                func append(_ chain: String, _ action: String, _ merchant: MerchantID) throws {
                    try AuditRecords.append(
                        to: chain, by: "a", action: action, object: "o", result: "done", at: clock.now(), merchant: merchant,
                        linking: links, in: tx)
                }
                try append("operators", "sign-in", house)
                for action in ["alarm.clear", "outbox.retry"] { try append("operators", action, shop) }
                for payment in payments { try append(payment, "begun", shop) }
                try tx.execute("UPDATE audit_rows SET action = 'nothing' WHERE merchant = ? AND sequence = 2", [.text("shop")])
            }
            var console = console(TraceStore())
            console.trails = AuditTrails(database: database, links: links, owners: [house, shop])
            #expect(console.links == PageFrame.consoleLinks + [PageFrame.auditLink])
            try await RunningServer.serve(console) { (server: RunningServer) async throws in
                func page(_ query: String) async throws -> String {
                    try await Answer.get(server.url("console", "/audit" + query)).body
                }
                let owners = #"["installation", "shop"]"#
                #expect(
                    try await page("")
                        == #"audit \#(owners) installation operators ["sign-in"] intact ["operators 1 intact"] end"#)
                let newest = payments.reversed().prefix(25).map { "\($0) 1 intact" }
                #expect(
                    try await page("?owner=shop")
                        == #"audit \#(owners) shop operators ["alarm.clear", "nothing"] broken 2 \#(newest) payment:15"#)
                let rest = payments[..<5].reversed().map { "\($0) 1 intact" } + ["operators 2 broken 2"]
                #expect(
                    try await page("?owner=shop&chain=payment%3A12&before=payment%3A15")
                        == #"audit \#(owners) shop payment:12 ["begun"] intact \#(rest) end"#)
                #expect(try await page("?owner=shop&chain=none").contains("none [] intact"))
                #expect(try await Answer.get(server.url("console", "/audit?owner=nobody")).status == 404)
            }
        }
    }

    @Test func metricsAreServedInTextFormat() async throws {
        try await RunningServer.serve(console(TraceStore())) { server in
            _ = try await Answer.get(server.url("console", "/healthz"))
            let answer = try await Answer.get(server.url("console", "/metrics"))
            #expect(answer.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            #expect(answer.body.contains(#"http_server_requests_total{listener="console",method="GET",route="/healthz",status="200"} 1"#))
        }
    }

    @Test func aConsoleOnTheNetworkWithoutOperatorsIsRefused() throws {
        let error = #expect(throws: ServerError.self) {
            try console(TraceStore()).router(.networkConsole, surroundings: RunningServer.surroundings())
        }
        #expect(error?.code == .configurationInvalid)
    }

    @Test(arguments: StoreEngine.available)
    func onTheNetworkOperatorsSignInAndProveTheyMeanIt(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            var console = console(TraceStore())
            console.directory = fixture.directory
            console.approvals = try fixture.queue()
            let log = MemoryLog()
            try await RunningServer.serve(
                console, configuration: .networkConsole, surroundings: RunningServer.surroundings(log: log)
            ) { server in
                for path in ["/", "/api/stories", "/metrics", "/api/approvals", "/api/session"] {
                    let answer = try await Answer.get(server.url("console", path))
                    #expect(answer.status == 401, "\(path)")
                    #expect(answer.errorCode == "sign-in-required")
                }
                #expect(try await Answer.get(server.url("console", "/healthz")).status == 200)
                #expect(try await Answer.get(server.url("console", "/sign-in")).body == "sign in")
                // Whoever opens a page in a browser is led to the form.
                let page = try await Answer.get(server.url("console", "/stories"), headers: [("Accept", "text/html")])
                #expect(page.status == 303)
                #expect(page.headers["location"] == "/sign-in?next=%2Fstories")

                let wrong = try await Answer.send(
                    "POST", server.url("console", "/api/session"), body: #"{"name":"ann","password":"marker wrong pass"}"#)
                #expect(wrong.status == 401)
                #expect(wrong.errorCode == "sign-in-refused")
                let signIn = try await Answer.send(
                    "POST", server.url("console", "/api/session"), body: #"{"name":"ann","password":"\#(OperatorFixture.password)"}"#)
                #expect(signIn.status == 200)
                let setCookie = try #require(signIn.headers["set-cookie"])
                for attribute in ["__Host-billfold=", "; Path=/", "; Secure", "; HttpOnly", "; SameSite=Strict"] {
                    #expect(setCookie.contains(attribute))
                }
                let cookie = try #require(setCookie.split(separator: ";").first.map(String.init))
                let view = try #require(try JSONSerialization.jsonObject(with: Data(signIn.body.utf8)) as? [String: Any])
                let csrf = try #require(view["csrfToken"] as? String)

                #expect(try await Answer.get(server.url("console", "/"), headers: [("Cookie", cookie)]).status == 200)
                let wish = #"{"kind":"refund","subject":"payment-1","detail":"{}"}"#
                let forged = try await Answer.send(
                    "POST", server.url("console", "/api/approvals"), headers: [("Cookie", cookie)], body: wish)
                #expect(forged.status == 403)
                #expect(forged.errorCode == "csrf-token-missing")
                let form = try await Answer.send(
                    "POST", server.url("console", "/api/approvals"),
                    headers: [("Cookie", cookie), ("X-CSRF-Token", csrf), ("Content-Type", "text/plain")], body: wish)
                #expect(form.status == 415)
                let meant = try await Answer.send(
                    "POST", server.url("console", "/api/approvals"), headers: [("Cookie", cookie), ("X-CSRF-Token", csrf)], body: wish)
                #expect(meant.status == 202)
                let request = try #require(try JSONSerialization.jsonObject(with: Data(meant.body.utf8)) as? [String: Any])
                let id = try #require(request["id"] as? String)
                let own = try await Answer.send(
                    "POST", server.url("console", "/api/approvals/\(id)/approval"), headers: [("Cookie", cookie), ("X-CSRF-Token", csrf)])
                #expect(own.status == 403)
                #expect(own.errorCode == "same-person")

                let twice = try await Answer.get(server.url("console", "/"), headers: [("Cookie", "\(cookie); \(cookie)x")])
                #expect(twice.status == 401)

                let out = try await Answer.send(
                    "DELETE", server.url("console", "/api/session"), headers: [("Cookie", cookie), ("X-CSRF-Token", csrf)])
                #expect(out.status == 204)
                #expect(try await Answer.get(server.url("console", "/"), headers: [("Cookie", cookie)]).status == 401)
                for secret in [OperatorFixture.password, "marker wrong", csrf, String(cookie.dropFirst(20))] {
                    #expect(!log.lines.contains { $0.contains(secret) })
                }
            }
        }
    }

    /// Loopback is no proof of anything: a proxy in front of it opens it to the world.
    @Test func inProductionNobodyLooksOrReportsUnasked() async throws {
        let store = TraceStore()
        store.ingest([entry("a", order: "1")])
        try await OperatorFixture.with(.sqlite) { fixture in
            var console = console(store)
            console.directory = fixture.directory
            console.approvals = try fixture.queue()
            console.desks = [Orders(), Desk()]
            console.doctor = { _, _ in Diagnosis(identified: []) }
            let story = try String(decoding: TraceCodec().encode([entry("planted", order: "2")]), as: UTF8.self)
            try await RunningServer.serve(console, configuration: Self.production) { (server: RunningServer) async throws in
                for path in [
                    "/", "/stories", "/stories/1", "/orders/1", "/api/stories", "/api/stories/1", "/metrics", "/approvals",
                    "/api/approvals",
                    "/alarms", "/doctor",
                ] {
                    let answer = try await Answer.get(server.url("console", path))
                    #expect(answer.errorCode == "sign-in-required", "\(path) answers \(answer.status)")
                }
                #expect(try await Answer.send("POST", server.url("console", "/doctor"), body: "{}").status == 401)
                #expect(try await Answer.send("POST", server.url("console", "/trace"), body: story).status == 401)
                #expect(store.story("2") == nil)
                #expect(try await Answer.get(server.url("console", "/healthz")).status == 200)
                #expect(try await Answer.get(server.url("console", "/readyz")).status == 200)
            }
            var configuration = Self.production
            let (reporter, scraper) = (String(repeating: "r", count: 32), String(repeating: "s", count: 32))
            configuration.traceToken = Secret(reporter)
            configuration.metricsToken = Secret(scraper)
            try await RunningServer.serve(console, configuration: configuration) { (server: RunningServer) async throws in
                func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }
                let (trace, metrics) = (server.url("console", "/trace"), server.url("console", "/metrics"))
                #expect(try await Answer.send("POST", trace, body: story).status == 401)
                #expect(try await Answer.send("POST", trace, headers: bearer(scraper), body: story).status == 401)
                #expect(try await Answer.send("POST", trace, headers: bearer(reporter), body: story).status == 202)
                #expect(try await Answer.get(metrics, headers: bearer(reporter)).status == 401)
                #expect(try await Answer.get(metrics, headers: bearer(scraper)).status == 200)
                #expect(try await Answer.get(metrics, headers: server.signIn("ann")).status == 200)
                #expect(try await Answer.get(server.url("console", "/api/stories"), headers: bearer(scraper)).status == 401)
            }
        }
        #expect(throws: ServerError.self) { try console(store).router(Self.production, surroundings: RunningServer.surroundings()) }
    }

    @Test func inProductionOnLoopbackTwoWhoSignedInAct() async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            var console = console(TraceStore())
            console.directory = fixture.directory
            console.approvals = try fixture.queue()
            try await RunningServer.serve(console, configuration: Self.production) { (server: RunningServer) async throws in
                let home = server.url("console", "/")
                #expect(try await Answer.get(home, headers: server.signIn("eve")).body == "home production []")
                let wish = #"{"kind":"refund","subject":"payment-1"}"#
                let approvals = server.url("console", "/api/approvals")
                let unsigned = try await Answer.send("POST", approvals, body: wish)
                #expect(unsigned.status == 401 && unsigned.errorCode == "sign-in-required")

                let (ann, bob) = (try await server.signIn("ann"), try await server.signIn("bob"))
                let asked = try await Answer.send("POST", approvals, headers: ann, body: wish)
                let id = try #require(asked.body.firstMatch(of: /"id":"([0-9a-f]{32})"/)?.output.1)
                let approval = "\(approvals)/\(id)/approval"
                #expect(try await Answer.send("POST", approval).errorCode == "sign-in-required")
                #expect(try await Answer.send("POST", approval, headers: ann).errorCode == "same-person")
                #expect(try await Answer.send("POST", approval, headers: [bob[0]]).errorCode == "csrf-token-missing")
                let done = try await Answer.send("POST", approval, headers: bob)
                #expect(done.status == 200 && done.body.contains(#""state":"done""#))
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func onTheNetworkReportersPresentTheToken(engine: StoreEngine) async throws {
        try await OperatorFixture.with(engine) { fixture in
            var console = console(TraceStore())
            console.directory = fixture.directory
            try await RunningServer.serve(console, configuration: .networkConsole) { server in
                let path = server.url("console", "/trace")
                let none = try await Answer.send("POST", path, body: "[]")
                #expect(none.status == 401)
                let wrong = [("Authorization", "Bearer 0123456789abcdef0123456789abcdeg")]
                let refused = try await Answer.send("POST", path, headers: wrong, body: "[]")
                #expect(refused.status == 401)
                let right = [("Authorization", "Bearer 0123456789abcdef0123456789abcdef")]
                let taken = try await Answer.send("POST", path, headers: right, body: "[]")
                #expect(taken.status == 202)
            }
        }
    }
}
