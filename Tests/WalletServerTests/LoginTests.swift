import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import WalletServer

/// Who gets in, who does not, and what strangers learn.
struct LoginTests {
    @Test func anUnknownNameAndAWrongPasswordLookTheSame() async throws {
        try await TestWallet.open { wallet in
            func refused(_ name: String) async throws -> String {
                let answer = try await wallet.browser().submit("/wallet/login", ["name": name, "password": "not-the-password"])
                #expect(answer.status == 401)
                return answer.body.replacing("value=\"\(name)\"", with: "").replacing(/value="[0-9a-f]{32}"/, with: "")
            }
            let known = try await refused("mei@example.test")
            let unknown = try await refused("nobody@example.test")
            #expect(known == unknown && known.contains("is wrong, or there were too many tries"))
        }
    }

    @Test(arguments: ["mei@example.test", " MEI@Example.test", "+8613900000001", "139 0000 0001", "139-0000-0001"])
    func oneCustomerHasSeveralSpellings(name: String) async throws {
        try await TestWallet.open { wallet in
            let browser = wallet.browser()
            let answer = try await browser.submit("/wallet/login", ["name": name, "password": "two-leaves-tea"])
            #expect(answer.status == 303)
            #expect(try await browser.get("/wallet").body.contains("2088000000000017"))
        }
    }

    @Test(arguments: ["", "a@b", "@example.test", "12345", "+12", "mei@@example.test", "mei@example.test\u{0}", "１３９００００００１"])
    func whatIsNoNameIsNone(name: String) { #expect(LoginName(name) == nil) }

    @Test(arguments: StoreEngine.available) func theLoginLocksAfterWrongTriesAndOpensWithTime(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            func attempt(_ password: String) async throws -> Int {
                try await wallet.browser().submit("/wallet/login", ["name": "mei@example.test", "password": password]).status
            }
            for _ in 0..<10 {
                let status = try await attempt("wrong-password")
                #expect(status == 401)
            }
            let locked = try await attempt("two-leaves-tea")
            #expect(locked == 401, "the right one looks like a wrong one")
            wallet.clock.advance(by: .seconds(901))
            let open = try await attempt("two-leaves-tea")
            #expect(open == 303)
        }
    }

    @Test(arguments: StoreEngine.available) func thePaymentPasswordLocksDurably(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            let (browser, path) = try await wallet.atPassword()
            for left in stride(from: 4, through: 1, by: -1) {
                let answer = try await browser.pay(path, "000000")
                #expect(answer.status == 422 && answer.body.contains("Tries left: \(left)."), "\(answer.body)")
            }
            #expect(try await browser.pay(path, "000000").status == 423)
            #expect(try await browser.pay(path, "246810").status == 423, "locked: the right one too")
            // Another process over the same store knows it.
            let (other, _) = try TestWallet.server(
                on: wallet.store.database, gateway: wallet.gateway, clock: wallet.clock, recorder: wallet.recorder, label: "other")
            let account = try #require(
                try await wallet.store.database.read { try AccountRecords.find(number: TestWallet.mei.number, in: $0) })
            #expect(account.payment.isLocked(at: other.context.now()))
            #expect(wallet.gateway.paymentCount == 0)
            wallet.clock.advance(by: .seconds(3 * 3600 + 1))
            let (again, later) = try await wallet.atPassword()
            #expect(try await again.pay(later, "246810").status == 303)
        }
    }

    @Test(arguments: StoreEngine.available) func guessesAtTheSameTimeTellNoMoreThanTheLimit(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            let (browser, path) = try await wallet.atPassword()
            let csrf = try #require(try await browser.get(path + "/password").field("csrf"))
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for guess in 0..<40 {
                    group.addTask {
                        try await browser.send(
                            .post, path + "/password",
                            form: ["csrf": csrf, "amount": "9.12", "password": String(100_000 + guess)]
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0 == 422 }.count == 4, "\(answers)")
            #expect(answers.filter { $0 == 423 }.count == 36, "\(answers)")
        }
    }

    @Test func loggingInChangesTheTokenAndEndsTheOldSession() async throws {
        try await TestWallet.open { wallet in
            let browser = wallet.browser()
            _ = try await browser.get("/wallet/login")
            let planted = try #require(browser.cookies[Visitor.cookieName])
            try await browser.logIn(TestWallet.mei)
            let first = try #require(browser.cookies[Visitor.cookieName])
            #expect(first != planted)
            let attacker = wallet.browser()
            attacker.cookies = [Visitor.cookieName: planted]
            #expect(try await attacker.get("/wallet").headers[.location] == "/wallet/login")
            // A second login with the first one's cookie ends the first.
            browser.cookies = [Visitor.cookieName: first]
            let path = try await wallet.checkout()
            try await browser.logIn(TestWallet.wei, at: path + "/login")
            #expect(browser.cookies[Visitor.cookieName] != first)
            attacker.cookies = [Visitor.cookieName: first]
            #expect(try await attacker.get("/wallet").headers[.location] == "/wallet/login")
        }
    }

    @Test func sessionsEndUnusedInTimeAndByLoggingOut() async throws {
        try await TestWallet.open { wallet in
            let browser = wallet.browser()
            try await browser.logIn(TestWallet.mei)
            for _ in 0..<3 {
                wallet.clock.advance(by: .seconds(800))
                #expect(try await browser.get("/wallet").status == 200)
            }
            wallet.clock.advance(by: .seconds(901))
            #expect(try await browser.get("/wallet").status == 303)
            try await browser.logIn(TestWallet.mei)
            for _ in 0..<60 {
                wallet.clock.advance(by: .seconds(800))
                _ = try await browser.get("/wallet")
            }
            #expect(try await browser.get("/wallet").status == 303, "twelve hours are over")
            try await browser.logIn(TestWallet.mei)
            let cookies = browser.cookies
            #expect(try await browser.submit("/wallet", [:], to: "/wallet/logout").status == 303)
            browser.cookies = cookies
            #expect(try await browser.get("/wallet").status == 303)
        }
    }

    @Test func cookiesAreHostBoundHiddenAndNotSentFromElsewhere() async throws {
        try await TestWallet.open { wallet in
            let cookie = try #require(try await wallet.browser().get("/wallet/login").headers[.setCookie])
            #expect(cookie.hasPrefix("__Host-wallet=") && cookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax"))
        }
    }

    /// A merchant's own page posts its order to the cashier; the browser sends no cookie with it, and must keep the one that it has.
    @Test func ordersFromAMerchantsPageAreTakenAndTheBrowserStaysLoggedIn() async throws {
        try await TestWallet.open { wallet in
            for order in ["x", ""] {
                let answer = try await wallet.browser().send(
                    .post, "/cashier", form: ["order": order], headers: [.origin: "https://shop.example"])
                #expect(answer.status == (order.isEmpty ? 400 : 303), "\(answer.body)")
                #expect(answer.headers[.setCookie] == nil)
            }
        }
    }

    @Test func postsFromElsewhereAreRefused() async throws {
        try await TestWallet.open { wallet in
            let (browser, path) = try await wallet.atPassword()
            let csrf = try #require(try await browser.get(path + "/password").field("csrf"))
            let form = ["csrf": csrf, "amount": "9.12", "password": "246810"]
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let origins: [HTTPFields] = [[.origin: "https://evil.example"], [.origin: "null"], [site: "cross-site"]]
            for headers in origins {
                let answer = try await browser.send(.post, path + "/password", form: form, headers: headers)
                #expect(answer.status == 403 && answer.errorCode == "foreign-origin", "\(headers)")
            }
            var without = form
            without["csrf"] = nil
            #expect(try await browser.send(.post, path + "/password", form: without).status == 403)
            without["csrf"] = String(csrf.reversed())
            #expect(try await browser.send(.post, path + "/password", form: without).status == 403)
            // A form of another checkout, or of another browser, is not this one's.
            let (other, otherPath) = try await wallet.atPassword()
            without["csrf"] = try await other.get(otherPath + "/password").field("csrf")
            #expect(try await browser.send(.post, path + "/password", form: without).status == 403)
            #expect(wallet.gateway.paymentCount == 0)
            #expect(try await browser.send(.post, path + "/password", form: form).status == 303)
        }
    }

    @Test func noPageMayBeFramed() async throws {
        try await TestWallet.open { wallet in
            let (browser, path) = try await wallet.atPassword()
            for page in [path, path + "/login", path + "/means", path + "/password", "/wallet", "/wallet/bills", "/cashier/none"] {
                let answer = try await browser.get(page)
                #expect(answer.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true, "\(page)")
                #expect(answer.headers[HTTPField.Name("X-Frame-Options")!] == "DENY")  // swift-format-ignore: NeverForceUnwrap
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test func aCheckoutBelongsToWhoBeganToPayIt() async throws {
        try await TestWallet.open { wallet in
            let (_, path) = try await wallet.atPassword()
            let other = wallet.browser()
            try await other.logIn(TestWallet.wei)
            for step in ["means", "password"] { #expect(try await other.get("\(path)/\(step)").status == 404) }
        }
    }

    @Test func aSecondPayerIsToldSo() async throws {
        try await TestWallet.open { wallet in
            _ = try await wallet.atPassword()
            let path = try await wallet.checkout()
            let other = wallet.browser()
            try await other.logIn(TestWallet.wei, at: path + "/login")
            let answer = try await other.submit(path + "/means", ["means": "balance"])
            #expect(answer.status == 409 && answer.body.contains("ALIN10023"), "\(answer.body)")
        }
    }

    @Test func noPasswordOrTokenIsWrittenAnywhere() async throws {
        try await TestWallet.open { wallet in
            let (browser, path) = try await wallet.atPassword()
            _ = try await browser.pay(path, "000000")
            _ = try await browser.pay(path, "246810")
            let shown = try await browser.get(path).body
            let told = wallet.recorder.log + "\(wallet.recorder.entries)" + shown
            let session = try #require(browser.cookies[Visitor.cookieName])
            for secret in ["246810", "two-leaves-tea", session, ScriptedGateway.credential, ScriptedGateway.callerKey] {
                #expect(!told.contains(secret), "\(secret.prefix(4))… was written")
            }
        }
    }

    @Test func aFrozenCustomerIsOutAtOnce() async throws {
        try await TestWallet.open { wallet in
            let (browser, path) = try await wallet.atPassword()
            try await wallet.server.backOffice.setFrozen(true, account: TestWallet.mei.number, by: "ada", reason: "asked for")
            #expect(try await browser.get(path + "/password").headers[.location] == path + "/login")
            #expect(
                try await wallet.browser().submit("/wallet/login", ["name": "mei@example.test", "password": "two-leaves-tea"]).status == 401
            )
        }
    }

    /// What one person opened alone, two persons let be used.
    @Test func anAccountThatWasOpenedFrozenOpensByAnApproval() async throws {
        try await TestWallet.open { wallet in
            let office = wallet.server.backOffice
            try await office.openAccount(
                number: "2088000000001001", name: "Lin", email: "lin@example.test", phone: "+8613900001001",
                loginPassword: Secret("green-leaves"), paymentPassword: Secret("975310"), isFrozen: true, by: "account:ada")
            func logIn() async throws -> Int {
                try await wallet.browser().submit("/wallet/login", ["name": "lin@example.test", "password": "green-leaves"]).status
            }
            #expect(try await logIn() == 401)
            let database = wallet.store.database
            try await MigrationRunner(OperatorRecords.migrations, clock: wallet.clock, logger: TestStore.logger).run(on: database)
            let links = AuditChain(key: wallet.server.context.configuration.keys.audit)
            let queue = try ApprovalQueue(
                database: database, clock: wallet.clock, random: wallet.server.context.random,
                audit: ChainedOperatorAudit(links: links, owner: MerchantID("installation")), mode: .test, policy: .twoPersons,
                actions: wallet.server.actions.all, logger: TestStore.logger)
            let ada = OperatorIdentity(name: "ada", roles: [.operator, .approver], isSignedIn: true)
            let bo = OperatorIdentity(name: "bo", roles: [.approver], isSignedIn: true)
            let asked = try await queue.request(
                kind: "wallet-thaw", subject: "2088000000001001", detail: #"{"reason":"opened"}"#, by: ada)
            await #expect(throws: ServerError.self) { try await queue.approve(asked.id, by: ada) }
            #expect(try await logIn() == 401)
            #expect(try await queue.approve(asked.id, by: bo).state == .done)
            #expect(try await logIn() == 303)
        }
    }
}
