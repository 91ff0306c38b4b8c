import AppContainer
import BillfoldJSON
import Testing

struct LifeCycleTests {
    @Test func lifeCycleRunsInTheDocumentedOrder() throws {
        let play = Play(
            page: """
                const say = (name) => (value) => console.log(name, value && value.table || '')
                Page({ data: { n: 1 }, onLoad: say('load'), onShow: say('show'), onReady: say('ready'), onHide: say('hide'), onUnload: say('unload') })
                """,
            app: "App({ onLaunch() { console.log('launch') }, onShow() { console.log('app show') }, onHide() { console.log('app hide') } })"
        )
        var given = play
        given.script.launch = LaunchOptions(page: "pages/index/index?table=7")
        given.script.steps = [.hide, .show]
        let transcript = try given.run()
        #expect(
            transcript.logs == ["launch", "app show", "load 7", "show ", "ready ", "app hide", "hide ", "app show", "show "])
        #expect(transcript.updates.map(\.words) == ["page  {\"n\":1}"])
    }

    @Test func navigationKeepsAStackWithItsLifeCycle() throws {
        var play = Play(
            page: """
                Page({ onShow() { console.log('1 show') }, onHide() { console.log('1 hide') },
                  go() { my.navigateTo({ url: '../second/second?a=%E4%BD%A0&b=x', success() { console.log('went', getCurrentPages().length) } }) } })
                """,
            files: [
                "/pages/second/second.js": """
                Page({ onLoad(q) { console.log('2 load', q, getCurrentPages().map(p => p.route)) }, onUnload() { console.log('2 unload') },
                  back() { my.navigateBack() } })
                """
            ])
        play.script.steps = [.event("go", [], isTap: true, node: 0), .event("back", [], isTap: true, node: 0)]
        #expect(
            try play.logs() == [
                "1 show", "1 hide", #"2 load {"a":"你","b":"x"} ["pages/index/index","pages/second/second"]"#, "went 2", "2 unload",
                "1 show",
            ])
    }

    @Test func getAppIsTheVeryObjectAndErrorsReachOnError() throws {
        let play = Play(
            page: "Page({ onLoad() { getApp().globalData.n += 1; console.log(getApp().globalData.n); missing() } })",
            app: "App({ globalData: { n: 1 }, onError(e) { console.log('told', e) } })")
        let transcript = try play.run()
        #expect(transcript.logs == ["2", "told ReferenceError: Can't find variable: missing"])
        #expect(transcript.errors.first?.file == "/pages/index/index.js")
        #expect(transcript.errors.first?.line == 1)
        #expect(transcript.errors.first?.column ?? 0 > 70)
    }

    @Test func rejectionThatNobodyHearsIsReported() throws {
        let play = Play(
            page: "Page({ onLoad() { Promise.reject(new Error('lost')); Promise.reject(new Error('kept')).catch(() => {}) } })",
            app: "App({ onUnhandledRejection({ reason }) { console.log('unhandled', reason.message) } })")
        let transcript = try play.run()
        #expect(transcript.logs == ["unhandled lost"])
        #expect(transcript.errors.map(\.message) == ["Error: lost"])
    }

    @Test func timersRunInOrderOfTheirTimesOnTheRunsClock() throws {
        let play = Play(
            page: """
                const t = Date.now(); let n = 0
                Page({ onLoad() {
                  setTimeout(() => console.log('late', Date.now() - t), 1000)
                  setTimeout((a, b) => console.log('soon', a + b), 10, 1, 2)
                  const gone = setTimeout(() => console.log('never'), 5); clearTimeout(gone)
                  const every = setInterval(() => { if (++n === 3) { clearInterval(every); console.log('thrice', new Date() - t) } }, 100)
                  Promise.resolve().then(() => console.log('micro')); queueMicrotask(() => console.log('task')); console.log('now')
                } })
                """)
        #expect(try play.logs() == ["now", "micro", "task", "soon 3", "thrice 300", "late 1000"])
    }
}

struct DataTests {
    private func updates(_ body: String, data: String = "{ a: { b: [1, 2, { c: 3 }] }, list: [1, 2, 3], n: 0 }") throws -> [String] {
        var play = Play(page: "Page({ data: \(data), onReady() {}, act() { \(body) } })")
        play.script.steps = [.event("act", [], isTap: false, node: 0)]
        let transcript = try play.run()
        #expect(transcript.errors.isEmpty)
        return transcript.updates.dropFirst().map(\.words)
    }

    @Test func allChangesOfATurnAreOneMessage() throws {
        #expect(
            try updates("this.setData({ n: 1 }); this.setData({ 'a.b[2].c': 4 }); Promise.resolve().then(() => this.setData({ n: 2 }))")
                == ["set a.b[2].c 4; set n 2"])
    }

    @Test func pathsMakeWhatIsMissing() throws {
        #expect(
            try updates("this.setData({ \"x.y[1]['z.w']\": 1 }); console.assert; this.setData({ check: JSON.stringify(this.data.x) })")
                == [#"set x.y[1].z.w 1; set check "{\"y\":[null,{\"z.w\":1}]}""#])
    }

    @Test func laterParentOvertakesChildAndUndefinedIsNotSent() throws {
        #expect(try updates("this.setData({ 'a.b': [9], gone: undefined }); this.setData({ a: { b: [] } })") == [#"set a {"b":[]}"#])
    }

    @Test func valuesAreThoseOfTheCallAndNotOfTheTurnsEnd() throws {
        #expect(try updates("const o = { v: 1 }; this.setData({ o }); o.v = 2") == [#"set o {"v":1}"#])
    }

    @Test func spliceKeepsItsPlaceInTheOrder() throws {
        #expect(
            try updates(
                "this.$spliceData({ list: [1, 1, 8, 9] }); this.setData({ n: this.data.list.length }); this.$spliceData({ list: [-1, 1] })")
                == ["splice list [1,1,[8,9]]; set n 4; splice list [3,1,[]]"])
    }

    @Test func batchedUpdatesAreOneMessageAndCallbacksComeAfterPaint() throws {
        var play = Play(
            page: """
                Page({ data: {}, act() {
                  this.$batchedUpdates(() => { this.setData({ a: 1 }, () => console.log('painted')); this.setData({ b: 2 }) }); console.log('after')
                } })
                """)
        play.script.steps = [.event("act", [], isTap: false, node: 0)]
        let transcript = try play.run()
        #expect(transcript.logs == ["after", "painted"])
        #expect(transcript.updates.last?.words == "set a 1; set b 2")
    }

    @Test func pathToAPrototypeIsRefused() throws {
        var play = Play(
            page: "Page({ data: {}, act() { this.setData({ '__proto__.polluted': 1 }) }, look() { console.log({}.polluted) } })")
        play.script.steps = [.event("act", [], isTap: false, node: 0), .event("look", [], isTap: false, node: 0)]
        let transcript = try play.run()
        #expect(transcript.errors.count == 1)
        #expect(transcript.logs == ["undefined"])
    }

    @Test func loneSurrogatesAndCyclesHarmNobody() throws {
        #expect(try updates(#"this.setData({ s: '\ud800', t: '\\ud800' })"#) == ["set s \"\u{FFFD}\"; set t \"\\\\ud800\""])
        var play = Play(page: "Page({ data: {}, act() { const c = {}; c.c = c; this.setData({ c }) } })")
        play.script.steps = [.event("act", [], isTap: false, node: 0)]
        #expect(try play.run().errors.count == 1)
    }
}

struct ComponentTests {
    @Test func componentsFollowTheirLifeCycle() throws {
        var play = Play(
            page: """
                Page({ data: {}, saveRef(c) { this.child = c }, onPick(v, done) { console.log('picked', v); done() },
                  act() { this.child.pick(3) } })
                """,
            files: [
                "/components/a.js": """
                Component({
                  mixins: [{ data: { m: 1 }, didMount() { console.log('mixin mount') } }],
                  props: { size: 'big' }, data: { n: 0 },
                  onInit() { console.log('init', this.props.size, this.props['data-x'], this.data.m) },
                  deriveDataFromProps(next) { this.setData({ n: next.value }) },
                  didMount() { console.log('mount', this.is, this.$page.route) },
                  didUpdate(prevProps, prevData) { console.log('update', prevProps.value, '->', this.props.value, prevData.n) },
                  didUnmount() { console.log('unmount') },
                  methods: { pick(v) { this.props.onPick(v, () => console.log('done')); this.props.onNobody(1) } }
                })
                """
            ])
        let props = JSONObject([.init("value", 1), .init("data-x", "d"), .init("onPick", "onPick"), .init("onNobody", "nobody")])
        play.script.steps = [
            .component(.mount(node: 5, path: "/components/a", props: props, ref: "saveRef")), .component(.mounted([5])),
            .event("act", [], isTap: false, node: 0),
            .component(.props(node: 5, JSONObject([.init("value", 2)]))), .component(.unmount(node: 5)),
        ]
        let transcript = try play.run()
        #expect(transcript.errors.isEmpty)
        #expect(
            transcript.logs == [
                "init big d 1", "mixin mount", "mount /components/a pages/index/index", "picked 3", "done", "update 1 -> 2 1",
                "unmount",
            ])
        #expect(transcript.warnings.contains { $0.contains("nobody") })
        #expect(transcript.updates.contains { $0.changes.contains { $0.node == 5 && $0.operation == .component } })
    }
}
