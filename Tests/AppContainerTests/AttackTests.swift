import AppContainer
import BillfoldJSON
import Foundation
import MiniPrograms
import Testing

/// The attacks of mini-programs.md#security that a container has to stand. Each test fails when its defence is taken away.
struct AttackTests {
    // 8.1: permission.

    @Test func callWithoutTheFeatureIsRefusedAndNamesIt() async throws {
        let host = Witness()
        let program = try started("Page({ onLoad() { my.getAuthCode({ fail: (e) => console.log(e.error, e.errorMessage) }) } })", host)
        #expect(await host.wait { !$0.logs.isEmpty })
        #expect(host.logs.first?.hasPrefix("4 ") == true && host.logs.first?.contains("\"auth\"") == true)
        #expect(host.calls.isEmpty)
        program.end()
    }

    @Test func identityIsTheInstancesAndNotTheScripts() async throws {
        let host = Witness()
        let program = try started(
            "Page({ onLoad() { my.getAuthCode({ appId: 'other', identity: { appID: 'other' }, userID: 'victim', page: 'pages/pay/pay' }) } })",
            host
        ) { $0.grant.features = ["auth"] }
        #expect(await host.wait { !$0.calls.isEmpty })
        #expect(host.calls.first?.identity.appID == "app")
        #expect(host.calls.first?.identity.userID == "user")
        #expect(host.calls.first?.page == "pages/index/index")
        program.end()
    }

    @Test func webPageOffTheListAndItsLargerWishesAreRefused() async throws {
        let host = Witness()
        let program = try started("Page({})", host) {
            $0.grant.features = ["auth", "user-info"]
            $0.grant.webPageDomains = DomainList(["shop.example"])
        }
        func error(_ name: String, _ origin: String) async -> Int? {
            let answer = await program.callFromWebPage(name, .object([]), origin: origin)
            return answer.object["error"]?.integer.map(Int.init)
        }
        #expect(await error("getAuthCode", "https://evil.example") == 4)
        #expect(await error("getAuthCode", "https://shop.example@evil.example") == 4)
        #expect(await error("getAuthCode", "null") == 4)
        #expect(await error("getOpenUserInfo", "https://shop.example") == 4)
        #expect(await error("setStorageSync", "https://shop.example") == 4)
        #expect(host.calls.isEmpty)
        #expect(await error("getAuthCode", "https://shop.example") == nil)
        #expect(host.calls.first?.surface == .webPage)
        program.end()
    }

    // 8.3: isolation, and requests forged by a link.

    @Test func programsShareNeitherGlobalsNorPrototypesNorPartitions() async throws {
        let (one, two) = (Witness(), Witness())
        let spoil = "globalThis.leak = 1; Array.prototype.leak = 1; Object.prototype.leak = 1; Page({ onLoad() { console.log('spoilt') } })"
        let first = try started(spoil, one)
        #expect(await one.wait { !$0.logs.isEmpty })
        let second = try started("Page({ onLoad() { console.log(typeof leak, [].leak, {}.leak); my.confirm() } })", two) {
            $0.identity.userID = "another"
        }
        #expect(await two.wait { !$0.logs.isEmpty && !$0.calls.isEmpty })
        #expect(two.logs == ["undefined undefined undefined"])
        #expect(two.calls.first?.identity.partition != MiniProgramIdentity(appID: "app", userID: "user").partition)
        first.end()
        second.end()
    }

    @Test func linkCannotMakeAPagePayWithoutATap() async throws {
        let page =
            "Page({ pay() { my.tradePay({ tradeNO: this.no || 'x', complete: (r) => console.log(r.error || 'paid') }) }, onLoad(q) { this.no = q.no; this.pay() } })"
        let host = Witness()
        let program = MiniProgram(setup(page, host) { $0.grant.features = ["payment"] })
        program.launch(LaunchOptions(page: "pages/index/index?no=1", isFromLink: true))
        #expect(await host.wait { !$0.logs.isEmpty })
        #expect(host.logs == ["4"])
        #expect(host.calls.isEmpty)
        program.trigger("pay", isTap: true)
        #expect(await host.wait { $0.logs.count == 2 })
        #expect(host.logs == ["4", "paid"])
        #expect(host.calls.first?.followsTap == true)
        program.end()
    }

    // 8.6: rates and sizes.

    @Test func tenThousandCallsInATurnReachTheHostFiveHundredTimes() async throws {
        let host = Witness()
        let program = try started(
            """
            let ok = 0, no = 0
            Page({ onLoad() { for (let i = 0; i < 10000; i++) my.vibrate({ success: () => ok++, fail: (e) => { if (e.error === 20) no++ }, complete: () => { if (ok + no === 10000) console.log(ok, no) } }) } })
            """, host
        ) {
            $0.limits.waitingCalls = 20_000
            $0.limits.turn = .seconds(30)
            $0.clock = { 1_000_000 }
        }
        #expect(await host.wait { !$0.logs.isEmpty })
        #expect(host.logs == ["500 9500"])
        #expect(host.calls.count == 500)
        program.end()
    }

    @Test func hugeAndDeepArgumentsAreRefused() throws {
        var play = Play(
            page: """
                Page({ onLoad() { my.alert({ content: 'x'.repeat(2000000), fail: (e) => console.log(e.error) })
                  let d = {}; for (let i = 0; i < 5000; i++) d = { d }; my.alert({ content: 'x', d, fail: (e) => console.log(e.error) }) } })
                """)
        play.script.launch = LaunchOptions()
        #expect(try play.logs() == ["2", "2"])
    }

    // 8.7: script.

    @Test(arguments: [
        "eval('1')", "Function('return 1')()", "(async () => {}).constructor('return 1')()", "(function* () {}).constructor('return 1')()",
        "setTimeout('globalThis.x = 1')", "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
        "new (Object.getPrototypeOf(async function* () {}).constructor)('1')",
    ])
    func textIsNeverRunAsCode(script: String) throws {
        let play = Play(page: "Page({ onLoad() { try { \(script); console.log('ran') } catch (e) { console.log('refused') } } })")
        #expect(try play.logs() == ["refused"])
    }

    @Test func modulesStayInThePackage() throws {
        let play = Play(
            page: """
                for (const p of ['/etc/passwd', '../../../../etc/passwd', 'fs', '/util/a', '../../util/a', 'lib/es/x']) {
                  try { console.log(require(p).v) } catch (e) { console.log(e.message.split(':')[0].replace('Error', '')) } }
                Page({})
                """,
            files: [
                "/util/a.js": "exports.v = 'a'", "/node_modules/lib/es/x/index.js": "module.exports = { v: require('../../data').n }",
                "/node_modules/lib/data.json": #"{"n": 3}"#,
            ])
        #expect(try play.logs() == ["module-not-found", "module-outside-package", "module-not-found", "a", "a", "3"])
    }

    @Test(arguments: ["for (;;);", "try { for (;;); } catch (e) {} finally { for (;;); }", "while (true) { [1, 2, 3].map((x) => x * 2) }"])
    func endlessLoopIsEndedAndNeighboursGoOn(loop: String) async throws {
        let (bad, good) = (Witness(), Witness())
        let looping = try started("Page({ onLoad() { \(loop) }, act() { console.log('alive') } })", bad) {
            $0.limits.turn = .milliseconds(300)
        }
        let neighbour = try started("let n = 0; Page({ onLoad() { setInterval(() => console.log(n++), 10) } })", good)
        #expect(await good.wait { $0.logs.count > 10 })
        #expect(await bad.wait { !$0.errors.isEmpty })
        #expect(bad.errors.map(\.code) == ["turn-time-exceeded"])
        looping.trigger("act")
        #expect(await bad.wait { $0.logs == ["alive"] }, "the program goes on after a turn was ended")
        looping.end()
        neighbour.end()
    }

    @Test func programThatLoopsAgainAndAgainIsStopped() async throws {
        let host = Witness()
        let program = try started("Page({ onLoad() { setInterval(() => { for (;;); }, 10) } })", host) {
            $0.limits.turn = .milliseconds(100)
        }
        #expect(await host.wait { $0.end != nil })
        #expect(host.end??.code == .programStopped)
        #expect(host.errors.count == 3, "\(host.errors)")
        program.end()
    }

    @Test func programCannotReachTheBridgeByChangingBuiltIns() throws {
        let play = Play(
            page: """
                const seen = []; const stringify = JSON.stringify; JSON.stringify = function (v) { seen.push(this, v); return stringify(v) }
                Function.prototype.call = function () { seen.push(this); return 1 }; Map.prototype.get = () => undefined
                Page({ data: { a: 1 }, onLoad() { console.log(seen.some((x) => x && (x.callSync || x.call && x.emit)), typeof native, typeof kit) } })
                """)
        #expect(try play.run().logs.allSatisfy { $0 == "false undefined undefined" })
    }
}
