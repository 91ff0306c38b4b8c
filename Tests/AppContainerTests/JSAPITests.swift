import AppContainer
import BillfoldJSON
import Foundation
import MiniPrograms
import Testing

private func act(_ body: String, files: [String: String] = [:], _ configure: (inout Play) -> Void = { _ in }) throws -> RunTranscript {
    var play = Play(page: "Page({ data: {}, async act() { \(body) } })", files: files)
    play.script.grant.features = ["auth", "payment", "scan"]
    play.script.steps = [.event("act", [], isTap: true, node: 0)]
    configure(&play)
    return try play.run()
}

struct CallTests {
    @Test func successFailCompleteAndPromiseHearTheSameObject() throws {
        let logs = try act(
            """
            let seen
            const r = await my.confirm({ content: 'sure?', success(r) { seen = r; console.log('success', r) }, fail() { console.log('no') },
              complete(r) { console.log('complete', r === seen) } })
            console.log('promise', r === seen)
            try { await my.scan() } catch (e) { console.log('rejected', e.error) }
            my.scan({ fail(e) { console.log('fail', e) }, complete(e) { console.log('complete', e.error) } })
            my.scan()
            """
        ) { $0.script.answers["scan"] = [] }
        #expect(
            logs.logs == [
                #"success {"confirm":true,"ok":true}"#, "complete true", "promise true", "rejected 3",
                #"fail {"error":3,"errorMessage":"the script has no answer for scan"}"#, "complete 3",
            ])
        #expect(logs.errors.isEmpty, "a rejection of my.* that nobody hears is nobody's error")
    }

    @Test func sloppyCallsOfRealCodeAreTaken() throws {
        let transcript = try act(
            """
            my.alert('text'); my.showToast('x'); my.showLoading({ content: 'wait', delay: '300' })
            my.getAuthCode({ scopes: 'auth_user' }); my.getAuthCode({ scopes: ['auth_base'] }); my.scan({ scanType: ['qr'] })
            my.httpRequest({ url: 'https://a.example/x', header: { a: 'b' } }); my.navigateTo('/pages/second/second')
            """
        ) {
            $0.script.grant.requestDomains = DomainList(["a.example"])
            $0.script.answers["getAuthCode"] = [.init(success: ["authCode": "c"])]
            $0.script.answers["request"] = [.init(success: ["status": 200])]
            $0.script.answers["scan"] = [.init(success: ["code": "1"])]
        }
        // A page's address has no bare form in the catalogue: everything else was taken.
        #expect(transcript.answers.filter { !$0.answer.isSuccess }.map(\.name) == ["navigateTo"])
    }

    @Test func unknownNamesAndWrongTypesFailWithTheirCodes() throws {
        let logs = try act(
            """
            console.log(typeof my.nothing, my.canIUse('request'), my.canIUse('component2'), my.canIUse('button.open-type.getAuthorize'), my.canIUse('nothing'))
            my.call('nothing', { a: 1 }, (r) => console.log(r.error)); my.request({ fail: (e) => console.log(e.error) })
            my.setStorage({ key: 7, data: 1, fail: (e) => console.log(e.error) }); console.log(my.SDKVersion.split('.').length, my.getAppIdSync().appId)
            const c = {}; c.c = c; my.alert({ content: c, fail: (e) => console.log(e.error) })
            """
        ).logs
        #expect(logs == ["undefined true true true false", "3 mini-program", "2", "1", "2", "2"])
    }

    @Test func customInterfacesNeedTheirPermission() throws {
        let body = "my.call('loyalty', { card: 1 }, (r) => console.log(JSON.stringify(r)))"
        let granted = try act(body) {
            $0.script.grant.customInterfaces = ["loyalty"]
            $0.script.grant.features = ["custom.loyalty"]
            $0.script.answers["loyalty"] = [.init(success: ["points": 5])]
        }
        #expect(granted.logs == [#"{"points":5}"#])
        let refused = try act(body) { $0.script.grant.customInterfaces = ["loyalty"] }
        #expect(refused.logs.first?.hasPrefix(#"{"error":4"#) == true)
    }

    @Test func requestIsHeldAgainstTheListBeforeTheHostIsAsked() async throws {
        let body = """
            Page({ onLoad() { for (const url of ['https://good.example/a', 'http://good.example', 'https://good.example@evil.example/', 'https://evil.example',
              'https://good.example.evil.example', 'https://good.example:444/', 'https://GOOD.example/', 'https://good.example./'])
              my.request({ url, complete: (r) => console.log(r.error || 'ok') }) } })
            """
        let host = Witness { _ in .success(["status": 200]) }
        let program = try started(body, host) { $0.grant.requestDomains = DomainList(["good.example"]) }
        #expect(await host.wait { $0.logs.count == 8 })
        #expect(host.logs.sorted() == ["11", "11", "11", "11", "11", "11", "ok", "ok"])
        #expect(host.calls.map { $0.arguments["url"]?.string ?? "" } == ["https://good.example/a", "https://GOOD.example/"])
        program.end()
    }

    @Test func redirectOffTheListAndStatusFailTheRequest() throws {
        let transcript = try act(
            "for (let i = 0; i < 3; i++) { try { console.log((await my.request({ url: 'https://a.example/' })).status) } catch (e) { console.log(e.error, e.status) } }"
        ) {
            $0.script.grant.requestDomains = DomainList(["a.example"])
            $0.script.answers["request"] = [
                .init(success: ["status": 200, "redirects": ["https://a.example/b", "https://evil.example/"]]),
                .init(success: ["status": 404]),
                .init(success: ["status": 200, "redirects": ["https://a.example/b"]]),
            ]
        }
        #expect(transcript.logs == ["11 undefined", "19 404", "200"])
    }

    @Test func abortedRequestIsAnsweredOnce() throws {
        let transcript = try act(
            "const t = my.request({ url: 'https://a.example/', complete: (r) => console.log(r.error) }); t.abort(); t.abort()"
        ) {
            $0.script.grant.requestDomains = DomainList(["a.example"])
            $0.script.answers["request"] = [.init(success: ["status": 200], delay: 50)]
        }
        #expect(transcript.logs == ["20"])
    }
}

struct StorageTests {
    @Test func valuesRoundTripAndLimitsHold() throws {
        let logs = try act(
            """
            await my.setStorage({ key: 'a', data: { x: [1, '你'] } }); console.log(my.getStorageSync({ key: 'a' }).data.x[1], my.getStorageSync({ key: 'none' }).data)
            console.log(my.setStorageSync({ key: 'big', data: 'x'.repeat(204801) }).error)
            let n = 0; while (n < 100 && !my.setStorageSync({ key: 'k' + n, data: 'x'.repeat(200000) }).error) n++
            console.log(n, (await my.getStorageInfo()).limitSize); my.clearStorageSync(); console.log(my.getStorageInfoSync().keys.length)
            """
        ) { $0.limits.turn = .seconds(60) }.logs
        #expect(logs == ["你 null", "2", "52 10240", "0"])
    }

    @Test func partitionsOfUsersAndProgramsAreApart() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = FileMiniProgramStore(folder: folder.url)
        let place = MiniProgramIdentity.Partition(user: "../u", app: "a")
        try store.set("k/../..", to: "1", of: place)
        #expect(try store.value("k/../..", of: place) == "1")
        #expect(try store.value("k/../..", of: .init(user: "../u", app: "b")) == nil)
        #expect(try store.value("k/../..", of: .init(user: "v", app: "a")) == nil)
        #expect(try store.sizes(of: place) == ["k/../..": 1])
        try store.clear(place)
        #expect(try store.value("k/../..", of: place) == nil)
    }

    @Test func valuesAreClosedToOtherUsersOfTheMachine() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let longest = String(repeating: "k", count: 120)
        let place = MiniProgramIdentity.Partition(user: "u", app: "a")
        try FileMiniProgramStore(folder: folder.url).set(longest, to: "1", of: place)
        let made = try #require(FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String })
        #expect(made.count == 3)
        for name in made {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path + "/" + name)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
        }
    }
}

struct NavigationTests {
    @Test func stackHoldsTenPagesAndTabsAreKept() throws {
        var play = Play(
            page: """
                Page({ onLoad() { console.log('home load') }, async act() {
                  try { await my.navigateTo({ url: '/pages/tab/tab' }) } catch (e) { console.log('tab', e.error) }
                  try { await my.switchTab({ url: '/pages/tab/tab?x=1' }) } catch (e) { console.log('query', e.error) }
                  try { await my.navigateTo({ url: '/../../etc/passwd' }) } catch (e) { console.log('out', e.error) }
                  for (let i = 0; i < 12; i++) { try { await my.navigateTo({ url: '/pages/second/second' }) } catch (e) { console.log('full', getCurrentPages().length); break } }
                  await my.navigateBack({ delta: 99 }); console.log('back', getCurrentPages().length)
                  await my.switchTab({ url: '/pages/tab/tab' }); console.log(getCurrentPages().map((p) => p.route))
                  await my.navigateTo({ url: '/pages/second/second' }); await my.switchTab({ url: '/pages/other/other' })
                  await my.switchTab({ url: '/pages/tab/tab' }); await my.redirectTo({ url: '/pages/second/second?q=1' })
                  console.log(getCurrentPages().length, getCurrentPages()[0].route)
                } })
                """,
            files: [
                "/pages/tab/tab.js":
                    "Page({ onLoad() { console.log('tab load') }, onHide() { console.log('tab hide') }, onUnload() { console.log('tab unload') } })"
            ])
        play.pages = ["pages/index/index", "pages/second/second", "pages/tab/tab", "pages/other/other"]
        play.files["/pages/other/other.js"] = "Page({ onShow() { console.log('other show') } })"
        play.tabs = ["pages/tab/tab", "pages/other/other"]
        play.script.steps = [.event("act", [], isTap: true, node: 0)]
        #expect(
            try play.logs() == [
                "home load", "tab 2", "query 2", "out 2", "full 10", "back 1", "tab load", #"["pages/tab/tab"]"#, "tab hide", "tab hide",
                "other show", "tab unload", "1 pages/second/second",
            ])
    }
}
