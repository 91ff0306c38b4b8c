import AppContainer
import BillfoldJSON
import Foundation
import MiniPrograms
import Synchronization
import Testing

/// A page in a web view: the bridge's script in an engine of its own, with as much of a browser as the script touches. What it posts is
/// logged as `post …`; what the host hands over comes as an event.
private enum Page {
    static func script(_ body: String, state: String = "complete") -> String {
        """
        const document = { readyState: '\(state)', all: {}, addEventListener(n, f) { (this.all[n] ??= []).push(f) },
          dispatchEvent(e) { for (const f of this.all[e.name] ?? []) f(e) } }
        const window = { document, setTimeout, Event: function (name) { this.name = name }, miniProgram: { postMessage: (t) => console.log('post ' + t) } }
        document.addEventListener('AlipayJSBridgeReady', () => console.log('ready'));
        \(WebBridge.script(startupParams: JSONObject([.init("url", "https://shop.example/<a>")])).replacing("(globalThis, ", with: "(window, "))
        const page = window.my, bridge = window.AlipayJSBridge, outer = globalThis.my
        outer.on('socketMessage', (text) => bridge.receive(text))
        Page({ onLoad() { \(body) } })
        """
    }
}

/// The script alone.
struct WebBridgeScriptTests {
    private func logs(_ body: String, state: String = "complete") throws -> [String] {
        try Play(page: Page.script(body, state: state)).logs()
    }

    /// What the page logs besides that the bridge is there.
    private func said(_ body: String) throws -> [String] {
        let logs = try logs(body)
        #expect(logs.contains("ready"))
        return logs.filter { $0 != "ready" }
    }

    private func reply(_ number: Int, ok: Bool = true, _ result: String) -> String {
        "bridge.receive(JSON.stringify({ v: 1, kind: 'reply', cb: \(number), ok: \(ok), res: \(result) }))"
    }

    @Test func callsAreFramesAndAnswersReachCallbacksAndPromises() throws {
        let logs = try said(
            """
            page.getAuthCode({ scopes: 'auth_base', success: (r) => console.log('s', r.authCode), complete: (r) => console.log('c', r.authCode) })
              .then((r) => console.log('p', r.authCode)); \(reply(1, "{ authCode: 'x' }")); \(reply(1, "{ authCode: 'twice' }"))
            page.scan({ fail: (e) => console.log('f', e.error) }); \(reply(2, ok: false, "{ error: 10, errorMessage: 'left' }"))
            page.alert('text'); bridge.call('scan', { type: 'qr' }, (r) => console.log('b', r.code)); \(reply(4, "{ code: 'q' }"))
            bridge.call('getServerTime', (r) => console.log('t', r.time)); \(reply(5, "{ time: 1 }"))
            """)
        #expect(
            logs == [
                #"post {"v":1,"kind":"call","seq":1,"name":"getAuthCode","args":{"scopes":"auth_base"}}"#, "s x", "c x",
                #"post {"v":1,"kind":"call","seq":2,"name":"scan","args":{}}"#, "f 10",
                #"post {"v":1,"kind":"call","seq":3,"name":"alert","args":"text"}"#,
                #"post {"v":1,"kind":"call","seq":4,"name":"scan","args":{"type":"qr"}}"#, "b q",
                #"post {"v":1,"kind":"call","seq":5,"name":"getServerTime","args":null}"#, "t 1", "p x",
            ])
    }

    @Test func pageFindsItsEnvironment() throws {
        let logs = try said(
            """
            page.getEnv((r) => console.log(r.miniprogram)); console.log(bridge.startupParams.url, page.SDKVersion)
            console.log(page.canIUse('tradePay'), page.canIUse('scanCode'), page.canIUse('getOpenUserInfo'), typeof page.setStorage, typeof page.getSystemInfoSync)
            document.addEventListener('back', (e) => console.log('back', e.data.n)); bridge.receive('{"v":1,"kind":"event","name":"back","data":{"n":1}}')
            page.onMessage = (d) => console.log('got', d.a); bridge.receive('{"v":1,"kind":"event","name":"message","data":{"a":2}}')
            page.onMessage = () => { throw new Error('page') }; bridge.receive('{"v":1,"kind":"event","name":"message","data":{}}'); console.log('on')
            """)
        #expect(
            logs == [
                "true", "https://shop.example/<a> \(JSAPICatalogue.baseLibraryVersion)", "true true false undefined undefined", "back 1",
                "got 2",
                "on",
            ])
    }

    @Test func readinessWaitsForTheDocument() throws {
        #expect(try logs("console.log('own'); for (const f of document.all.DOMContentLoaded) f()", state: "loading") == ["own", "ready"])
    }

    @Test func pageWithoutAHostFailsEveryCall() throws {
        #expect(
            try said("delete window.miniProgram; page.scan({ fail: (e) => console.log(e.error, e.errorMessage) })") == [
                "2 scan: there is no host"
            ])
    }

    @Test func scriptCannotEndTheElementThatItIsPutInto() {
        #expect(!WebBridge.script(startupParams: JSONObject([.init("x", "</script><script>alert(1)</script>")])).contains("</script"))
    }
}

/// The native side, with a real instance behind it.
struct WebBridgeTests {
    private let shop = "https://shop.example"

    private func instance(_ page: String, _ host: Witness, fromLink: Bool = false) throws -> MiniProgram {
        let program = MiniProgram(
            setup(page, host) {
                $0.grant.features = ["payment", "auth", "user-info"]
                $0.grant.webPageDomains = DomainList(["shop.example"])
            })
        program.launch(LaunchOptions(isFromLink: fromLink))
        return program
    }

    private func call(_ name: String, _ args: String = "{}", more: String = "") -> String {
        #"{"v":1,"kind":"call","seq":7,"name":"\#(name)","args":\#(args)\#(more)}"#
    }

    private func error(_ delivery: WebBridge.Delivery?, at origin: String) throws -> Int64? {
        let text = try #require(delivery?.text(forPageOf: origin))
        let frame = try JSONReader.readObject(Array(text.utf8))
        #expect(frame["cb"]?.integer == 7 && frame["kind"]?.string == "reply")
        return frame["ok"]?.bool == true ? nil : frame["res"]?["error"]?.integer
    }

    @Test func originIsTheOneThatTheHostObserved() async throws {
        let host = Witness()
        let program = try instance("Page({})", host)
        let bridge = WebBridge(program: program)
        let claim = #","origin":"https://shop.example","page":"https://shop.example","app":"other""#
        #expect(
            try error(await bridge.receive(call("tradePay", more: claim), origin: "https://evil.example"), at: "https://evil.example") == 4)
        #expect(try error(await bridge.receive(call("tradePay"), origin: "null"), at: "null") == 4)
        #expect(try error(await bridge.receive(call("tradePay"), origin: shop, isMainFrame: false), at: shop) == 4)
        #expect(try error(await bridge.receive(call("getOpenUserInfo"), origin: shop), at: shop) == 4)
        #expect(try error(await bridge.receive(call("nothing"), origin: shop), at: shop) == 1)
        #expect(host.calls.isEmpty && bridge.post(1) == nil, "nothing was allowed, so nobody has spoken")
        #expect(try error(await bridge.receive(call("tradePay", #"{"tradeNO":"1","appId":"other"}"#), origin: shop), at: shop) == nil)
        #expect(host.calls.first?.identity.appID == "app" && host.calls.first?.surface == .webPage)
        program.end()
    }

    @Test func answerIsNotForThePageThatCameAfter() async throws {
        let program = try instance("Page({})", Witness { _ in .success(["authCode": "s3cret"]) })
        let bridge = WebBridge(program: program)
        let delivery = try #require(await bridge.receive(call("getAuthCode"), origin: shop))
        #expect(delivery.text(forPageOf: "https://evil.example") == nil)
        #expect(delivery.text(forPageOf: "https://shop.example:8443") == nil)
        #expect(delivery.text(forPageOf: shop)?.contains("s3cret") == true)
        #expect(bridge.post(.object(JSONObject([.init("a", 1)])))?.text(forPageOf: "https://evil.example") == nil)
        #expect(bridge.tell("resume")?.text(forPageOf: shop) == #"{"v":1,"kind":"event","name":"resume","data":null}"#)
        program.end()
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"v":2,"kind":"call","seq":1,"name":"scan"}"#, #"{"v":1,"kind":"reply","seq":1,"name":"scan"}"#,
        #"{"v":1,"kind":"call","name":"scan"}"#,
    ])
    func textThatIsNoMessageIsLeft(text: String) async throws {
        let program = try instance("Page({})", Witness())
        #expect(await WebBridge(program: program).receive(text, origin: shop) == nil)
        program.end()
    }

    @Test func linkCannotMakeAnHTML5PagePayWithoutATap() async throws {
        let host = Witness()
        let program = MiniProgram(
            setup("", host) {
                $0.code = .webPages
                $0.grant.features = ["payment"]
                $0.grant.webPageDomains = DomainList(["shop.example"])
            })
        program.launch(LaunchOptions(query: ["pay": "1"], isFromLink: true))
        let bridge = WebBridge(program: program)
        #expect(try error(await bridge.receive(call("tradePay", #"{"tradeNO":"1"}"#), origin: shop), at: shop) == 4)
        #expect(host.calls.isEmpty && host.errors.isEmpty && host.end == nil)
        program.tapped()
        #expect(try error(await bridge.receive(call("tradePay", #"{"tradeNO":"1"}"#), origin: shop), at: shop) == nil)
        #expect(host.calls.first?.followsTap == true)
        program.end()
    }

    /// The page's script, the bridge and the mini program, from end to end.
    @Test func pageAndMiniProgramTalkBothWays() async throws {
        let ends = Ends()
        let origin = shop
        let deliver: @Sendable (WebBridge.Delivery?) -> Void = { delivery in
            if let text = delivery?.text(forPageOf: origin) { ends.browser.withLock { $0 }?.emit("socketMessage", .string(text)) }
        }
        let screen = Witness { call in
            if call.name == "postWebViewMessage" { deliver(ends.bridge.withLock { $0 }?.post(call.arguments["data"] ?? .null)) }
            return .success(["resultCode": "9000"])
        }
        let program = try instance(
            "Page({ onWeb(e) { console.log(e.type, e.detail.a); my.createWebViewContext('w').postMessage({ b: 2 }) } })", screen)
        let made = WebBridge(program: program, messageHandler: "onWeb")
        ends.bridge.withLock { $0 = made }
        let page = Wire { text in Task { deliver(await made.receive(text, origin: origin)) } }
        let view = MiniProgram(
            setup(
                Page.script(
                    """
                    page.onMessage = (d) => console.log('got', d.b)
                    page.tradePay({ tradeNO: '1' }).then((r) => { console.log('paid', r.resultCode); page.postMessage({ a: 1 }) })
                    page.call('getOpenUserInfo', {}, (r) => console.log('refused', r.error))
                    """), Witness()
            ) { $0.host = page })
        ends.browser.withLock { $0 = view }
        view.launch()
        #expect(await page.witness.wait { Set(["got 2", "paid 9000", "refused 4"]).isSubset(of: $0.logs) }, "\(page.witness.logs)")
        #expect(screen.logs == ["message 1"])
        view.end()
        program.end()
    }
}

/// Both ends of a bridge, each of which is made with the other in hand.
private final class Ends: Sendable {
    let bridge = Mutex<WebBridge?>(nil)
    let browser = Mutex<MiniProgram?>(nil)
}

/// A host that hands what the page posts to somebody else.
private struct Wire: JSAPIHost {
    let witness = Witness()
    let posted: @Sendable (String) -> Void

    init(_ posted: @escaping @Sendable (String) -> Void) { self.posted = posted }

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) { witness.answer(call, reply) }

    func observe(_ event: ProgramEvent) {
        if case .console(_, let text) = event, text.hasPrefix("post ") { posted(String(text.dropFirst(5))) }
        witness.observe(event)
    }
}
