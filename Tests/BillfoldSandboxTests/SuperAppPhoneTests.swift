import AppContainer
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldSandbox
import BillfoldTrace
import Crypto
import Foundation
import MiniProgramZip
import MiniPrograms
import PaymentCrypto
import Synchronization
import Testing
import WalletAPI

/// The super app's server as the phone meets it: one user, one mini program, and scopes that have to be agreed to.
private final class Wallet: PhoneNetwork {
    static let appID = "2026112300000001"

    private struct State {
        var isAway = false
        var agreed: Set<String> = []
        var asked: [String] = []
    }

    private let key: P256PrivateKey
    private let archive: [UInt8]
    private let metadata: [UInt8]
    private let state = Mutex(State())

    /// - Parameter page: The body of the home page's `Page({…})`.
    init(page: String, template: String = "") throws {
        var generator = SystemRandomNumberGenerator()
        key = try P256PrivateKey(using: &generator)
        let files = [
            "app.json": #"{"pages":["pages/a/a","pages/b/b"]}"#, "pages/a/a.js": "Page({\(page)})", "pages/a/a.axml": template,
            "pages/a/a.json": #"{"defaultTitle":"First"}"#, "pages/b/b.js": "Page({data:{here:'b'}})", "pages/b/b.axml": "<view></view>",
        ]
        let version = MiniProgramVersion(1, 0, 0, stamp: 20_261_123)
        let package = try MiniProgramPackage(
            appID: Self.appID, version: version, files: files.mapValues { Array($0.utf8) }, signedBy: key, keyID: KeyID("platform"),
            algorithm: .ecdsaSHA256)
        archive = try ZipPackages().archive(package.entries)
        metadata =
            MiniProgramMetadata(
                appID: Self.appID, name: "Counter", authClientID: "counter", version: version, features: ["auth", "scan", "biz-scene"],
                scenes: ["TOP_UP"],
                package: .init(
                    url: "http://wallet.test/package", sha256: Hexadecimal.encode(Array(SHA256.hash(data: archive))),
                    size: Int64(archive.count))
            ).body
    }

    var asked: [String] { state.withLock { $0.asked } }
    func goesAway() { state.withLock { $0.isAway = true } }

    func send(_ request: RequestingHost.Request) async throws -> RequestingHost.Response {
        let path = request.address.path()
        let isAway = state.withLock { state in
            state.asked.append("\(request.method) \(path)")
            return state.isAway
        }
        if isAway { throw RequestingHost.NoAnswer.network }
        let object = (try? JSONReader.readObject(request.body)) ?? []
        switch path {
        case "/v1/users/sessions":
            guard object["password"]?.string == "right" else {
                return Self.answer(#"{"error":{"code":"login-refused","reason":"no such name and password"}}"#, 401)
            }
            return Self.answer(#"{"session":"s-1","name":"Mei Lin","number":"2088000000000017"}"#, 201)
        case "/mini-programs/v1/apps":
            #expect(request.headers["authorization"] == "Bearer s-1")
            return Self.answer(#"{"apps":[{"appId":"\#(Self.appID)","name":"Counter","releaseVersion":"1.0.0.20261123"}]}"#)
        case "/mini-programs/v1/keys":
            let pem = String(decoding: JSONWriter.quoted(key.publicKey.pem), as: UTF8.self)
            return Self.answer(#"{"keys":[{"keyId":"platform","algorithm":"ecdsa-with-SHA256","publicKey":\#(pem)}]}"#)
        case "/mini-programs/v1/apps/\(Self.appID)/metadata":
            let signature = try MetadataSignature(over: metadata, by: key, keyID: KeyID("platform"), algorithm: .ecdsaSHA256)
            return .init(status: 200, headers: [(MetadataSignature.headerName.lowercased(), signature.description)], body: metadata)
        case "/package": return .init(status: 200, body: archive)
        case ApplyAuthCodeRequest.path:
            let scopes = Set(object["scopes"]?.array?.compactMap(\.string) ?? [])
            let missing = scopes.subtracting(state.withLock { $0.agreed }).subtracting(["auth_base", "CARD_LIST"])
            let refused = scopes.contains("CARD_LIST") ? ["CARD_LIST": "not open"] : [:]
            guard missing.isEmpty else {
                return Self.answer(
                    ApplyAuthCodeAnswer(
                        result: ApplyAuthCodeAnswer.pendingAgreement, errorScopes: refused, pendingScopes: missing.sorted()
                    ).body)
            }
            return Self.answer(
                ApplyAuthCodeAnswer(
                    result: .success, authCode: .init("code-1"), successScopes: scopes.subtracting(refused.keys).sorted(),
                    errorScopes: refused
                ).body)
        case "/v1/authorizations/agreements":
            let scopes = object["scopes"]?.array?.compactMap(\.string) ?? []
            state.withLock { $0.agreed.formUnion(scopes) }
            return Self.answer(#"{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":""},"referenceAgreementId":"a-1"}"#)
        default: return Self.answer(#"{"error":{"code":"not-found","reason":"there is nothing"}}"#, 404)
        }
    }

    private static func answer(_ text: String, _ status: Int = 200) -> RequestingHost.Response { answer(Array(text.utf8), status) }
    private static func answer(_ body: [UInt8], _ status: Int = 200) -> RequestingHost.Response { .init(status: status, body: body) }
}

private struct NoTrace: TraceSink {
    func record(_ entry: TraceEntry) {}
}

/// The phone with the super app: what each tap leads to, and what is refused.
struct SuperAppPhoneTests {
    @MainActor
    private struct Hand {
        let phone: SuperAppPhone

        func tap(_ action: SuperAppTap.Action, _ value: String? = nil, secret: String? = nil, text: String? = nil) throws {
            try phone.perform(SuperAppTap(action, value, secret: secret, text: text))
        }

        /// The screen once it is right; the last one after ten seconds.
        func until(_ isRight: (SuperAppScreen) -> Bool) async throws -> SuperAppScreen {
            for _ in 0..<500 where !isRight(phone.screen) { try await Task.sleep(for: .milliseconds(20)) }
            let screen = phone.screen
            #expect(isRight(screen), "\(screen)")
            return screen
        }

        func refusal(_ action: SuperAppTap.Action, _ value: String? = nil) -> String? {
            do {
                try tap(action, value)
                return nil
            } catch { return (error as? SandboxRefusal)?.code }
        }
    }

    @MainActor
    private func hand(_ wallet: Wallet) async -> Hand {
        let app = await SuperApp(
            .init(
                wallet: "http://wallet.test", phone: "http://phone.test", pages: [], console: nil, linkScheme: "billfoldwallet",
                codeHost: "mp.test", people: [.init(name: "mei", password: "right", title: "Mei")],
                folder: FileManager.default.temporaryDirectory.appending(path: "super-app-\(UUID().uuidString)"), worker: nil),
            network: wallet, reporter: PartyReporter(sink: NoTrace(), now: { 1_000_000 }, makeName: { UUID().uuidString }),
            random: { 4 })
        return Hand(phone: app.phones.open())
    }

    @MainActor
    private func atHome(_ wallet: Wallet) async throws -> Hand {
        let hand = await hand(wallet)
        try hand.tap(.signIn, "mei", secret: "right")
        _ = try await hand.until { $0.apps.count == 1 }
        return hand
    }

    @MainActor
    private func opened(_ wallet: Wallet) async throws -> Hand {
        let hand = try await atHome(wallet)
        try hand.tap(.open, Wallet.appID)
        _ = try await hand.until { $0.program?.route == "pages/a/a" && $0.program?.controls != nil }
        return hand
    }

    @Test @MainActor func whoIsNotSignedInOpensNothing() async throws {
        let wallet = try Wallet(page: "")
        let hand = await hand(wallet)
        #expect(hand.refusal(.open, Wallet.appID) == "not-on-screen" && hand.refusal(.agree) == "not-on-screen")
        let outside = #expect(throws: SandboxRefusal.self) { try hand.tap(.open, Wallet.appID) }
        #expect(outside?.offers?.map(\.action) == ["signIn", "network"] && outside?.reason.contains("offers no open now") == true)
        try hand.tap(.signIn, "mei", secret: "wrong")
        #expect(try await hand.until { $0.problem != nil }.problem?.code == "login-refused")
        try hand.tap(.signIn, "mei", secret: "right")
        let home = try await hand.until { $0.apps.count == 1 }
        #expect(home.user == "Mei Lin" && home.people.isEmpty && home.problem == nil)
        let unlisted = #expect(throws: SandboxRefusal.self) { try hand.tap(.open, "2026112300000009") }
        #expect(unlisted?.code == "not-on-screen" && unlisted?.offers?.map(\.action) == ["signOut", "open", "openLink", "scan", "network"])
        #expect(unlisted?.offers?.first { $0.action == "open" }?.values == [Wallet.appID])
        try hand.tap(.signOut)
        #expect(hand.phone.screen.place == .login && hand.phone.screen.apps.isEmpty && hand.phone.screen.user == nil)
    }

    @Test @MainActor func aWalletThatIsAwayIsToldAndWhatIsKeptStartsAllTheSame() async throws {
        let wallet = try Wallet(page: "data:{x:1}")
        let hand = try await opened(wallet)
        try hand.tap(.close)
        wallet.goesAway()
        try hand.tap(.open, Wallet.appID)
        _ = try await hand.until { $0.program?.data?.first?.value == "1" }
        try hand.tap(.close)
        try hand.tap(.signOut)
        try hand.tap(.signIn, "mei", secret: "right")
        #expect(try await hand.until { $0.problem != nil }.problem?.code == "no-answer")
    }

    @Test @MainActor func thePagesDataAndControlsAreShown() async throws {
        let wallet = try Wallet(
            page: """
                data: { n: 1, list: [1, 2], o: { a: 'x' } },
                onMore(event) { this.setData({ n: this.data.n + 1, 'list[1]': 5, 'o.a': event.target.dataset.k, last: event.type }); this.$spliceData({ list: [0, 1, 7, 8] }) },
                onName(event) { this.setData({ name: event.detail.value }) },
                onNext() { my.navigateTo({ url: '/pages/b/b' }) },
                """,
            template:
                #"<button onTap="onMore" data-k="y">More</button><input onInput="onName" placeholder="Name"/><view onTap="onNext">On</view>"#
        )
        let hand = try await opened(wallet)
        let first = try await hand.until { $0.program?.data?.count == 3 }
        #expect(first.program?.title == "First" && first.program?.controls?.map(\.label) == ["More", "Name", "On"])
        #expect(hand.refusal(.event, "onElsewhere") == "not-on-screen")
        try hand.phone.perform(SuperAppTap(.event, "onMore", dataset: ["k": "y"]))
        let more = try await hand.until { $0.program?.data?.contains { $0.name == "last" } == true }
        let data = Dictionary(uniqueKeysWithValues: (more.program?.data ?? []).map { ($0.name, $0.value) })
        #expect(data == ["n": "2", "list": "[7,8,5]", "o": #"{"a":"y"}"#, "last": "tap"])
        try hand.tap(.event, "onName", text: "Tea")
        _ = try await hand.until { $0.program?.data?.contains { $0.value == "Tea" } == true }
        try hand.tap(.event, "onNext")
        let second = try await hand.until { $0.program?.route == "pages/b/b" }
        #expect(second.program?.canGoBack == true && second.program?.title == "Counter")
        try hand.tap(.back)
        let back = try await hand.until { $0.program?.route == "pages/a/a" }
        #expect(back.program?.canGoBack == false)
        try hand.tap(.back)
        #expect(hand.phone.screen.place == .home && hand.phone.screen.program == nil)
    }

    @Test(arguments: ["data: { n: 1 }, onMore() {}", "onMore() {}"])
    @MainActor func nothingCanBeTouchedBeforeThePageHasToldItsData(page: String) async throws {
        let hand = try await atHome(try Wallet(page: page, template: #"<button onTap="onMore">More</button>"#))
        try hand.tap(.open, Wallet.appID)
        let shown = try await hand.until { screen in
            #expect((screen.program?.controls == nil) == (screen.program?.data == nil), "\(screen)")
            return screen.program?.controls != nil
        }
        #expect(shown.program?.data?.map(\.name) == (page.hasPrefix("data") ? ["n"] : []))
        try hand.tap(.event, "onMore")
    }

    @Test @MainActor func dialogsWaitForThePersonOneAfterAnother() async throws {
        let wallet = try Wallet(
            page: """
                data: { said: '' },
                async onAsk() {
                  const asked = [my.confirm({ title: 'Q', content: 'Tea?' }), my.prompt({ title: 'Who', message: 'Name' }),
                    my.showActionSheet({ title: 'How', items: ['hot', 'cold'] })];
                  const [c, p, s] = await Promise.all(asked);
                  this.setData({ said: [c.confirm, p.ok, p.inputValue, s.index].join(' ') });
                  my.showToast({ content: 'done', duration: 500 });
                },
                """, template: #"<button onTap="onAsk">Ask</button>"#)
        let hand = try await opened(wallet)
        try hand.tap(.event, "onAsk")
        #expect(try await hand.until { $0.sheet?.kind == .confirm }.sheet?.text == "Tea?")
        #expect(hand.refusal(.event, "onAsk") == "not-on-screen" && hand.refusal(.choose, "0") == "not-on-screen")
        try hand.tap(.confirm)
        _ = try await hand.until { $0.sheet?.kind == .prompt }
        try hand.tap(.confirm, "Mei")
        _ = try await hand.until { $0.sheet?.kind == .choices }
        #expect(hand.refusal(.choose, "2") == "not-on-screen")
        try hand.tap(.choose, "1")
        _ = try await hand.until { $0.toast?.text == "done" }
        // The view is told of the turn's data when the turn ends, which is after the toast was shown.
        _ = try await hand.until { $0.program?.data?.first?.value == "true true Mei 1" && $0.calls.allSatisfy { $0.state == .done } }
        _ = try await hand.until { $0.toast == nil }
    }

    @Test @MainActor func consentIsAskedOnceAndRefusalEndsTheCall() async throws {
        let wallet = try Wallet(
            page: """
                data: { said: '' },
                async onSign() {
                  try { const r = await my.getAuthCode({ scopes: ['USER_NAME', 'CARD_LIST'] }); this.setData({ said: `${r.authSuccessScopes} without ${Object.keys(r.authErrorScopes)}` }) }
                  catch (e) { this.setData({ said: `error ${e.error}` }) }
                },
                """, template: #"<button onTap="onSign">Sign in</button>"#)
        let hand = try await opened(wallet)
        try hand.tap(.event, "onSign")
        let sheet = try await hand.until { $0.sheet?.kind == .consent }.sheet
        #expect(sheet?.scopes?.map(\.text) == ["Your name"] && sheet?.title == "Counter")
        try hand.tap(.refuse)
        _ = try await hand.until { $0.program?.data?.first?.value == "error 11" }
        try hand.tap(.event, "onSign")
        _ = try await hand.until { $0.sheet?.kind == .consent }
        try hand.tap(.agree)
        _ = try await hand.until { $0.program?.data?.first?.value == "USER_NAME without CARD_LIST" }
        try hand.tap(.event, "onSign")
        _ = try await hand.until { $0.calls.count == 3 && $0.calls[2].state == .done && $0.sheet == nil }
        // The phone’s screen never has the code.
        let json = String(decoding: try JSONEncoder().encode(hand.phone.screen), as: UTF8.self)
        #expect(!json.contains("code-1") && wallet.asked.filter { $0.hasSuffix("agreements") }.count == 1)
    }

    @Test @MainActor func closingAnswersWhatWaits() async throws {
        let wallet = try Wallet(
            page: "onScan() { my.scan({}) }, onTop() { my.navigateToBizScene({ sceneCode: 'TOP_UP' }) }",
            template: #"<button onTap="onScan">Scan</button><button onTap="onTop">Top up</button>"#)
        let hand = try await opened(wallet)
        try hand.tap(.event, "onScan")
        #expect(try await hand.until { $0.sheet?.kind == .scanner }.sheet?.albumAllowed == true)
        try hand.tap(.leaveScanner)
        _ = try await hand.until { $0.sheet == nil && $0.calls.last?.state == .failed }
        try hand.tap(.event, "onTop")
        _ = try await hand.until { $0.sheet?.kind == .scene }
        try hand.tap(.close)
        #expect(hand.phone.screen.place == .home && hand.phone.screen.sheet == nil)
        // Nothing is left that would come up over the next program.
        try hand.tap(.open, Wallet.appID)
        #expect(try await hand.until { $0.program?.route == "pages/a/a" }.sheet == nil)
    }

    @Test @MainActor func twoTapsSignInOnceAndNobodyInheritsARun() async throws {
        let wallet = try Wallet(page: "data:{x:1}")
        let hand = await hand(wallet)
        try hand.tap(.signIn, "mei", secret: "right")
        #expect(hand.refusal(.signIn, "mei") == "not-on-screen" && hand.phone.screen.loading == "Logging in")
        _ = try await hand.until { $0.apps.count == 1 && $0.loading == nil }
        #expect(wallet.asked.filter { $0 == "POST /v1/users/sessions" }.count == 1)
        try hand.tap(.open, Wallet.appID)
        _ = try await hand.until { $0.program?.data != nil }
        try hand.tap(.close)
        try hand.tap(.open, Wallet.appID)
        try hand.tap(.close)
        try hand.tap(.signOut)
        #expect(hand.phone.screen.program == nil && hand.phone.screen.place == .login && hand.phone.screen.calls.isEmpty)
        _ = try await hand.until { _ in wallet.asked.contains("POST /v1/users/sessions/end") }
    }

    @Test @MainActor func whatWasClosedMeanwhileDoesNotStart() async throws {
        let wallet = try Wallet(page: "data:{x:1}")
        let hand = try await atHome(wallet)
        for _ in 0..<10 {
            try hand.tap(.open, Wallet.appID)
            try hand.tap(.close)
        }
        try await Task.sleep(for: .milliseconds(300))
        #expect(hand.phone.screen.place == .home && hand.phone.screen.program == nil)
    }

    @Test @MainActor func aSheetOfAClosedProgramDoesNotComeUp() async throws {
        let wallet = try Wallet(
            page: "onSign() { my.getAuthCode({ scopes: ['USER_NAME'] }) }", template: #"<button onTap="onSign">Sign in</button>"#)
        let hand = try await atHome(wallet)
        for pause in 0..<8 {
            try hand.tap(.open, Wallet.appID)
            _ = try await hand.until { $0.program?.controls?.isEmpty == false }
            try hand.tap(.event, "onSign")
            try await Task.sleep(for: .milliseconds(pause * 4))
            try hand.tap(.close)
            try await Task.sleep(for: .milliseconds(80))
            #expect(hand.phone.screen.sheet == nil)
        }
        #expect(!wallet.asked.contains { $0.hasSuffix("agreements") })
    }

    @Test @MainActor func scannersTakeTurnsAndLeavingOneIsAtOnce() async throws {
        let wallet = try Wallet(
            page: """
                data: { ends: '' },
                onBoth() { for (const type of ['qr', 'bar']) my.scan({ type, complete: (r) => this.setData({ ends: this.data.ends + type + (r.error || 0) + ' ' }) }) },
                """, template: #"<button onTap="onBoth">Scan twice</button>"#)
        let hand = try await opened(wallet)
        try hand.tap(.event, "onBoth")
        // Two calls reach the phone in no particular order, and the second some time after the first.
        let words = ["qrCode": "qr10 ", "barCode": "bar10 "]
        let first = try await hand.until { $0.sheet?.kind == .scanner }.sheet?.type
        try hand.tap(.leaveScanner)
        #expect(hand.phone.screen.sheet?.type != first)
        let second = try await hand.until { $0.sheet?.kind == .scanner }.sheet?.type
        let (one, other) = try (#require(words[first ?? ""]), #require(words[second ?? ""]))
        #expect(one != other)
        // Their answers come so too, unless the first has come before the second is given.
        _ = try await hand.until { $0.program?.data?.first?.value == one }
        try hand.tap(.leaveScanner)
        #expect(hand.phone.screen.sheet == nil)
        _ = try await hand.until { $0.program?.data?.first?.value == one + other }
    }

    @Test @MainActor func errorsOfTheScriptAreToldWithTheirPlace() async throws {
        let wallet = try Wallet(page: "onFail() { missing() }", template: #"<button onTap="onFail">Fail</button>"#)
        let hand = try await opened(wallet)
        try hand.tap(.event, "onFail")
        let line = try await hand.until { $0.program?.log.contains { $0.level == "error" } == true }.program?.log.last
        #expect(line?.text.contains("pages/a/a.js") == true && line?.text.contains("missing") == true)
    }

    @Test @MainActor func linksAndTextsAreToldApart() async throws {
        let wallet = try Wallet(page: "onLoad(query) { this.setData({ table: query.table || 'none' }) }")
        let hand = try await atHome(wallet)
        try hand.tap(.openLink, "just words")
        #expect(try await hand.until { $0.sheet?.kind == .alert }.sheet?.text == "just words")
        try hand.tap(.confirm)
        try hand.tap(.openLink, "billfoldwallet://mp/\(Wallet.appID)?env=trial&sig=x")
        #expect(try await hand.until { $0.problem != nil }.problem?.code == "not-released")
        try hand.tap(.openLink, "https://mp.test/mp/\(Wallet.appID)?pq=table%3D7")
        _ = try await hand.until { $0.program?.data?.first?.value == "7" }
        #expect(throws: SandboxRefusal.self) { try hand.phone.open("elsewhere://mp/\(Wallet.appID)") }
        try hand.phone.open("billfoldwallet://mp/\(Wallet.appID)/pages/a/a?pq=table%3D8")
        _ = try await hand.until { $0.program?.data?.first?.value == "8" }
    }
}
